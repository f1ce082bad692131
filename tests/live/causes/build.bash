# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
#
# Builds the collection's programs, from SOURCES (this folder) into B.

build_all() {
	local calls=$SOURCES/../../workloads/calls.c plain=$SOURCES/plain.c
	gcc -O1 -o "$B/plain" "$plain"
	gcc -O1 -static -o "$B/plain-static" "$plain"
	musl-gcc -O1 -o "$B/plain-musl" "$plain"
	musl-gcc -O1 -static -o "$B/plain-musl-static" "$plain"
	klcc -shared -o "$B/plain-klibc" "$plain"
	klcc -static -o "$B/plain-klibc-static" "$plain"
	gcc -O1 -D_GNU_SOURCE -static -pthread -o "$B/calls-static" "$calls"
	strip -o "$B/calls-stripped" "$B/calls-static"
	musl_headers
	musl-gcc -O1 -D_GNU_SOURCE -idirafter "$B/kernel" -o "$B/calls-musl" "$calls"
	gcc -O1 -D_GNU_SOURCE -shared -fPIC -o "$B/shim.so" "$SOURCES/shim.c"
	gcc -O1 -D_GNU_SOURCE -shared -fPIC -DINNOCENT -o "$B/innocent.so" "$SOURCES/shim.c"
	javac -d "$B" "$SOURCES/Reads.java"
	export GOCACHE=$B/go GO111MODULE=off
	go build -o "$B/reads-go" "$SOURCES/reads.go"
	go build -ldflags '-s -w' -o "$B/reads-go-stripped" "$SOURCES/reads.go"
}

# musl-gcc leaves out the kernel's headers with the other libc's.
musl_headers() {
	mkdir "$B/kernel"
	ln -s /usr/include/linux /usr/include/asm-generic "$B/kernel"
	ln -s "/usr/include/$(uname -m)-linux-gnu/asm" "$B/kernel"
}
