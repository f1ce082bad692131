// SPDX-License-Identifier: GPL-2.0-only
#include "generate.h"

#include <stdio.h>

static void print_names(const struct option_entry *e, enum command command)
{
	(void)command;
	if (e->letter)
		printf(" -%c", e->letter);
	printf(" --%s", e->name);
}

/* The names of those that take a value. */
static void print_taking(const struct option_entry *e, enum command command)
{
	if (e->value)
		print_names(e, command);
}

/* How the value is completed: the name of a function of the script. */
static void print_value(const struct option_entry *e, enum command command)
{
	const char *name = command_table[command].name;

	if (!e->value)
		return;
	printf("\t");
	if (e->letter)
		printf("%s:-%c|", name, e->letter);
	printf("%s:--%s) ", name, e->name);
	switch (e->kind) {
	case OPTION_FILE:
		printf("_clocktop_files");
		break;
	case OPTION_PIDS:
		printf("_clocktop_list \"$(_clocktop_pids)\"");
		break;
	case OPTION_USERS:
		printf("_clocktop_list \"$(compgen -u)\"");
		break;
	case OPTION_EVENTS:
		printf("_clocktop_list \"");
		print_words(e->words, " ");
		printf("\"");
		break;
	case OPTION_WORD:
		printf("_clocktop_words \"");
		print_words(e->words, " ");
		printf("\"");
		break;
	default:
		printf(":"); /* a number or free text */
		break;
	}
	printf(" ;;\n");
}

static const char head[] =
    "# SPDX-License-Identifier: GPL-2.0-only\n"
    "# bash completion for clocktop; made from its table of options.\n"
    "\n"
    "_clocktop_words()\n"
    "{\n"
    "\tmapfile -t COMPREPLY < <(compgen -W \"$1\" -- \"$cur\")\n"
    "}\n"
    "\n"
    "# The last item of a list with commas in it.\n"
    "_clocktop_list()\n"
    "{\n"
    "\tlocal before=\n"
    "\t[[ $cur == *,* ]] && before=${cur%,*},\n"
    "\tcompopt -o nospace\n"
    "\tmapfile -t COMPREPLY < <(compgen -P \"$before\" -W \"$1\" -- \"${cur##*,}\")\n"
    "}\n"
    "\n"
    "_clocktop_pids()\n"
    "{\n"
    "\tlocal pid\n"
    "\tfor pid in /proc/[0-9]*; do\n"
    "\t\techo \"${pid#/proc/}\"\n"
    "\tdone\n"
    "}\n"
    "\n"
    "_clocktop_files()\n"
    "{\n"
    "\tcompopt -o filenames\n"
    "\tmapfile -t COMPREPLY < <(compgen -f -- \"$cur\")\n"
    "}\n"
    "\n"
    "# COMMAND of stat, which begins at word $1.\n"
    "_clocktop_run()\n"
    "{\n"
    "\tif declare -F _command_offset >/dev/null; then\n"
    "\t\t_command_offset \"$1\"\n"
    "\telif ((COMP_CWORD == $1)); then\n"
    "\t\tmapfile -t COMPREPLY < <(compgen -c -- \"$cur\")\n"
    "\telse\n"
    "\t\t_clocktop_files\n"
    "\tfi\n"
    "}\n"
    "\n";

void generate_bash(void)
{
	fputs(head, stdout);
	fputs("# Whether option $2 of command $1 takes a value.\n"
	      "_clocktop_takes()\n"
	      "{\n"
	      "\tlocal taking=\n"
	      "\tcase $1 in\n",
	      stdout);
	for (int c = 0; c < NR_COMMAND; c++) {
		printf("\t%s) taking=\"", command_table[c].name);
		each_option((enum command)c, print_taking);
		fputs("\" ;;\n", stdout);
	}
	fputs("\tesac\n"
	      "\t[[ \"$taking \" == *\" $2 \"* ]]\n"
	      "}\n"
	      "\n"
	      "# The value of option $2 of command $1.\n"
	      "_clocktop_value()\n"
	      "{\n"
	      "\tcase $1:$2 in\n",
	      stdout);
	for (int c = 0; c < NR_COMMAND; c++)
		each_option((enum command)c, print_value);
	fputs("\tesac\n"
	      "}\n"
	      "\n"
	      "_clocktop()\n"
	      "{\n"
	      "\tlocal cur=${COMP_WORDS[COMP_CWORD]} command=top at=1 option=\n"
	      "\tCOMPREPLY=()\n"
	      "\tcase ${COMP_WORDS[1]} in\n"
	      "\t",
	      stdout);
	for (int c = 0; c < NR_COMMAND; c++)
		printf("%s%s", c ? "|" : "", command_table[c].name);
	fputs(")\n"
	      "\t\tif ((COMP_CWORD > 1)); then\n"
	      "\t\t\tcommand=${COMP_WORDS[1]} at=2\n"
	      "\t\tfi\n"
	      "\t\t;;\n"
	      "\tesac\n"
	      "\t# The option whose value is typed, and where COMMAND begins.\n"
	      "\tfor (( ; at < COMP_CWORD; at++)); do\n"
	      "\t\tlocal word=${COMP_WORDS[at]}\n"
	      "\t\tif [[ -n $option ]]; then\n"
	      "\t\t\t[[ $word == = ]] || option= # bash makes --a=b three words\n"
	      "\t\telif [[ $word == -- && $command == stat ]]; then\n"
	      "\t\t\t_clocktop_run $((at + 1))\n"
	      "\t\t\treturn\n"
	      "\t\telif [[ $word == -?* ]]; then\n"
	      "\t\t\t_clocktop_takes \"$command\" \"$word\" && option=$word\n"
	      "\t\telif [[ $command == stat ]]; then\n"
	      "\t\t\t_clocktop_run \"$at\"\n"
	      "\t\t\treturn\n"
	      "\t\tfi\n"
	      "\tdone\n"
	      "\tif [[ -n $option ]]; then\n"
	      "\t\t[[ $cur == = ]] && cur=\n"
	      "\t\t_clocktop_value \"$command\" \"$option\"\n"
	      "\t\treturn\n"
	      "\tfi\n"
	      "\tif [[ $cur == -* ]]; then\n"
	      "\t\tcase $command in\n",
	      stdout);
	for (int c = 0; c < NR_COMMAND; c++) {
		printf("\t\t%s) _clocktop_words \"", command_table[c].name);
		each_option((enum command)c, print_names);
		fputs("\" ;;\n", stdout);
	}
	fputs("\t\tesac\n"
	      "\t\treturn\n"
	      "\tfi\n"
	      "\tcase $command in\n",
	      stdout);
	for (int c = 0; c < NR_COMMAND; c++)
		if (command_table[c].words) {
			printf("\t%s) _clocktop_words \"", command_table[c].name);
			print_words(command_table[c].words, " ");
			fputs("\" ;;\n", stdout);
		}
	fputs("\twhy) _clocktop_list \"$(_clocktop_pids)\" ;;\n"
	      "\tstat) _clocktop_run \"$COMP_CWORD\" ;;\n"
	      "\ttop)\n"
	      "\t\tif ((COMP_CWORD == 1)); then\n"
	      "\t\t\t_clocktop_words \"",
	      stdout);
	for (int c = 0; c < NR_COMMAND; c++)
		printf("%s%s", c ? " " : "", command_table[c].name);
	fputs("\"\n"
	      "\t\tfi\n"
	      "\t\t;;\n"
	      "\tesac\n"
	      "}\n"
	      "complete -F _clocktop clocktop\n",
	      stdout);
}
