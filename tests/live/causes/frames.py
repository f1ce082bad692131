#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only
"""Checks where strace saw clock syscalls come from.

    frames.py TRACE FRAME

TRACE is of strace -f -k.  With FRAME "silent" there must be no call; else
there must be some, and the first line of each one's stack trace must hold
FRAME; "none" is for code that lies in no file.
"""
import re
import sys

NAMES = "(?:gettimeofday|time|clock_gettime|clock_getres)"
CALL = re.compile(rf"\d+ +{NAMES}\(")
RESUMED = re.compile(rf"\d+ +<\.\.\. {NAMES} resumed>")


def frames(lines):
    """The first frame of each call, "" for none."""
    waiting = False
    for line in lines:
        begun = CALL.match(line) and "<unfinished ...>" not in line
        if waiting:
            known = line.startswith(" > ") and "unexpected_backtracing" not in line
            yield line.strip() if known else ""
        waiting = bool(begun or RESUMED.match(line))
    if waiting:
        yield ""


def main():
    path, expected = sys.argv[1:]
    with open(path, encoding="utf-8", errors="replace") as file:
        seen = list(frames(file))
    if bool(seen) == (expected == "silent"):
        sys.exit(f"{len(seen)} calls")
    for frame in seen:
        if (frame != "") == (expected == "none") or (frame and expected not in frame):
            sys.exit(f"a call comes from {frame or 'nowhere'}, not {expected}")


if __name__ == "__main__":
    main()
