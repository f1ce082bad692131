#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
#
# cmake --install puts things where they belong, and the program alone is
# enough to run elsewhere.

load helper

setup_file() {
	cmake --install "$WORKLOADS/.." --prefix "$BATS_FILE_TMPDIR/prefix" >"$BATS_FILE_TMPDIR/log"
}

@test "the program, the manual page and the completions" {
	cd "$BATS_FILE_TMPDIR/prefix"
	[ -x sbin/clocktop ]
	[ -s share/man/man8/clocktop.8 ]
	[ -s share/bash-completion/completions/clocktop ]
}

@test "the program alone runs elsewhere" {
	local away=$BATS_TEST_TMPDIR/away
	mkdir "$away"
	mv "$BATS_FILE_TMPDIR/prefix/sbin/clocktop" "$away/"
	cd "$away"
	# With the build out of sight.
	unshare --mount sh -c 'mount -t tmpfs tmpfs "$1" && shift && exec "$@"' sh \
		"$(dirname "$CLOCKTOP")" ./clocktop stat --csv "$CSV" -- sleep 0.1 2>"$ERR"
	sums comm
	[ "$(sums)" -gt 0 ]
}

@test "the manual page has no mistakes" {
	run -0 --separate-stderr groff -Kutf8 -man -ww -z "$BATS_FILE_TMPDIR/prefix/share/man/man8/clocktop.8"
	equal "${stderr:-}" ''
}
