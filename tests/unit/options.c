// SPDX-License-Identifier: GPL-2.0-only
/* The command line: every option of every command, --help and --version. */
#include "options_line.h"

#include "abi.h"
#include "options_table.h"

static void parse_ok(struct options *o, const char *line)
{
	enum parsed p = parse(o, line);

	if (p != PARSED_RUN)
		fail_msg("%s: %s", line, said);
	assert_string_equal(said, "");
}

static void test_defaults(void **state)
{
	struct options o;

	(void)state;
	parse_ok(&o, "");
	assert_int_equal(o.command, COMMAND_TOP);
	assert_int_equal(o.nr_pids, 0);
	assert_int_equal(o.nr_uids, 0);
	assert_false(o.has_comm);
	assert_int_equal(o.events, (1U << NR_CALL) - 1);
	assert_false(o.threads);
	assert_int_equal(o.group, GROUP_PROCESS);
	assert_null(o.csv);
	assert_null(o.json);
	assert_true(o.min_rate == 0);
	assert_true(o.delay == 1);
	assert_int_equal(o.iterations, 0);
	assert_int_equal(o.sort, SORT_RATE);
	assert_false(options_follow(&o));
	options_free(&o);

	parse_ok(&o, "stat");
	assert_int_equal(o.command, COMMAND_STAT);
	assert_true(o.interval == 0);
	assert_int_equal(o.interval_count, 0);
	assert_true(o.timeout == 0);
	assert_false(o.all);
	assert_null(o.separator);
	assert_null(o.output);
	assert_false(o.append);
	assert_null(o.argv);
	assert_false(options_follow(&o));
	options_free(&o);

	parse_ok(&o, "check");
	assert_int_equal(o.command, COMMAND_CHECK);
	assert_false(o.has_max_rate);
	assert_true(o.duration == 1);
	options_free(&o);

	parse_ok(&o, "bench");
	assert_int_equal(o.command, COMMAND_BENCH);
	assert_int_equal(o.bench, BENCH_CLOCK);
	assert_int_equal(o.nr_cpus, 0);
	assert_int_equal(o.nr_bench_threads, 0);
	assert_true(o.seconds == 0);
	options_free(&o);

	parse_ok(&o, "why");
	assert_int_equal(o.command, COMMAND_WHY);
	assert_int_equal(o.nr_pids, 0);
	assert_true(o.delay == 1);
	options_free(&o);
}

static void check_shared(const struct options *o)
{
	assert_int_equal(o->nr_pids, 2);
	assert_int_equal(o->pids[0], 100);
	assert_int_equal(o->pids[1], 200);
	assert_int_equal(o->nr_uids, 3);
	assert_int_equal(o->uids[0], 0);
	assert_int_equal(o->uids[1], 1);
	assert_int_equal(o->uids[2], 54321);
	assert_true(o->has_comm);
	assert_string_equal(o->comm_text, "^ja+va$");
	assert_int_equal(regexec(&o->comm, "jaava", 0, NULL, 0), 0);
	assert_int_equal(regexec(&o->comm, "xjava", 0, NULL, 0), REG_NOMATCH);
	assert_int_equal(o->events, 1U << CALL_TIME | 1U << CALL_CLOCK_GETRES_TIME64);
	assert_true(o->threads);
	assert_int_equal(o->group, GROUP_CONTAINER);
	assert_string_equal(o->csv, "a.csv");
	assert_string_equal(o->json, "-");
	assert_true(o->min_rate == 2.5);
	assert_true(options_follow(o));
}

static void test_shared(void **state)
{
	const char *rest[] = {
	    "-p 100,200 -u root,1 -u 54321 -c ^ja+va$ -e time -e clock_getres_time64 -H "
	    "-g container --csv a.csv --json - --min-rate 2.5",
	    "--pid=100 --pid 200,100 --user=root,daemon,54321 --comm x --comm=^ja+va$ "
	    "--event=time,clock_getres_time64 --threads --group=container --csv=a.csv "
	    "--json=- --min-rate=2.5",
	    "-Hp100,200 -uroot,daemon,54321 -c^ja+va$ -etime,clock_getres_time64 "
	    "-gcontainer --csv a.csv --json - --min-rate 02.50",
	};
	const char *commands[] = {"", "top ", "stat "};
	struct options o;
	char line[256];

	(void)state;
	for (size_t c = 0; c < 3; c++)
		for (size_t i = 0; i < 3; i++) {
			snprintf(line, sizeof(line), "%s%s", commands[c], rest[i]);
			parse_ok(&o, line);
			assert_int_equal(o.command, c == 2 ? COMMAND_STAT : COMMAND_TOP);
			check_shared(&o);
			options_free(&o);
		}
}

