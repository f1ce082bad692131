# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
#
# For the live tests of the screen: a terminal (tmux) to run clocktop in, and
# puppets (workloads/puppet.c) to show in it.  Loaded after helper.bash.

unset TMUX
ID=$$
NAMES="^p$ID" # every puppet's name begins so: -c shows no others
SOCKET=clocktop-$ID-$BATS_TEST_NUMBER
TERMINALS=0

# closed COMMAND…: without the puppets' strings: they end when those are let go.
closed() {
	local fd
	for fd in 3 "${PUPPET_IN[@]}" "${PUPPET_OUT[@]}"; do
		exec {fd}>&-
	done
	exec "$@"
}

in_tmux() {
	(closed tmux -u -L "$SOCKET" -f /dev/null "$@")
}

# puppet NAME [THREADS]: starts one, as p$ID NAME.
declare -gA PUPPET_IN PUPPET_OUT PUPPET_PID
puppet() {
	local to=$BATS_TEST_TMPDIR/$1.to from=$BATS_TEST_TMPDIR/$1.from name=$1 in out
	mkfifo "$to" "$from"
	closed "$WORKLOADS/puppet" "p$ID$name" "${2-0}" <"$to" >"$from" &
	PUPPET_PID[$name]=$!
	exec {in}>"$to" {out}<"$from"
	PUPPET_IN[$name]=$in
	PUPPET_OUT[$name]=$out
}

# tell NAME WORD…: has it do so, and waits until it is done.
tell() {
	local name=$1 answer
	shift
	printf '%s\n' "$*" >&"${PUPPET_IN[$name]}"
	read -r -t 30 -u "${PUPPET_OUT[$name]}" answer
	[ "$answer" = 'done' ]
}

# dismiss NAME: it ends.
dismiss() {
	local in=${PUPPET_IN[$1]} out=${PUPPET_OUT[$1]}
	exec {in}>&- {out}<&-
	wait "${PUPPET_PID[$1]}"
	unset "PUPPET_IN[$1]" "PUPPET_OUT[$1]"
}

# open_terminal WIDTH HEIGHT COMMAND…: runs it in a terminal, with the
# environment given as VAR=VALUE before it; notes the terminal's settings before
# and after, and its exit status.
open_terminal() {
	local size=(-x "$1" -y "$2")
	shift 2
	# One server may still be about to end when the next one is to start.
	SOCKET=clocktop-$ID-$BATS_TEST_NUMBER-$((++TERMINALS))
	printf '%q ' "$@" >"$BATS_TEST_TMPDIR/command"
	cat >"$BATS_TEST_TMPDIR/run" <<-END
		trap : INT # what Ctrl-C sends is for clocktop
		stty -g >"$BATS_TEST_TMPDIR/before"
		env $(cat "$BATS_TEST_TMPDIR/command")
		echo \$? >"$BATS_TEST_TMPDIR/status"
		stty -g >"$BATS_TEST_TMPDIR/after"
		echo it has ended
		exec cat
	END
	in_tmux new-session -d "${size[@]}" -c "$BATS_TEST_TMPDIR" \
		"sh $BATS_TEST_TMPDIR/run 2>$BATS_TEST_TMPDIR/stderr"
}

# screen WIDTH HEIGHT [VAR=VALUE…] [-- ARGUMENT…]: the live screen of puppets.
screen() {
	local size=("$1" "$2") before=()
	shift 2
	while [ $# -gt 0 ] && [ "$1" != -- ]; do
		before+=("$1")
		shift
	done
	shift || true
	open_terminal "${size[@]}" "${before[@]}" "$CLOCKTOP" -c "$NAMES" -d 0.2 "$@"
	soon shows 'clock syscalls +[0-9]'
}

# soon COMMAND…: eventually, for what takes a look at the terminal.
soon() {
	local deadline=$((SECONDS + 20))
	until "$@"; do
		[ "$SECONDS" -lt "$deadline" ] || return 1
		sleep 0.05
	done
}

keys() {
	in_tmux send-keys "$@"
}

# What the terminal shows.
shown() {
	in_tmux capture-pane -p
}

# shows PATTERN…: each is in some line.
shows() {
	local text
	text=$(shown)
	for pattern; do
		grep -qE -- "$pattern" <<<"$text" || return 1
	done
}

shows_not() {
	! shows "$1"
}

# see PATTERN…: they come; else says what there is instead.
see() {
	soon shows "$@" || {
		shown
		return 1
	} >&2
}

see_not() {
	soon shows_not "$1" || {
		shown
		return 1
	} >&2
}

# order: the puppets in the order of their rows.
order() {
	shown | grep -oE "p$ID[a-z]+" | sed "s/p$ID//" | tr '\n' ' '
}

has_order() {
	[ "$(order)" = "$1 " ]
}

see_order() {
	soon has_order "$1" || {
		shown
		return 1
	} >&2
}

# ended STATUS: it ends so, and leaves the terminal as it was.
ended() {
	soon shows '^it has ended$'
	equal "$(cat "$BATS_TEST_TMPDIR/status")" "$1"
	equal "$(cat "$BATS_TEST_TMPDIR/after")" "$(cat "$BATS_TEST_TMPDIR/before")"
	# the main screen is back, the cursor is there, and nothing looks odd
	equal "$(in_tmux display-message -p '#{alternate_on} #{cursor_flag}')" '0 1'
}

close_terminal() {
	local in
	in_tmux kill-server 2>/dev/null || [ $? = 1 ] # it may have ended
	for in in "${PUPPET_IN[@]}"; do
		exec {in}>&-
	done
	for name in "${!PUPPET_IN[@]}"; do
		wait "${PUPPET_PID[$name]}"
	done
}
