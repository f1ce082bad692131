// SPDX-License-Identifier: GPL-2.0-only

// Reads the clock as Go programs do: time.Now reads two clocks at once.
package main

import (
	"fmt"
	"time"
)

func main() {
	var last time.Time
	for i := 0; i < 500; i++ {
		last = time.Now()
	}
	fmt.Println(last.IsZero())
}
