#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only
"""Whoever should read what clocktop prints does not, and yet it ends when told.

    stuck.py CLOCKTOP DIRECTORY CASE

The cases are the functions named case_*.  Prints what was done; the last line
is OK.
"""
import fcntl
import os
import signal
import sys
import time

import ends
from ends import Run

ENDS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
JUNK = b"\r\n" * 512
SYS_WRITE = {"x86_64": "1", "aarch64": "64"}[os.uname().machine]
XOFF, XON = b"\x13", b"\x11"


def until(met, what):
    end = time.monotonic() + ends.PATIENCE
    while not met():
        if time.monotonic() > end:
            sys.exit(f"never came: {what}")
        time.sleep(0.01)


def write_all(fd, junk):
    """Returns how often it could be written."""
    times = 0
    try:
        while True:
            os.write(fd, junk)
            times += 1
    except BlockingIOError:
        return times


def fill(path):
    """Writes until nothing more goes in, which a reader would have to change.
    A terminal makes some room by itself a little later."""
    fd = os.open(path, os.O_WRONLY | os.O_NONBLOCK | os.O_NOCTTY)
    again = True
    while again:
        again = write_all(fd, JUNK) + write_all(fd, b"x") > 0
        time.sleep(0.1)
    os.close(fd)


def lines(path):
    try:
        with open(path, "rb") as file:
            return file.read().count(b",host,")
    except FileNotFoundError:
        return 0


def goes_on(path):
    """It takes further intervals: neither the write nor anything else holds it."""
    least = lines(path) + 5
    until(lambda: lines(path) >= least, "further intervals")


class Waits:
    """Whether a process has waited in one write for as long as we looked."""

    def __init__(self, pid):
        self.pid, self.times = pid, 0

    def __call__(self):
        with open(f"/proc/{self.pid}/syscall", encoding="ascii") as file:
            self.times = self.times + 1 if file.read().split()[0] == SYS_WRITE else 0
        return self.times >= 20


def finish(run, number, status, reads=False):
    """Sends a signal; it ends, even with nobody reading, and leaves nothing."""
    objects = run.objects()
    if not objects:
        sys.exit("it does not measure")
    run.kill(number)
    if not reads:
        until(lambda: run.state() in "XZ", f"the end, asked for by {number!r}")
    got = run.end()
    run.read(0.3)
    if got != status:
        sys.exit(f"{number!r}: status {got}, not {status}: {run.output[-500:]!r}")
    if run.settings_changed():
        sys.exit(f"{number!r}: terminal settings changed")
    if not ends.is_screen_left(run.output):
        sys.exit(f"{number!r}: screen not left: {run.output[-500:]!r}")
    ends.check_objects(objects)
    run.close()
    print(f"{number.name}: status {got}, {len(objects)} BPF objects are gone")


def case_screen_from_the_start(program, _):
    for number in ENDS:
        run = Run([program, "-d", "0.1"], prepare=fill)
        until(Waits(run.pid), "the write")
        finish(run, number, 0)


def case_screen_later(program, directory):
    path = f"{directory}/csv"
    run = Run([program, "-d", "0.1", "--csv", path])
    until(lambda: run.read(0.01) or lines(path) > 2, "intervals")
    fill(os.ttyname(run.slave))
    goes_on(path)
    finish(run, signal.SIGTERM, 0)
    ends.check_files(directory)


def case_screen_picture(program, _):
    """There is room, but less than it takes."""
    run = Run([program, "-d", "0.1"])
    until(lambda: run.read(0.01) or b"PID USER" in run.output, "a picture")
    height, waits = 40, Waits(run.pid)

    def drawn():  # each size is drawn anew
        nonlocal height
        height = 90 - height
        run.resize(height, 200)
        return waits()

    until(drawn, "the write")
    finish(run, signal.SIGTERM, 0)


def case_screen_stopped(program, directory):
    path = f"{directory}/csv"
    run = Run([program, "-d", "0.1", "--csv", path])
    until(lambda: run.read(0.01) or lines(path) > 2, "intervals")
    os.write(run.master, XOFF)
    goes_on(path)
    run.read(0.3)
    before = len(run.output)
    goes_on(path)
    run.read(0.3)
    if len(run.output) != before:
        sys.exit("Ctrl-S did not stop the output")
    os.write(run.master, XON)
    until(lambda: run.read(0.01) or len(run.output) > before, "the picture")
    os.write(run.master, XOFF)
    goes_on(path)
    finish(run, signal.SIGTERM, 0, reads=True)
    ends.check_files(directory)


def text_ways(program):
    return {
        "batch": [program, "-b", "-d", "0.1"],
        "stat": [program, "stat", "-a", "-I", "10"],
        "records": [program, "-d", "0.1", "--csv", "-"],
    }


def case_text(program, _):
    for way, command in text_ways(program).items():
        print(way)
        run = Run(command)
        until(Waits(run.pid), f"{way} waits in a write")
        finish(run, signal.SIGTERM, 1)


def case_text_stopped(program, _):
    """Ctrl-S, and then the end: it goes on, and all of it is printed."""
    for way, command in text_ways(program).items():
        print(way)
        run = Run(command)
        until(lambda: run.read(0.01) or run.output.count(b"\n") > 30, "text")
        os.write(run.master, XOFF)
        time.sleep(0.5)
        finish(run, signal.SIGTERM, 0, reads=True)


def case_pipe(program, _):
    """A full pipe, which its messages go to as well."""
    ways = text_ways(program)
    ways["why"] = [program, "why", "-d", "0.3"]
    ways["check"] = [program, "check", "--max-rate", "1", "--duration", "0.3"]
    for way, command in ways.items():
        ours, its = os.pipe()
        fcntl.fcntl(its, 1031, 4096)  # F_SETPIPE_SZ: a page
        fill(f"/proc/self/fd/{its}")
        run = Run(command, output=its)
        os.close(its)
        until(run.objects, f"{way} measures")
        if way in ("why", "check"):
            until(Waits(run.pid), f"{way} waits in a write")
        else:
            time.sleep(0.3)
        print(way)
        finish(run, signal.SIGTERM, 1)
        os.close(ours)


def main():
    program, directory, case = sys.argv[1:]
    globals()[f"case_{case}"](program, directory)
    print("OK")


if __name__ == "__main__":
    main()
