#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
#
# The live screen, driven and read through tmux.

load helper
load terminal

teardown() {
	close_terminal
}

# TOTAL of a puppet's row is exact: every call it was told to make.
row() {
	printf ' p%s%s +%s +[0-9.,]+ +%s +%s ' "$ID" "$1" "$2" "$3" "$4"
}

@test "header, rows, totals and errors" {
	puppet a
	puppet b
	screen 100 24
	tell a 1234 2
	tell b 17 3
	tell b 5 99
	see "^clocktop  $(uname -n)  Linux $(uname -r)  up .* every 0\.2 s  ▶" \
		"^clocksource  $(cat /sys/devices/system/clocksource/clocksource0/current_clocksource)  (✓|✗)" \
		'^clock syscalls  [0-9,]+/s  [▁▂▃▄▅▆▇█]+  [0-9.]+ % of host  burning [~>][0-9.]+ of [0-9]+ CPU' \
		'^a read costs  [0-9]+ ns through the vDSO,  [0-9]+ ns as a syscall' \
		'^ *PID USER +COMMAND +CLOCK +RATE/s +TOTAL +ERR +CPU% +VIA +CAUSE' \
		"${PUPPET_PID[a]} root$(row a PROCESS_CPUTIME_ID 1,234 0)+[~0-9.?]+ direct" \
		"${PUPPET_PID[b]} root$(row b 'THREAD_CPUTIME_ID +\+1' 22 5)" \
		'^q quit  \? help'
	keys q
	ended 0
}

@test "moving: arrows, pages, Home and End; the selection stays with its process" {
	for name in a b c d e f g h i j k l; do
		puppet $name
		tell $name 1 2
	done
	screen 100 14 -- -s pid
	for name in a b c d e f g h i j k l; do
		tell $name 10 2
	done
	see '1/12$'
	keys Down
	see '2/12$'
	keys Down Down Up
	see '3/12$'
	keys NPage
	see '10/12$'
	keys End
	see '12/12$' "p${ID}l "
	keys PPage
	see '[4-9]/12$'
	keys Home
	see '1/12$' "p${ID}a "
	keys j k j
	see '2/12$'
	# b is selected, and stays so where the order puts it
	tell b 500000 2
	keys s s s s s s # user, command, clock, cause, rate, total
	see 'sorted by total'
	see ' 500,010 ' '(^|[^0-9])1/12$'
	keys Enter
	see "^Why p${ID}b, pid ${PUPPET_PID[b]}"
	keys Escape
	see_not '^Why'
	# Esc in the table lets go of it
	keys Down Down
	see '3/12$'
	keys Escape
	see '(^|[^0-9])1/12$'
}

@test "sorting and reversing" {
	puppet a
	puppet b
	puppet c
	screen 100 24
	tell a 10 3
	tell b 30 2
	tell c 20 4
	see "p${ID}a " "p${ID}b " "p${ID}c "
	keys s
	see 'sorted by total  '
	see_order 'b c a'
	keys r
	see 'sorted by total, reversed'
	see_order 'a c b'
	keys r
	see_order 'b c a'
	keys s
	see 'sorted by cpu'
	keys s
	see 'sorted by pid'
	see_order 'a b c'
	keys s
	see 'sorted by user'
	keys s
	see 'sorted by command'
	see_order 'a b c'
	keys r
	see_order 'c b a'
	keys r s
	see 'sorted by clock'
	see_order 'b a c'
	keys s
	see 'sorted by cause'
	keys s
	see 'sorted by rate'
	# at once, not with the next refresh
	keys Space
	see '  paused$'
	keys s
	see_order 'b c a'
	keys r
	see_order 'a c b'
	keys s s
	see_order 'c b a'
}

@test "filtering" {
	puppet abc
	puppet xyz
	screen 100 24 -- -s pid
	tell abc 10 2
	tell xyz 20 3
	see_order 'abc xyz'
	keys /
	see '^filter:$'
	keys -l xy
	see '^filter: xy$'
	see_order 'xyz'
	keys BSpace
	see '^filter: x$'
	keys -l q # no key, but a letter now
	see '^filter: xq$' 'Nothing matches the filter'
	keys BSpace Enter
	see '^filter: x  '
	see_order 'xyz'
	keys s
	see 'sorted by user'
	see_order 'xyz'
	# parts of clocks and causes are found too, whatever their case
	keys / C-u
	keys -l process_cpu
	see_order 'abc'
	keys Enter
	# what is hidden counts on
	tell xyz 1 3
	keys /
	see '^filter: process_cpu'
	keys Escape
	see_order 'abc xyz'
	see "$(row xyz THREAD_CPUTIME_ID 21 0)"
	see '^q quit'
}

