// SPDX-License-Identifier: GPL-2.0-only
/* The command line: the one line that each mistake is answered with. */
#include "options_line.h"

static void parse_bad(const char *line, const char *expected)
{
	struct options o;

	if (parse(&o, line) != PARSED_ERROR)
		fail_msg("%s: accepted", line);
	assert_string_equal(said, expected);
	options_free(&o);
}

static void test_bad_numbers(void **state)
{
	const char *bad[] = {"zero", "",    "0",  "0.09", "-1", "+1",	 "1e3", "0x10",
			     "nan",  "inf", "1s", "1 ",	  ".",	"1.2.3", "1,5"};
	const char *bad_count[] = {"",
				   "0",
				   "-1",
				   "+1",
				   "1.0",
				   "1e3",
				   "0x1",
				   "1k",
				   "9223372036854775808",
				   "18446744073709551617"};
	struct options o;
	char expected[256];

	(void)state;
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		char *argv[] = {"clocktop", "-d", (char *)bad[i], NULL};

		said[0] = '\0';
		snprintf(expected, sizeof(expected),
			 "--delay: \"%s\" is not a number of seconds (0.1 or more). "
			 "See clocktop --help\n",
			 bad[i]);
		assert_int_equal(options_parse(&o, 3, argv), PARSED_ERROR);
		assert_string_equal(said, expected);
		options_free(&o);
	}
	for (size_t i = 0; i < sizeof(bad_count) / sizeof(bad_count[0]); i++) {
		char *argv[] = {"clocktop", "-n", (char *)bad_count[i], NULL};

		said[0] = '\0';
		snprintf(expected, sizeof(expected),
			 "--iterations: \"%s\" is not a whole number (1 or more). "
			 "See clocktop --help\n",
			 bad_count[i]);
		assert_int_equal(options_parse(&o, 3, argv), PARSED_ERROR);
		assert_string_equal(said, expected);
		options_free(&o);
	}
	parse_bad("-d 1000000001",
		  "--delay: \"1000000001\" is too many seconds (1000000000 or less). "
		  "See clocktop --help\n");
	parse_bad("stat -I 9",
		  "--interval: \"9\" is not a whole number of milliseconds (10 or more). "
		  "See clocktop stat --help\n");
	parse_bad("stat --timeout 1.5",
		  "--timeout: \"1.5\" is not a whole number of milliseconds (10 or more). "
		  "See clocktop stat --help\n");
	parse_bad("stat --interval-count 0 -I 10",
		  "--interval-count: \"0\" is not a whole number (1 or more). "
		  "See clocktop stat --help\n");
	parse_bad("--min-rate -5",
		  "--min-rate: \"-5\" is not a number of calls a second (0 or more). "
		  "See clocktop --help\n");
	parse_bad("check --max-rate many",
		  "--max-rate: \"many\" is not a number of calls a second (0 or more). "
		  "See clocktop check --help\n");
	parse_bad("check --max-rate 1 --duration 0",
		  "--duration: \"0\" is not a number of seconds (0.1 or more). "
		  "See clocktop check --help\n");
	parse_bad("bench --seconds x", "--seconds: \"x\" is not a number of seconds (0.1 or more). "
				       "See clocktop bench --help\n");
}