static void test_events(void **state)
{
	const struct {
		const char *name;
		enum call call;
	} known[] = {
	    {"gettimeofday", CALL_GETTIMEOFDAY},
	    {"time", CALL_TIME},
	    {"clock_gettime", CALL_CLOCK_GETTIME},
	    {"clock_getres", CALL_CLOCK_GETRES},
	    {"clock_gettime64", CALL_CLOCK_GETTIME64},
	    {"clock_getres_time64", CALL_CLOCK_GETRES_TIME64},
	};
	struct options o;
	char line[128];

	(void)state;
	assert_int_equal(sizeof(known) / sizeof(known[0]), NR_CALL);
	for (size_t i = 0; i < NR_CALL; i++) {
		snprintf(line, sizeof(line), "-e %s", known[i].name);
		parse_ok(&o, line);
		assert_int_equal(o.events, 1U << known[i].call);
		assert_string_equal(known[i].name, call_name(known[i].call));
		options_free(&o);
	}
	/* All of them named, then one more time: still all. */
	parse_ok(&o, "-e gettimeofday,time,clock_gettime,clock_getres,clock_gettime64,"
		     "clock_getres_time64 -e time");
	assert_int_equal(o.events, (1U << NR_CALL) - 1);
	options_free(&o);
}

static void test_words(void **state)
{
	const char *sorts[] = {"rate", "total", "cpu", "pid", "user", "command", "clock", "cause"};
	const char *groups[] = {"process", "command", "container"};
	const char *benches[] = {"clock", "threads", "cache", "sleep"};
	struct options o;
	char line[128];

	(void)state;
	assert_int_equal(sizeof(sorts) / sizeof(sorts[0]), NR_SORT);
	for (int i = 0; i < NR_SORT; i++) {
		snprintf(line, sizeof(line), "-s %s", sorts[i]);
		parse_ok(&o, line);
		assert_int_equal(o.sort, i);
		options_free(&o);
	}
	for (int i = 0; i < NR_GROUP; i++) {
		snprintf(line, sizeof(line), "stat --group %s", groups[i]);
		parse_ok(&o, line);
		assert_int_equal(o.group, i);
		options_free(&o);
	}
	for (int i = 0; i < NR_BENCH; i++) {
		snprintf(line, sizeof(line), "bench %s", benches[i]);
		parse_ok(&o, line);
		assert_int_equal(o.bench, i);
		options_free(&o);
	}
}

static void test_top(void **state)
{
	struct options o;

	(void)state;
	parse_ok(&o, "-d 0.1 -n 10 -b -s cause");
	assert_true(o.delay == 0.1);
	assert_int_equal(o.iterations, 10);
	assert_true(o.batch);
	assert_int_equal(o.sort, SORT_CAUSE);
	options_free(&o);
	parse_ok(&o, "-bn10 --delay=2. --sort=pid");
	assert_true(o.delay == 2);
	assert_int_equal(o.iterations, 10);
	assert_true(o.batch);
	assert_int_equal(o.sort, SORT_PID);
	options_free(&o);
	parse_ok(&o, "top -d .5 --");
	assert_true(o.delay == 0.5);
	options_free(&o);
}

static void test_stat(void **state)
{
	struct options o;

	(void)state;
	parse_ok(&o, "stat -I 1000 --interval-count 3 --timeout 10 -x , -o out --append -a");
	assert_true(o.interval == 1);
	assert_int_equal(o.interval_count, 3);
	assert_true(o.timeout == 0.01);
	assert_true(o.all);
	assert_string_equal(o.separator, ",");
	assert_string_equal(o.output, "out");
	assert_true(o.append);
	assert_null(o.argv);
	options_free(&o);

	parse_ok(&o, "stat -aI10 -x\\t sleep 10 -I bad --nonsense");
	assert_true(o.all);
	assert_true(o.interval == 0.01);
	assert_string_equal(o.separator, "\t");
	assert_string_equal(o.argv[0], "sleep");
	assert_string_equal(o.argv[1], "10");
	assert_string_equal(o.argv[2], "-I");
	assert_string_equal(o.argv[3], "bad");
	assert_string_equal(o.argv[4], "--nonsense");
	assert_null(o.argv[5]);
	assert_false(options_follow(&o));
	assert_false(options_counts_command(&o));
	options_free(&o);

	parse_ok(&o, "stat -H -- -odd -a");
	assert_string_equal(o.argv[0], "-odd");
	assert_string_equal(o.argv[1], "-a");
	assert_false(o.all);
	assert_true(options_follow(&o));
	assert_true(options_counts_command(&o));
	options_free(&o);

	/* -p with COMMAND: the processes are counted while it runs. */
	parse_ok(&o, "stat -p 100 -- sleep 1");
	assert_string_equal(o.argv[0], "sleep");
	assert_true(options_follow(&o));
	assert_false(options_counts_command(&o));
	options_free(&o);

	parse_ok(&o, "stat --");
	assert_null(o.argv);
	options_free(&o);
	/* "-" is a word, as everywhere. */
	parse_ok(&o, "stat - -I");
	assert_string_equal(o.argv[0], "-");
	options_free(&o);
	/* A command's name is only one in first place. */
	parse_ok(&o, "stat top -d");
	assert_string_equal(o.argv[0], "top");
	options_free(&o);
}

