#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
#
# Nobody reads the terminal or the pipe, or Ctrl-S stopped it: counting goes on,
# and a signal ends it nevertheless (stuck.py).

load helper

# stuck CASE
stuck() {
	mkdir "$BATS_TEST_TMPDIR/files"
	"$BATS_TEST_DIRNAME/stuck.py" "$CLOCKTOP" "$BATS_TEST_TMPDIR/files" "$1" |
		tee "$BATS_TEST_TMPDIR/told"
	equal "$(tail -n 1 "$BATS_TEST_TMPDIR/told")" OK
}

@test "the live screen on a terminal that is full from the start" {
	stuck screen_from_the_start
}

@test "the live screen on a terminal that nobody reads any more" {
	stuck screen_later
}

@test "the live screen on a terminal with room for half a picture" {
	stuck screen_picture
}

@test "the live screen on a terminal that Ctrl-S stopped" {
	stuck screen_stopped
}

@test "text to a terminal that nobody reads" {
	stuck text
}

@test "text to a terminal that Ctrl-S stopped" {
	stuck text_stopped
}

@test "text and messages to a pipe that is full" {
	stuck pipe
}
