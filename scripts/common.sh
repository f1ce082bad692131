# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
#
# What scripts/run and scripts/test share: the packages and the build.  Writes
# to standard error only; standard output belongs to what is run.

top=$(readlink -f "${BASH_SOURCE[0]%/*}/..")

say() {
	printf '%s: %s\n' "scripts/${0##*/}" "$*" >&2
}

# The names in the given sections of scripts/packages.
packages_in() {
	local section='' name rest
	while read -r name rest; do
		case $name in
		'' | '#'*) ;;
		'['*) section=${name//[\[\]]/} ;;
		*) [[ " $* " != *" $section "* ]] || printf '%s\n' "$name" ;;
		esac
	done <"$top/scripts/packages"
}

# Installs what is missing of the given sections.  On a system without dpkg
# it does nothing: the build then says what it lacks.
install_missing() {
	local names missing out
	command -v dpkg-query >/dev/null || return 0
	mapfile -t names < <(packages_in "$@")
	missing=$(comm -23 <(printf '%s\n' "${names[@]}" | sort -u) \
		<(dpkg-query -W -f '${db:Status-Status} ${Package}\n' "${names[@]}" 2>/dev/null |
			sed -n 's/^installed //p' | sort -u))
	[ -n "$missing" ] || return 0
	mapfile -t names <<<"$missing"
	if [ "$EUID" != 0 ]; then
		say "needs packages that are not installed (${names[*]}). Run: sudo scripts/${0##*/}"
		return 1
	fi
	say "installing ${names[*]}"
	if ! out=$( (apt-get update && DEBIAN_FRONTEND=noninteractive apt-get install \
		--yes --no-install-recommends -o DPkg::Lock::Timeout=300 "${names[@]}") \
		</dev/null 2>&1); then
		printf '%s\n' "$out" >&2
		say "cannot install the packages: see above"
		return 1
	fi
}

# as_owner PATH COMMAND…: runs COMMAND as the owner of PATH, so that sudo
# leaves nothing of root's in a user's clone.
as_owner() {
	local ids drop=()
	read -ra ids < <(stat -c '%u %g' "$1")
	if [ "$EUID" = 0 ] && [ "${ids[0]}" != 0 ]; then
		drop=(setpriv --reuid="${ids[0]}" --regid="${ids[1]}" --clear-groups env -u HOME --)
		# An owner who cannot reach the path builds nothing there.
		"${drop[@]}" test -w "$1" || drop=()
	fi
	"${drop[@]}" "${@:2}"
}

# build DIR TARGET [CMAKE-OPTION…]: configures $top/DIR if it has not been, and
# brings TARGET up to date.  Quiet unless it fails.
build() {
	local dir=$top/$1 target=$2 lock out
	shift 2
	[ -d "$dir" ] || as_owner "$top" mkdir "$dir" || return
	if ! [ -w "$dir" ]; then
		say "$dir belongs to another user. Run: sudo scripts/${0##*/}"
		return 1
	fi
	exec {lock}<"$dir"
	flock "$lock"
	# A cache of another place (a clone that was moved) is of no use.
	if ! [ -f "$dir/build.ninja" ] ||
		! grep -qxF "CMAKE_HOME_DIRECTORY:INTERNAL=$top" "$dir/CMakeCache.txt"; then
		say "building in $dir"
		out=$(as_owner "$dir" cmake --fresh -G Ninja -S "$top" -B "$dir" "$@" </dev/null 2>&1) || {
			printf '%s\n' "$out" >&2
			return 1
		}
	fi
	out=$(as_owner "$dir" ninja -C "$dir" "$target" </dev/null 2>&1) || {
		printf '%s\n' "$out" >&2
		return 1
	}
	exec {lock}<&-
}
