<?php
// SPDX-License-Identifier: GPL-2.0-only
// Reads the clock as PHP programs do.
for ($i = 0; $i < 500; $i++) {
	microtime(true);
	hrtime(true);
}