@test "grouping keeps the sums, of the living and the exited" {
	puppet a
	puppet b
	puppet c
	screen 100 24
	tell a "name p${ID}same"
	tell b "name p${ID}same"
	tell a 10 2
	tell b 20 3
	tell c 5 2
	see "p${ID}same .* 10 +0 " "p${ID}same .* 20 +0 " "p${ID}c .* 5 +0 "
	keys g
	see 'a row stands for a command' '^PROCS USER' \
		"^ +2 root +p${ID}same +[A-Z_]+ \+1 +[0-9.,]+ +30 +0 "
	dismiss a
	see "^ +1 root +p${ID}same +[A-Z_]+ \+1 +[0-9.,]+ +30 +0 "
	dismiss b
	see "^ +0 root +p${ID}same +[A-Z_]+ \+1 +0 +30 +0 "
	keys g
	see 'a row stands for a container' '^PROCS USER +CONTAINER' '^ +1 root .* +35 +0 '
	keys g
	see 'a row stands for a process' '^ *PID USER' "p${ID}c .* 5 +0 "
	see_order c
}

@test "threads come and go, and totals stay right" {
	puppet a 2
	screen 100 24 -- --csv "$CSV"
	tell a 100 2
	tell a 20 2 1
	tell a 3 2 2
	see "$(row a PROCESS_CPUTIME_ID 123 0)"
	keys H
	see 'a row stands for a thread' '^ *PID +TID USER'
	see "${PUPPET_PID[a]} +${PUPPET_PID[a]} root +p${ID}a .* 100 +0 " \
		"${PUPPET_PID[a]} +[0-9]+ root +t1 .* 20 +0 " \
		"${PUPPET_PID[a]} +[0-9]+ root +t2 .* 3 +0 "
	tell a 1000 2 1
	see ' t1 .* 1,020 +0 '
	keys H
	see 'a row stands for a process'
	see "$(row a PROCESS_CPUTIME_ID 1,123 0)"
	keys H
	see ' t1 .* 1,020 +0 ' ' t2 .* 3 +0 '
	tell a 5 2
	see "p${ID}a .* 105 +0 "
	keys q
	ended 0
	# the file has processes, as the command line said
	equal "$(sums comm tid)" "p${ID}a  1128 0"
}

@test "what a thread does is not known before its first interval has ended" {
	puppet a 1
	screen 100 24
	tell a 20 2 1
	see "$(row a PROCESS_CPUTIME_ID 20 0)"
	keys d
	keys -l 60
	keys Enter
	see '^every 60 s'
	sleep 0.5 # a refresh that was planned before does not come any more
	keys H
	see ' t1 +PROCESS_CPUTIME_ID +- +20 +0 +- direct'
	keys Space # what is frozen knows no more
	see '  paused$' ' t1 +PROCESS_CPUTIME_ID +- +20 +0 +- direct'
	keys Space d
	keys -l 0.2
	keys Enter
	see ' t1 +PROCESS_CPUTIME_ID +0 +20 +0 +~0.0 direct'
	tell a 5 2 1
	see ' t1 +PROCESS_CPUTIME_ID +0 +25 +0 +~0.0 direct'
}

@test "the processes of -p end, and it goes on and says so" {
	puppet a
	puppet b
	screen 100 24 -- -p "${PUPPET_PID[a]},${PUPPET_PID[b]}" --csv "$CSV"
	tell a 10 2
	dismiss a
	tell b 10 2
	see "$(row b PROCESS_CPUTIME_ID 10 0)"
	see_not "p${ID}a "
	shows_not 'The processes of -p'
	dismiss b
	see '^The processes of -p have ended\. What they started is counted on\.$'
	local intervals
	intervals=$(grep -c ',host,' "$CSV")
	until [ "$(grep -c ',host,' "$CSV")" -gt "$((intervals + 2))" ]; do sleep 0.05; done
	keys q
	ended 0
}

@test "threads from the start" {
	puppet a 1
	screen 100 24 -- -H --csv "$CSV"
	tell a 10 2
	tell a 20 2 1
	see "p${ID}a .* 10 +0 " ' t1 .* 20 +0 '
	keys H
	see "$(row a PROCESS_CPUTIME_ID 30 0)"
	tell a 1 2 1
	see "$(row a PROCESS_CPUTIME_ID 31 0)"
	keys q
	ended 0
	equal "$(sums comm)" "$(printf 'p%sa 10 0\nt1 21 0' "$ID")"
}

