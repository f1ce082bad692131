#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only
"""Checks where strace saw clock syscalls come from.

    frames.py TRACE COUNT FRAME

TRACE is of strace -f -k.  There must be COUNT calls, and the first line of
each stack trace must hold FRAME; "none" is for code that lies in no file.
"""
import re
import sys

CALL = re.compile(
    r"\d+ +(?P<head>(?:gettimeofday|time|clock_gettime|clock_getres)\(.*)"
)
RESUMED = re.compile(
    r"\d+ +<\.\.\. (?:gettimeofday|time|clock_gettime|clock_getres) resumed>"
)


def frames(lines):
    """The first frame of each call, "" for none; threads' lines interleave
    only between a call and its end, for which strace keeps them apart."""
    waiting = False
    for line in lines:
        call = CALL.match(line)
        if call and "<unfinished ...>" in line:
            continue
        if call or RESUMED.match(line):
            if waiting:
                yield ""
            waiting = True
        elif waiting and line.startswith(" > "):
            yield "" if "unexpected_backtracing" in line else line.strip()
            waiting = False
        elif waiting:
            yield ""
            waiting = False
    if waiting:
        yield ""


def main():
    path, count, expected = sys.argv[1:]
    with open(path, encoding="utf-8", errors="replace") as file:
        seen = list(frames(file))
    # A call that its caller did not survive has no end.
    if len(seen) != int(count):
        sys.exit(f"{len(seen)} calls, not {count}")
    for frame in seen:
        if expected == "none" if frame else expected != "none":
            sys.exit(f"a call comes from {frame or 'nowhere'}, not {expected}")
        if frame and expected not in frame:
            sys.exit(f"a call comes from {frame}, not {expected}")


if __name__ == "__main__":
    main()