static void test_why_check_bench(void **state)
{
	long cpus = sysconf(_SC_NPROCESSORS_CONF);
	struct options o;
	char line[128];

	(void)state;
	parse_ok(&o, "why 100 -d 2.5 200,100 --csv a --json b");
	assert_int_equal(o.nr_pids, 2);
	assert_int_equal(o.pids[0], 100);
	assert_int_equal(o.pids[1], 200);
	assert_true(o.delay == 2.5);
	assert_string_equal(o.csv, "a");
	assert_string_equal(o.json, "b");
	options_free(&o);

	parse_ok(&o, "check --max-rate 0 --duration 0.5");
	assert_true(o.has_max_rate);
	assert_true(o.max_rate == 0);
	assert_true(o.duration == 0.5);
	options_free(&o);

	snprintf(line, sizeof(line), "bench --cpus 0-%ld,0 threads --threads 1,2,16 --threads=3",
		 cpus - 1);
	parse_ok(&o, line);
	assert_int_equal(o.bench, BENCH_THREADS);
	assert_int_equal(o.nr_cpus, cpus + 1);
	for (long i = 0; i < cpus; i++)
		assert_int_equal(o.cpus[i], i);
	assert_int_equal(o.cpus[cpus], 0);
	assert_int_equal(o.nr_bench_threads, 4);
	assert_int_equal(o.bench_threads[0], 1);
	assert_int_equal(o.bench_threads[1], 2);
	assert_int_equal(o.bench_threads[2], 16);
	assert_int_equal(o.bench_threads[3], 3);
	options_free(&o);

	parse_ok(&o, "bench --seconds 3 --csv - --json x");
	assert_true(o.seconds == 3);
	assert_string_equal(o.csv, "-");
	options_free(&o);
}

/* What options_parse() prints to standard output for the line. */
static char *printed(const char *line, enum parsed expected)
{
	static char text[16384];
	FILE *file = tmpfile();
	int old = dup(STDOUT_FILENO);
	struct options o;
	size_t len;

	assert_non_null(file);
	assert_true(old >= 0);
	fflush(stdout);
	assert_true(dup2(fileno(file), STDOUT_FILENO) >= 0);
	assert_int_equal(parse(&o, line), expected);
	options_free(&o);
	fflush(stdout);
	assert_true(dup2(old, STDOUT_FILENO) >= 0);
	close(old);
	rewind(file);
	len = fread(text, 1, sizeof(text) - 1, file);
	text[len] = '\0';
	fclose(file);
	return text;
}

static void test_help(void **state)
{
	(void)state;
	for (int c = 0; c < NR_COMMAND; c++) {
		char line[128], *text;
		int options = 0, shown = 0;

		snprintf(line, sizeof(line), "%s --help", command_table[c].name);
		text = printed(line, PARSED_DONE);
		assert_string_equal(said, "");
		for (size_t i = 0; i < nr_options; i++) {
			char name[64];

			if (!option_has(&option_table[i], (enum command)c))
				continue;
			options++;
			snprintf(name, sizeof(name), " --%s%s%s", option_table[i].name,
				 option_table[i].value ? " " : "",
				 option_table[i].value ? option_table[i].value : "");
			shown += strstr(text, name) != NULL;
		}
		assert_true(options > 2);
		assert_int_equal(shown, options);
		for (char *l = strtok(text, "\n"); l; l = strtok(NULL, "\n"))
			if (strlen(l) > 80)
				fail_msg("%s: %zu columns: %s", line, strlen(l), l);
	}
	/* Help goes before what follows it and after what stands before it. */
	assert_non_null(strstr(printed("stat -a -h -I bad", PARSED_DONE), "--interval MS"));
	assert_string_equal(printed("stat -I bad -h", PARSED_ERROR), "");
}

static void test_version(void **state)
{
	(void)state;
	assert_string_equal(printed("--version", PARSED_DONE), "clocktop " CLOCKTOP_VERSION "\n");
	assert_string_equal(printed("stat -V", PARSED_DONE), "clocktop " CLOCKTOP_VERSION "\n");
}

/* No two options of a command share a name or a letter. */
static void test_table(void **state)
{
	(void)state;
	for (size_t i = 0; i < nr_options; i++)
		for (size_t k = i + 1; k < nr_options; k++) {
			const struct option_entry *a = &option_table[i], *b = &option_table[k];

			if (!(a->commands & b->commands))
				continue;
			assert_string_not_equal(a->name, b->name);
			assert_true(!a->letter || a->letter != b->letter);
		}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_defaults),
	    cmocka_unit_test(test_shared),
	    cmocka_unit_test(test_events),
	    cmocka_unit_test(test_words),
	    cmocka_unit_test(test_top),
	    cmocka_unit_test(test_stat),
	    cmocka_unit_test(test_why_check_bench),
	    cmocka_unit_test(test_help),
	    cmocka_unit_test(test_version),
	    cmocka_unit_test(test_table),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
