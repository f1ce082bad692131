# SPDX-License-Identifier: GPL-2.0-only
# Sourced by the scripts of this directory: where things lie.
# shellcheck shell=bash disable=SC2034 # its users use them

VM_DIR=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
REPO=$(cd "$VM_DIR/../.." && pwd)

# What was downloaded, kept between runs and outside the tree.
CACHE=${CLOCKTOP_CACHE:-${XDG_CACHE_HOME:-/var/cache}/clocktop-tests}

# What is built here.
BUILD=${CLOCKTOP_VM_BUILD:-$REPO/build-vm}

# The packages of each architecture that the tests need.  A name stands for
# its newest version; "NAME>" stands for the packages that NAME depends on.
declare -A PACKAGES=(
	[amd64]="linux-image-cloud-amd64> linux-image-6.12-cloud-amd64>"
	[arm64]="linux-image-cloud-arm64> linux-image-6.12-cloud-arm64> busybox-static
		libc6 libc6-dev linux-libc-dev libgcc-12-dev libgcc-s1
		libbpf-dev libelf-dev zlib1g-dev libncurses-dev libcap-dev"
	[armhf]="libc6 libc6-dev linux-libc-dev libgcc-12-dev libgcc-s1"
	[i386]="libc6 libc6-dev linux-libc-dev libgcc-12-dev libgcc-s1"
)

die() {
	printf '%s: %s\n' "${0##*/}" "$*" >&2
	exit 1
}

# kernel ARCH VERSION: the boot image of Debian's cloud kernel "6.1" or "6.12".
kernel() {
	local image found=()
	for image in "$CACHE/$1/root/boot/vmlinuz-$2".*; do
		[ -e "$image" ] && found+=("$image")
	done
	[ ${#found[@]} = 1 ] || die "no kernel $2 for $1 in $CACHE/$1/root/boot"
	echo "${found[0]}"
}
