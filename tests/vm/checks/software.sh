#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Real programs on a host with a bad clocksource, as Debian installs them, each
# counted by clocktop and by strace in one run.
# shellcheck source=../guest/lib.sh
. "$VM/guest/lib.sh"

SOFTWARE=$VM/software
CALLS=clock_gettime,gettimeofday,time,clock_getres

# compare NAME COMM LEAST CUT: the records of COMM in counts.csv against
# strace's summary in strace.out: equal for each syscall, at least LEAST in all,
# and no cause but clocksource for what reads the counter.  When a process ends,
# the kernel can cut its other threads off between a call and its report to
# strace: up to CUT calls of them may be missing there.
compare() {
	awk '$4 ~ /^[0-9]+$/ && $NF != "total" { print $NF, $4 }' strace.out | sort > expected
	awk -F, -v comm="$2" 'NF == 18 && $6 == comm { sum[$9] += $14 }
		END { for (name in sum) print name, sum[name] }' counts.csv | sort > got
	sum=$(awk '{ sum += $2 } END { print sum + 0 }' got)
	awk -F, -v comm="$2" 'NF == 18 && $6 == comm && $17 != "clocksource" && $17 != "clock-id"' \
		counts.csv > others
	if ! awk -v cut="$4" 'NR == FNR { want[$1] = $2; next }
		{ more = $2 - want[$1]; sum += more; if (more < 0) bad = 1; delete want[$1] }
		END { for (name in want) bad = 1; exit bad || sum > cut }' expected got; then
		diff -u expected got | sed 1,2d | fail "$1: strace and clocktop agree"
	elif [ "$sum" -lt "$3" ]; then
		fail "$1: makes at least $3 clock syscalls" < got
	elif [ -s others ]; then
		fail "$1: the cause is the clocksource" < others
	else
		pass "$1: $sum clock syscalls, as strace counts them; cause clocksource"
		echo $(($(cat "$COUNTED") + sum)) > "$COUNTED"
	fi
}

# software NAME COMM LEAST CUT COMMAND [ARG…]
software() {
	name=$1 comm=$2 least=$3 cut=$4
	shift 4
	echo "$(cut -d" " -f1 /proc/uptime) $name: $*"
	if "$CLOCKTOP" stat --csv counts.csv -o summary -- \
		strace -f -c -e trace=$CALLS -o strace.out "$@" > out 2>&1; then
		compare "$name" "$comm" "$least" "$cut"
	else
		fail "$name: runs" < out
	fi
}

# Redis answers 200 requests while it is counted.
requests() {
	tries=0
	until redis-cli -s redis.sock ping; do
		tries=$((tries + 1))
		[ $tries -lt 300 ] || return
		sleep 0.2
	done
	redis-cli -s redis.sock -r 200 incr reads
	redis-cli -s redis.sock shutdown nosave
}

clocksource hpet || exit
software python3 python3 1500 0 /usr/bin/python3 "$SOFTWARE/reads.py"
software php php 1000 0 php "$SOFTWARE/reads.php"
software go reads-go 1000 4 "$BIN/reads-go"
software java java 1000 4 java -Xshare:auto -Xint -XX:+UseSerialGC -cp "$BIN" Reads 500
software pg_test_timing pg_test_timing 50 0 "$(echo /usr/lib/postgresql/*/bin/pg_test_timing)" -d 1

requests > /dev/null 2>&1 &
software redis redis-server 200 4 redis-server --port 0 --unixsocket redis.sock --save '' --dir .
wait
