# SPDX-License-Identifier: GPL-2.0-only
"""Reads the clock as Python programs do, 500 times each way."""
import datetime
import time

for _ in range(500):
    time.time()
    time.monotonic()
    datetime.datetime.now()
