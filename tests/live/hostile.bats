#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
#
# Whoever names a process, a user, a cgroup or a file chooses bytes that
# clocktop prints as root.  They stay data: records parse to them, and no
# terminal obeys them.

load helper

JSON=$BATS_TEST_TMPDIR/records.json

# The kernel cuts names after 15 bytes: the one with Chinese in a character.
NAMES=(
	'' ',' '"' 'a,"b",c' $'two\nlines' $'\r\nhost' $'\e[2J\e[31m' $'\e]0;title\a'
	$'\u202egnp.exe' $'\u200b\u2066x' $'\xff\xfe' 'x中中中中中' '=1+1' '@SUM(A1)' '-1'
	' (x) R 1 1' $'\t' "';--" '%s%n' '$(id)' '\' $'\x9b31m' $'e\u0301' '{"pid":1}'
)

# Each of them makes its index + 1 calls.
run_names() {
	local i
	for i in "${!NAMES[@]}"; do
		"$WORKLOADS/calls" -n "${NAMES[i]}" $((i + 1)) gettime 2 raw
	done
}
export -f run_names

# What Python makes of them: invalid bytes replaced as Unicode recommends.
expected_names() {
	/usr/bin/python3 - "${NAMES[@]}" <<-'EOF'
		import os, sys
		for count, name in enumerate(sys.argv[1:], 1):
		    print(ascii(os.fsencode(name)[:15].decode("utf-8", "replace")), "'root'", count)
	EOF
}

# Bash runs the script with the names in its own process, so it is the parent
# of all of them and makes no clock syscalls itself.
script() {
	declare -p NAMES
	declare -f run_names
	echo run_names
}

# No byte that a terminal acts on, but newlines; valid UTF-8 without marks.
harmless() {
	/usr/bin/python3 - "$1" <<-'EOF'
		import sys, unicodedata
		text = open(sys.argv[1], "rb").read().decode("utf-8", "strict")
		bad = {c for c in text if unicodedata.category(c) in ("Cc", "Cf", "Zl", "Zp") and c != "\n"}
		sys.exit(f"harmful: {bad}" if bad else 0)
	EOF
}

@test "four foreign parsers read the same records" {
	script >"$BATS_TEST_TMPDIR/script"
	"$CLOCKTOP" stat --csv "$CSV" --json "$JSON" -I 50 -- \
		bash "$BATS_TEST_TMPDIR/script" 2>"$ERR"
	equal "$("$BATS_TEST_DIRNAME/foreign.py" "$CSV" "$JSON" | sort)" "$(expected_names | sort)"
}

@test "user names" {
	local passwd=$BATS_TEST_TMPDIR/passwd name uid=54321
	for name in '=x,"y"' $'\e[31mred' $'\xff\u202euser' "o'b" 'a b'; do
		printf '%s:x:%d:0:::\n' "$name" $((uid++)) >>"$passwd"
	done
	unshare --mount sh -c 'mount --bind "$1" /etc/passwd && shift && exec "$@"' - "$passwd" \
		"$CLOCKTOP" stat --csv "$CSV" --json "$JSON" -- sh -c '
			for uid in 54321 54322 54323 54324 54325 54326; do
				setpriv --reuid=$uid --clear-groups '"$WORKLOADS"'/calls 3 gettime 2 raw
			done' 2>"$ERR"
	equal "$("$BATS_TEST_DIRNAME/foreign.py" "$CSV" "$JSON" | sort)" \
		"$(printf "'calls' %s 3\n" '"o'"'b\"" "'54326'" "'=x,\"y\"'" "'\\x1b[31mred'" \
			"'\\ufffd\\u202euser'" "'a b'" | sort)"
}

@test "what is printed cannot act on a terminal" {
	local out=$BATS_TEST_TMPDIR/out
	script >"$BATS_TEST_TMPDIR/script"
	for group in command process; do
		"$CLOCKTOP" stat -I 50 -g $group -- bash "$BATS_TEST_TMPDIR/script" 2>"$out"
		harmless "$out"
		grep -qF '\e[2J\e[31m' "$out"
		grep -qF '=1+1' "$out"
	done
	"$CLOCKTOP" stat -x , -g process -o "$out" -- bash "$BATS_TEST_TMPDIR/script"
	harmless "$out"
	grep -qF '\e[2J\e[31m' "$out"
}
