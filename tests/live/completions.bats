#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
#
# What the shells complete, asked of the shells themselves, and that the files
# are installed where these look for them.

load helper

DOCS=$WORKLOADS/../docs

# in_bash WORD…: what bash offers for the last word.
in_bash() {
	bash --norc --noprofile -c '
		source "$0"
		compopt() { :; } # only works while bash completes
		COMP_WORDS=("$@") COMP_CWORD=$(($# - 1))
		_clocktop
		[ ${#COMPREPLY[@]} = 0 ] || printf "%s\n" "${COMPREPLY[@]}" | sort
	' "$DOCS/clocktop.bash" "$@"
}

# in_fish LINE: the same of fish, without the descriptions.
in_fish() {
	fish --no-config -c "source '$DOCS/clocktop.fish'; complete -C '$1'" | cut -f1 | sort
}

# in_zsh LINE: the arguments of clocktop after zsh completed the line where it
# says TAB.
in_zsh() {
	timeout 60 zsh -f -o extended_glob "$BATS_TEST_DIRNAME/complete.zsh" "$DOCS" "$1"
}

@test "bash: commands, options and their values" {
	equal "$(in_bash clocktop '' | xargs)" "bench check stat top why"
	equal "$(in_bash clocktop st)" "stat"
	equal "$(in_bash clocktop --i)" "--iterations"
	equal "$(in_bash clocktop stat --int | xargs)" "--interval --interval-count"
	equal "$(in_bash clocktop check -- | xargs)" "--duration --help --max-rate --version"
	equal "$(in_bash clocktop -s c | xargs)" "cause clock command cpu"
	equal "$(in_bash clocktop --sort = cl)" "clock"
	equal "$(in_bash clocktop stat -g '' | xargs)" "command container process"
	equal "$(in_bash clocktop stat -e time,clock_getr | xargs)" \
		"time,clock_getres time,clock_getres_time64"
	equal "$(in_bash clocktop -u roo)" "root"
	equal "$(in_bash clocktop why $$ | grep -x $$)" "$$"
	equal "$(in_bash clocktop -p 1,$$ | grep -x "1,$$")" "1,$$"
	equal "$(in_bash clocktop bench '' | xargs)" "cache clock sleep threads"
	equal "$(in_bash clocktop -d '')" ""
	touch "$BATS_TEST_TMPDIR/a b"
	equal "$(in_bash clocktop stat -o "$BATS_TEST_TMPDIR/a")" "$BATS_TEST_TMPDIR/a b"
}

@test "bash: COMMAND of stat is completed as a command" {
	equal "$(in_bash clocktop stat -I 100 bat | sort -u | grep -x bats)" "bats"
	equal "$(in_bash clocktop stat -aH -- bat | sort -u | grep -x bats)" "bats"
	touch "$BATS_TEST_TMPDIR/file"
	equal "$(in_bash clocktop stat ls "$BATS_TEST_TMPDIR/f")" "$BATS_TEST_TMPDIR/file"
	# an option of COMMAND is none of clocktop's
	equal "$(in_bash clocktop stat ls --int)" ""
}

@test "fish: commands, options and their values" {
	equal "$(in_fish 'clocktop ' | xargs)" "bench check stat top why"
	equal "$(in_fish 'clocktop --it')" "--iterations"
	equal "$(in_fish 'clocktop stat --int' | xargs)" "--interval --interval-count"
	equal "$(in_fish 'clocktop check --' | xargs)" "--duration --help --max-rate --version"
	equal "$(in_fish 'clocktop -s c' | xargs)" "cause clock command cpu"
	equal "$(in_fish 'clocktop stat -e time,clock_getr' | xargs)" \
		"time,clock_getres time,clock_getres_time64"
	equal "$(in_fish 'clocktop -u roo')" "root"
	equal "$(in_fish "clocktop why $$" | grep -x $$)" "$$"
	equal "$(in_fish 'clocktop bench ' | xargs)" "cache clock sleep threads"
	equal "$(in_fish 'clocktop stat -I 10 bat' | sort -u | grep -x bats)" "bats"
}

@test "zsh: commands, options and their values" {
	equal "$(in_zsh 'clocktop staTAB -I 5')" "<stat><-I><5>"
	equal "$(in_zsh 'clocktop --itTAB5')" "<--iterations=5>"
	equal "$(in_zsh 'clocktop stat --interval-cTAB5')" "<stat><--interval-count=5>"
	equal "$(in_zsh 'clocktop -s caTAB')" "<-s><cause>"
	equal "$(in_zsh 'clocktop stat -e gettTAB')" "<stat><-e><gettimeofday>"
	equal "$(in_zsh 'clocktop bench slTAB')" "<bench><sleep>"
	equal "$(in_zsh 'clocktop stat -I 10 unshaTAB')" "<stat><-I><10><unshare>"
}

@test "all is installed where it is looked for" {
	DESTDIR=$BATS_TEST_TMPDIR/root cmake --install "$WORKLOADS/.." --prefix /usr >"$ERR"
	equal "$(cd "$BATS_TEST_TMPDIR/root" && find . -type f | sort)" "\
./usr/sbin/clocktop
./usr/share/bash-completion/completions/clocktop
./usr/share/fish/vendor_completions.d/clocktop.fish
./usr/share/man/man8/clocktop.8
./usr/share/zsh/site-functions/_clocktop"
	equal "$("$BATS_TEST_TMPDIR/root/usr/sbin/clocktop" --version)" "$("$CLOCKTOP" --version)"
}

@test "the manual page has every option and no mistakes" {
	local page=$BATS_TEST_TMPDIR/page missing=

	mandoc -T lint -W warning "$DOCS/clocktop.8" | grep -v 'missing date' >"$ERR" || :
	equal "$(cat "$ERR")" ""
	mandoc -T ascii "$DOCS/clocktop.8" | sed "s/.$(printf '\b')//g" >"$page"
	[ "$(grep -o -- '--[a-z][a-z-]*' < <(for c in top stat why check bench; do
		"$CLOCKTOP" $c --help
	done) | sort -u | tee "$BATS_TEST_TMPDIR/options" | wc -l)" -gt 25 ]
	while read -r option; do
		grep -q -e "  $option" -e ", $option" "$page" || missing+=" $option"
	done <"$BATS_TEST_TMPDIR/options"
	equal "$missing" ""
}