static void test_bad_lists(void **state)
{
	(void)state;
	parse_bad("-p x1", "--pid: \"x1\" is not a process id. See clocktop --help\n");
	parse_bad("-p 100,,200", "--pid: \"\" is not a process id. See clocktop --help\n");
	parse_bad("-p 100,", "--pid: \"\" is not a process id. See clocktop --help\n");
	parse_bad("-p 0", "--pid: \"0\" is not a process id. See clocktop --help\n");
	parse_bad("-p -100", "--pid: \"-100\" is not a process id. See clocktop --help\n");
	parse_bad("-p 4294967396",
		  "--pid: \"4294967396\" is not a process id. See clocktop --help\n");
	parse_bad("stat -p 100,300", "--pid: there is no process 300. See clocktop stat --help\n");
	parse_bad("-p 101", "--pid: 101 is a thread of process 100; name that. "
			    "See clocktop --help\n");
	parse_bad("why 300", "PID: there is no process 300. See clocktop why --help\n");
	parse_bad("why java", "PID: \"java\" is not a process id. See clocktop why --help\n");
	parse_bad("-u root,no-such-user", "--user: there is no user \"no-such-user\". "
					  "See clocktop --help\n");
	parse_bad("-u root,", "--user: there is no user \"\". See clocktop --help\n");
	parse_bad("-u 4294967295",
		  "--user: there is no user \"4294967295\". See clocktop --help\n");
	parse_bad("stat -c (", "--comm: \"(\" is not a regular expression (Unmatched ( or \\(). "
			       "See clocktop stat --help\n");
	parse_bad("-e time,open", "--event: \"open\" is no clock syscall (gettimeofday, time, "
				  "clock_gettime, clock_getres, clock_gettime64, "
				  "clock_getres_time64). See clocktop --help\n");
	parse_bad("-e tim", "--event: \"tim\" is no clock syscall (gettimeofday, time, "
			    "clock_gettime, clock_getres, clock_gettime64, "
			    "clock_getres_time64). See clocktop --help\n");
	parse_bad("-s name",
		  "--sort: \"name\" is none of the words it knows (rate, total, cpu, pid, "
		  "user, command, clock, cause). See clocktop --help\n");
	parse_bad("stat -g user", "--group: \"user\" is none of the words it knows (process, "
				  "command, container). See clocktop stat --help\n");
	parse_bad("bench --cpus 1-0", "--cpus: \"1-0\" is not a CPU or a range of CPUs (as in "
				      "0-3,5). See clocktop bench --help\n");
	parse_bad("bench --cpus 0-", "--cpus: \"0-\" is not a CPU or a range of CPUs (as in "
				     "0-3,5). See clocktop bench --help\n");
	parse_bad("bench --threads 1,0",
		  "--threads: \"0\" is not a number of threads (1 to 10000). "
		  "See clocktop bench --help\n");
	parse_bad("bench memory", "bench: \"memory\" is no experiment (clock, threads, cache, "
				  "sleep). See clocktop bench --help\n");
}

static void test_bad_cpu(void **state)
{
	long most = sysconf(_SC_NPROCESSORS_CONF) - 1;
	char expected[128];

	(void)state;
	snprintf(expected, sizeof(expected),
		 "--cpus: there is no CPU 4000000000 (0 to %ld). See clocktop bench --help\n",
		 most);
	parse_bad("bench --cpus 0-4000000000", expected);
}

static void test_bad_usage(void **state)
{
	(void)state;
	parse_bad("--nonsense=3", "--nonsense: unknown option. See clocktop --help\n");
	parse_bad("-bZ", "-Z: unknown option. See clocktop --help\n");
	parse_bad("stat -d 1", "-d: an option of clocktop top, not of clocktop stat. "
			       "See clocktop stat --help\n");
	parse_bad("--interval 10", "--interval: an option of clocktop stat, not of clocktop top. "
				   "See clocktop --help\n");
	parse_bad("--del 1", "--del: unknown option. See clocktop --help\n");
	parse_bad("-d", "--delay: it needs SECONDS after it. See clocktop --help\n");
	parse_bad("stat --output", "--output: it needs FILE after it. See clocktop stat --help\n");
	parse_bad("--batch=yes", "--batch: it takes no value. See clocktop --help\n");
	parse_bad("--csv=", "--csv: FILE is empty. See clocktop --help\n");
	parse_bad("-d 2 stat", "stat: a command comes before all options. See clocktop --help\n");
	parse_bad("start", "\"start\" is no command. See clocktop --help\n");
	parse_bad("-- -b", "\"-b\" is no command. See clocktop --help\n");
	parse_bad("check now", "\"now\" is one word too many. See clocktop check --help\n");
	parse_bad("bench clock cache",
		  "\"cache\" is one word too many. See clocktop bench --help\n");
	parse_bad("--csv - --json -", "--json: standard output is taken by --csv already. "
				      "See clocktop --help\n");
	parse_bad("why --csv a --json a", "--json: its file is that of --csv. "
					  "See clocktop why --help\n");
	parse_bad("stat --json - -o -", "--output: standard output is taken by --json already. "
					"See clocktop stat --help\n");
	parse_bad("stat -a -p 100", "--all-cpus: it cannot go with --pid: it is the whole host. "
				    "See clocktop stat --help\n");
	parse_bad("stat --interval-count 2", "--interval-count: it needs --interval. "
					     "See clocktop stat --help\n");
	parse_bad("stat --append", "--append: it needs --output FILE. See clocktop stat --help\n");
	parse_bad("check --duration 2", "--duration: it needs --max-rate. "
					"See clocktop check --help\n");
	/* The first error ends it: one line. */
	parse_bad("-d zero -n zero", "--delay: \"zero\" is not a number of seconds (0.1 or more). "
				     "See clocktop --help\n");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_bad_numbers),
	    cmocka_unit_test(test_bad_lists),
	    cmocka_unit_test(test_bad_cpu),
	    cmocka_unit_test(test_bad_usage),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