@test "command lines" {
	puppet a 0
	screen 200 24
	tell a 10 2
	see "p${ID}a "
	keys c
	see 'full command lines' "/puppet p${ID}a 0 "
	tell a 1 2
	dismiss a
	keys c
	see_not '/puppet'
}

@test "pausing stops the display, not the counting" {
	puppet a
	puppet b
	screen 100 24 -- --csv "$CSV"
	tell a 10 2
	see "$(row a PROCESS_CPUTIME_ID 10 0)"
	keys Space
	see '  paused$'
	tell a 90 2
	tell b 7 2
	local header
	header=$(shown | head -n 4)
	# until the file has it, and a refresh later
	eventually grep -q "p${ID}b" "$CSV"
	sleep 1.2
	equal "$(shown | head -n 4)" "$header"
	shows '  paused$' "$(row a PROCESS_CPUTIME_ID 10 0)"
	shows_not "p${ID}b"
	in_tmux resize-window -x 110 -y 24
	see "sort .* save .* delay +1/1$"
	shows '  paused$'
	# the frozen rows can still be sorted, filtered and saved
	keys s
	see 'sorted by total' "$(row a PROCESS_CPUTIME_ID 10 0)"
	keys Space
	see '  ▶$' "$(row a PROCESS_CPUTIME_ID 100 0)" "$(row b PROCESS_CPUTIME_ID 7 0)"
	keys q
	ended 0
	equal "$(sums comm)" "$(printf 'p%sa 100 0\np%sb 7 0' "$ID" "$ID")"
}

@test "the delay" {
	screen 100 24
	see 'every 0\.2 s'
	keys d
	see '^delay in seconds:$'
	keys -l 0.35
	keys Enter
	see 'every 0\.350 s' '^every 0\.35 s'
	keys d
	keys -l 0.01
	keys Enter
	see '"0\.01" is not a number of seconds' 'every 0\.350 s'
	keys d Escape
	see 'every 0\.350 s'
	keys d
	keys -l 60
	keys Enter
	see '^every 60 s'
	# an answer does not wait for the next refresh
	keys q
	ended 0
}

@test "snapshots" {
	puppet a
	screen 100 24 -- --csv "$CSV"
	tell a 321 2
	see "$(row a PROCESS_CPUTIME_ID 321 0)"
	keys Space
	see paused
	keys w
	see 'wrote clocktop-[0-9]{8}T[0-9]{6}\.csv'
	# what was frozen is saved, whatever was counted since
	tell a 4 3
	eventually grep -q CLOCK_THREAD_CPUTIME_ID "$CSV"
	keys w
	see 'wrote clocktop-[0-9]{8}T[0-9]{6}-2\.csv'
	keys w
	see 'wrote clocktop-[0-9]{8}T[0-9]{6}-3\.csv'
	local files=("$BATS_TEST_TMPDIR"/clocktop-*.csv)
	equal "${#files[@]}" 3
	cmp "${files[0]}" "${files[1]}"
	cmp "${files[0]}" "${files[2]}"
	CSV=${files[0]} sums comm | run ! grep -v "^p${ID}a "
}

@test "the diagnosis, live" {
	puppet a
	screen 80 16
	tell a 10 2
	see "p${ID}a "
	keys Down Enter
	see "^Why p${ID}a, pid ${PUPPET_PID[a]}" "^p${ID}a, pid ${PUPPET_PID[a]}"
	tell a 10 3
	see 'THREAD_CPUTIME_ID'
	tell a 10 2
	see 'PROCESS_CPUTIME_ID'
	keys End
	see_not '^p[0-9]+a, pid'
	keys Home
	see "^p${ID}a, pid"
	keys NPage
	see_not '^p[0-9]+a, pid'
	keys PPage Down Up
	see "^p${ID}a, pid"
	keys Space
	see "^Why p${ID}a, pid ${PUPPET_PID[a]}  paused$"
	dismiss a
	sleep 1 # some refreshes, of which nothing shows
	shows "^Why p${ID}a, pid ${PUPPET_PID[a]}  paused$"
	keys Space
	see "^Why p${ID}a, pid ${PUPPET_PID[a]} \(exited\)$"
	keys Escape
	see '^ *PID USER'
	see_not '^Why'
}

