// SPDX-License-Identifier: GPL-2.0-only

// Reads the clock so many times: "now", by time.Now; "raw", by a syscall of its
// own.
package main

import (
	"os"
	"strconv"
	"syscall"
	"time"
	"unsafe"
)

func main() {
	count, err := strconv.Atoi(os.Args[2])
	if err != nil {
		os.Exit(2)
	}
	var ts syscall.Timespec
	for i := 0; i < count; i++ {
		if os.Args[1] == "now" {
			ts.Sec += time.Now().Unix()
		} else {
			syscall.Syscall(syscall.SYS_CLOCK_GETTIME, 1, uintptr(unsafe.Pointer(&ts)), 0)
		}
		time.Sleep(5 * time.Millisecond)
	}
}