@test "help" {
	screen 80 24
	keys '?'
	see '^clocktop [0-9.]+: help' '^Keys' 'q          quit'
	keys Down
	see_not '^Keys'
	keys Up
	see '^Keys'
	keys End
	see 'A process that exited keeps its row'
	keys Escape
	see '^ *PID USER'
	keys F1
	see '^Keys'
	keys q
	ended 0
}

@test "a process with several clocks opens up" {
	puppet a
	puppet b
	screen 100 24 -- -s pid
	tell a 10 2
	tell a 20 3
	tell a 40 99
	tell b 1 2
	see "p${ID}a +CLOCK\(99\) \+2" "p${ID}b +PROCESS_CPUTIME_ID"
	keys Right
	see '^ +clock_gettime .* CLOCK\(99\) .* 40 +40 ' '^ +clock_gettime .* THREAD_CPUTIME_ID .* 20 +0 ' \
		'^ +clock_gettime .* PROCESS_CPUTIME_ID .* 10 +0 ' '1/5$'
	keys Down Down
	see '3/5$'
	keys Left
	see '1/2$'
	see_not '^ +clock_gettime'
	keys e
	see '1/5$'
	keys e
	see '1/2$'
	keys Down Right
	see 'there is one kind of call only'
}

@test "what exited keeps its row until the next refresh" {
	puppet a
	screen 100 24 -- -d 2
	tell a 77 2
	dismiss a
	see "$(row a PROCESS_CPUTIME_ID 77 0)"
	see_not "p${ID}a"
}

@test "from 40x10 to 200x60, and back" {
	local name
	for name in a b c d e f g h i j k l m n o p q r s t u v w x y z; do
		puppet $name
		tell $name 1 2
	done
	screen 40 10 -- -s pid
	for name in a b c d e f g h i j k l m n o p q r s t u v w x y z; do
		tell $name 1000 2
	done
	see '^clocktop' '^clocksource' '^clock syscalls' '^ *PID COMMAND +CLOCK +RATE/s CAUSE' \
		"^ *[0-9]+ p${ID}a" '1/26$'
	shown | run ! grep -qE '.{41}'
	in_tmux resize-window -x 200 -y 60
	see "p${ID}z " ' VIA +CAUSE' 'every 0\.2 s  ▶$' 'd delay'
	equal "$(shown | grep -c "p$ID")" 26
	in_tmux resize-window -x 39 -y 10
	see '^clocktop needs 40x10, q quits$'
	equal "$(shown | grep -c .)" 1
	in_tmux resize-window -x 12 -y 2
	see '^clocktop nee'
	in_tmux resize-window -x 1 -y 1
	in_tmux resize-window -x 80 -y 24
	see "p${ID}a " ' VIA +CAUSE'
	keys q
	ended 0
}

@test "a new size shows at once" {
	screen 40 10 -- --csv "$CSV"
	until [ "$(grep -c ',host,' "$CSV")" -gt 20 ]; do sleep 0.05; done
	keys d
	keys -l 60
	keys Enter
	see '^every 60 s'
	shows_not '[▁▂▃▄▅▆▇█]{9}'
	in_tmux resize-window -x 200 -y 24
	see '[▁▂▃▄▅▆▇█]{20}' 'every 60\.0 s  ▶$'
}

@test "a terminal that does not know its size" {
	puppet a
	open_terminal 80 24 sh -c "stty rows 0 cols 0; $CLOCKTOP -d 0.2 -c $NAMES"
	see '^clock syscalls +[0-9]'
	tell a 5 2
	see "p${ID}a "
	keys q
	soon shows '^it has ended$'
	equal "$(cat "$BATS_TEST_TMPDIR/status")" 0
}

@test "colours, and NO_COLOR" {
	screen 80 24
	in_tmux capture-pane -p -e | grep -qE $'\e\\[[0-9;]*3[12]m'
	keys q
	ended 0
	in_tmux kill-server
	screen 80 24 NO_COLOR=1
	in_tmux capture-pane -p -e | run ! grep -qE $'\e\\[[0-9;]*[34][0-7]m'
	keys q
	ended 0
}

@test "a terminal without UTF-8" {
	puppet a
	screen 80 24 LC_ALL=C
	tell a 10 2
	see '^clocksource +[a-z_-]+ +(ok read|NOT OK)' '/s  [_.:=+*#-]+  ' "p${ID}a "
	shown | run ! grep -qP '[^\x00-\x7f]'
	keys '?'
	see '^Keys'
	shown | run ! grep -qP '[^\x00-\x7f]'
}

@test "terminals that cannot be drawn on get plain text" {
	local setting reason words
	while IFS='|' read -r setting reason; do
		read -ra words <<<"$setting"
		open_terminal 80 24 "${words[@]}" "$CLOCKTOP" -c "$NAMES" -n 1 -d 0.1
		soon shows '^it has ended$'
		shows '^clocktop +' '^clock syscalls' '^ *PID USER'
		equal "$(cat "$BATS_TEST_TMPDIR/status")" 0
		equal "$(cat "$BATS_TEST_TMPDIR/stderr")" "clocktop: $reason: plain text, as with --batch"
		in_tmux capture-pane -p -e | run ! grep -q $'\e'
		in_tmux kill-server
	done <<-END
		TERM=dumb|the terminal cannot place its cursor
		TERM=no-such-thing|TERM names a terminal that is not known here
		-u TERM|TERM is not set
	END
}

@test "no name moves the cursor" {
	puppet a
	screen 100 24
	tell a "name $(printf 'p%sa\e[2J\e[H' "$ID")"
	tell a 10 2
	see "p${ID}a"'\\e\[2J\\e' '^clocktop ' '^q quit'
	tell a "name $(printf 'p%s\u202e\xff' "$ID")"
	tell a 10 2
	see "p${ID}"'\\u202e\\xff'
	keys Down Enter
	see '^Why p[0-9]+\\u202e\\xff, pid' '^q quit  Esc back'
	keys Escape c /
	keys -l xff
	see '^filter: xff'
}

@test "signals end it, and the file is whole" {
	local signal pid
	puppet a
	for signal in INT TERM HUP; do
		open_terminal 80 24 "$CLOCKTOP" -c "$NAMES" -d 60 --csv "$CSV"
		see '^q quit'
		tell a 100 2
		pid=$(pgrep -f "^$CLOCKTOP -c .p$ID -d 60")
		kill -s $signal "$pid"
		ended 0
		equal "$(sums comm)" "p${ID}a 100 0"
		in_tmux kill-server
	done
}

@test "Ctrl-C ends it" {
	screen 80 24
	keys C-c
	ended 0
}

@test "Ctrl-Z stops it, and fg goes on" {
	puppet a
	in_tmux new-session -d -x 80 -y 24 "bash --norc"
	keys -l "$CLOCKTOP -d 0.2 -c $NAMES"
	keys Enter
	see '^clock syscalls +[0-9]'
	tell a 10 2
	see "$(row a PROCESS_CPUTIME_ID 10 0)"
	keys C-z
	see 'Stopped +'
	equal "$(in_tmux display-message -p '#{alternate_on} #{cursor_flag}')" '0 1'
	keys -l 'stty -a'
	keys Enter
	see ' icanon' ' echo '
	tell a 90 2
	keys -l fg
	keys Enter
	see "$(row a PROCESS_CPUTIME_ID 100 0)"
	see_not Stopped
	keys q
	see_not '^clocksource'
	keys -l 'stty -a; echo "status $?"'
	keys Enter
	see ' icanon' '^status 0'
}

# The shell says so at its next prompt.
is_done() {
	keys Enter
	shows 'Done +'
}

@test "what Ctrl-Z stopped can be killed as a job" {
	in_tmux new-session -d -x 80 -y 24 "bash --norc"
	keys -l "$CLOCKTOP -d 0.2 -c $NAMES"
	keys Enter
	see '^clock syscalls +[0-9]'
	keys C-z
	see 'Stopped +'
	keys -l 'kill %1'
	soon is_done
	keys -l 'stty -a'
	keys Enter
	see ' icanon' ' echo '
	equal "$(in_tmux display-message -p '#{alternate_on} #{cursor_flag}')" '0 1'
}

@test "standard input that is no terminal" {
	puppet a
	open_terminal 80 24 sh -c "$CLOCKTOP -d 0.2 -c $NAMES </dev/null"
	see '^clock syscalls +[0-9]'
	tell a 10 2
	see "$(row a PROCESS_CPUTIME_ID 10 0)"
	keys q
	ended 0
}

@test "it ends after so many refreshes" {
	screen 80 24 -- -n 5 --csv "$CSV"
	ended 0
	equal "$(grep -c ',host,' "$CSV")" 5
}
