#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only
"""Sends signals to clocktop at random moments, and looks at what it leaves.

    ends.py CLOCKTOP CALLS DIRECTORY ROUNDS [SEED]

Each round runs clocktop in one of several ways, in the foreground of a
terminal of its own, and sends it one to three of INT, TERM, HUP, PIPE, WINCH,
TSTP and KILL.  Then

 - it has ended, with a status that fits
 - the terminal is as it was (unless it was KILL): settings, main screen, cursor
 - the files hold whole lines only
 - the kernel has none of the BPF programs, maps and links that it had

It is held for a moment before each signal, to see which those are.
Prints what was done; the last line is OK.
"""
import atexit
import csv
import ctypes
import errno
import fcntl
import json
import os
import pty
import random
import re
import select
import signal
import struct
import sys
import termios
import time

SIGNALS = [signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGPIPE]
SIGNALS += [signal.SIGWINCH, signal.SIGTSTP, signal.SIGKILL]
SYS_BPF = {"x86_64": 321, "aarch64": 280}[os.uname().machine]
GET_FD_BY_ID = {"prog_id": 13, "map_id": 14, "link_id": 30}
PATIENCE = 30


def ways(program, calls, directory):
    files = ["--csv", f"{directory}/csv", "--json", f"{directory}/json"]
    work = [calls, "-u", "100", "-n", f"ends{os.getpid()}", "100000", "gettime", "2", "raw"]
    return {
        "screen": [program, "-d", "0.1", *files],
        "batch": [program, "-b", "-d", "0.1", *files],
        "stat": [program, "stat", "-a", "-I", "10", *files],
        "command": [program, "stat", "-I", "10", *files, "--", *work],
        "why": [program, "why", "-d", "0.3"],
    }


class Run:
    """One clocktop in a terminal of its own, which `prepare` is called with
    before; what it prints goes to the descriptor `output` instead, if given."""

    def __init__(self, command, prepare=None, output=None):
        self.master, self.slave = pty.openpty()
        self.printed_to = self.slave if output is None else output
        self.resize(24, 100)
        if prepare:
            prepare(os.ttyname(self.slave))
        self.before = termios.tcgetattr(self.slave)
        self.output = b""
        pid_end, pid_start = os.pipe()
        self.status_end, status_start = os.pipe()
        self.leader = os.fork()
        if self.leader == 0:
            self.lead(command, pid_start, status_start)
        os.close(pid_start)
        os.close(status_start)
        self.pid = int(os.read(pid_end, 20))
        os.close(pid_end)
        atexit.register(self.kill, signal.SIGKILL)  # when the test fails

    def lead(self, command, pid_start, status_start):
        """Does what a shell does, so that TSTP can stop it."""
        os.setsid()
        fcntl.ioctl(self.slave, termios.TIOCSCTTY, 0)
        signal.signal(signal.SIGTTOU, signal.SIG_IGN)
        signal.signal(signal.SIGHUP, signal.SIG_IGN)
        exec_end, exec_start = os.pipe()  # its other end is closed by exec
        pid = os.fork()
        if pid == 0:
            os.setpgid(0, 0)
            os.tcsetpgrp(self.slave, os.getpid())
            for number in (signal.SIGTTOU, *SIGNALS[:-1]):
                signal.signal(number, signal.SIG_DFL)
            for fd, source in enumerate((self.slave, self.printed_to, self.printed_to)):
                os.dup2(source, fd)
            os.environ["TERM"] = "xterm-256color"
            os.execv(command[0], command)
        os.close(exec_start)
        os.read(exec_end, 1)
        os.write(pid_start, b"%d" % pid)
        os.close(pid_start)
        _, status = os.waitpid(pid, 0)
        os.write(status_start, b"%d" % os.waitstatus_to_exitcode(status))
        os._exit(0)

    def resize(self, height, width):
        fcntl.ioctl(self.slave, termios.TIOCSWINSZ, struct.pack("4H", height, width, 0, 0))

    def state(self):
        try:
            with open(f"/proc/{self.pid}/stat", encoding="latin-1") as file:
                return file.read().rpartition(")")[2].split()[0]
        except (FileNotFoundError, ProcessLookupError):
            return "X"

    def read(self, seconds):
        end = time.monotonic() + seconds
        while (left := end - time.monotonic()) > 0:
            if select.select([self.master], [], [], left)[0]:
                try:
                    self.output += os.read(self.master, 65536)
                except OSError:
                    return

    def wait_for(self, states, what):
        end = time.monotonic() + PATIENCE
        while self.state() not in states:
            if time.monotonic() > end:
                sys.exit(f"{what}: state {self.state()}, pid {self.pid}: {self.output[-300:]!r}")
            self.read(0.005)

    def objects(self):
        return objects_of(self.pid)

    def kill(self, number):
        try:
            os.kill(self.pid, number)
        except ProcessLookupError:
            pass  # it has ended, and was waited for

    def send(self, number):
        """Returns the objects that it had at that moment."""
        self.kill(signal.SIGSTOP)
        self.wait_for("TXZ", "to stop")
        objects = self.objects()
        if self.state() != "T":
            return objects
        # CONT takes away a TSTP that is not yet delivered.
        for one in sorted((number, signal.SIGCONT), key=lambda n: n == signal.SIGTSTP):
            self.kill(one)
        return objects

    def settings_changed(self):
        return termios.tcgetattr(self.slave) != self.before

    def end(self):
        """Waits for the end and returns the status."""
        self.wait_for("XZ", "to end")
        while not select.select([self.status_end], [], [], 0)[0]:
            self.read(0.005)
        status = int(os.read(self.status_end, 20))
        os.waitpid(self.leader, 0)
        self.read(0.01)
        return status

    def close(self):
        atexit.unregister(self.kill)
        for fd in (self.master, self.slave, self.status_end):
            os.close(fd)


def is_screen_left(output):
    """Whether full-screen mode and the hidden cursor were undone."""
    for on, off in ((b"\x1b[?1049h", b"\x1b[?1049l"), (b"\x1b[?25l", b"\x1b[?25h")):
        if output.rfind(on) > output.rfind(off):
            return False
    return True


def check_files(directory):
    """Returns how many lines there were."""
    lines = 0
    for name in ("csv", "json"):
        path = f"{directory}/{name}"
        if not os.path.exists(path):
            continue
        with open(path, encoding="utf-8", newline="") as file:
            text = file.read()
        os.unlink(path)
        if text and not text.endswith("\n"):
            sys.exit(f"{name}: the last line is not whole: {text[-200:]!r}")
        if name == "csv":
            rows = list(csv.reader(text.splitlines(keepends=True), strict=True))
            if {len(row) for row in rows} - {18}:
                sys.exit("csv: not 18 fields")
            lines += len(rows)
        else:
            lines += len([json.loads(line) for line in text.splitlines()])
    return lines


def objects_of(pid):
    """The BPF objects that a process holds, as (kind, id)."""
    found = set()
    try:
        fds = os.listdir(f"/proc/{pid}/fdinfo")
    except OSError:
        return found
    for fd in fds:
        try:
            with open(f"/proc/{pid}/fdinfo/{fd}", encoding="ascii") as file:
                text = file.read()
        except OSError:
            continue
        for kind, number in re.findall(r"^(prog_id|map_id|link_id):\s*(\d+)", text, re.M):
            found.add((kind, int(number)))
    return found


def exists(kind, number):
    attr = struct.pack("2I", number, 0).ljust(120, b"\0")
    buffer = ctypes.create_string_buffer(attr)
    libc = ctypes.CDLL(None, use_errno=True)
    fd = libc.syscall(SYS_BPF, GET_FD_BY_ID[kind], buffer, 120)
    if fd >= 0:
        os.close(fd)
        return True
    if ctypes.get_errno() != errno.ENOENT:
        sys.exit(f"bpf: {os.strerror(ctypes.get_errno())}")
    return False


def check_objects(objects):
    """The kernel frees what nobody holds a little later."""
    end = time.monotonic() + PATIENCE
    while left := {one for one in objects if exists(*one)}:
        if time.monotonic() > end:
            sys.exit(f"left in the kernel: {sorted(left)}")
        time.sleep(0.05)


def fits(way, status, sent):
    if status < 0:
        return -status in sent  # before it was ready for it, or KILL
    if status == 0:
        return True
    return way == "command" and status - 128 in sent


def play(way, command, directory, objects, seen):
    run = Run(command)
    if os.environ.get("ENDS_TRACE"):
        print(way, run.pid, flush=True)
    sent = []
    for _ in range(random.randint(1, 3)):
        run.read(random.choice((0.01, 0.1, 0.3, 0.6)) * random.random() * 2)
        if run.state() in "XZ":
            break
        number = random.choice(SIGNALS)
        if os.environ.get("ENDS_TRACE"):
            print("  ", number.name, run.state(), flush=True)
        had = run.send(number)
        sent.append(number)
        objects |= had
        seen[way, number, bool(had)] = seen.get((way, number, bool(had)), 0) + 1
        run.read(0.05)
        if run.state() == "T":
            if number != signal.SIGTSTP:
                sys.exit(f"{way}: stopped by {number!r}")
            if run.settings_changed() or not is_screen_left(run.output):
                sys.exit(f"{way}: stopped, the terminal is not as it was")
            run.kill(signal.SIGCONT)
    if run.state() not in "XZ" and not set(sent) & set(SIGNALS[:3]):
        objects |= run.send(signal.SIGTERM)
        sent.append(signal.SIGTERM)
    if way == "command" and run.state() not in "XZ":
        # Ctrl-C is COMMAND's, and a first TERM is passed on to it.
        run.read(0.05)
        for _ in range(3):
            if run.state() not in "XZ":
                run.kill(signal.SIGTERM)
                sent.append(signal.SIGTERM)
                run.read(0.1)
    status = run.end()
    told = f"{way}: {[s.name for s in sent]}: status {status}"
    if not fits(way, status, sent):
        sys.exit(f"{told}\n{run.output[-500:]!r}")
    if status != -signal.SIGKILL:
        if run.settings_changed():
            sys.exit(f"{told}: terminal settings changed")
        if not is_screen_left(run.output):
            sys.exit(f"{told}: screen not left: {run.output[-500:]!r}")
    run.close()
    return check_files(directory)


def main():
    program, calls, directory, rounds, *seed = sys.argv[1:]
    seed = int(seed[0]) if seed else random.randrange(1 << 32)
    random.seed(seed)
    print(f"seed {seed}", flush=True)
    objects, seen, lines = set(), {}, 0
    table = ways(program, calls, directory)
    for i in range(int(rounds)):
        way = list(table)[i % len(table)]
        lines += play(way, table[way], directory, objects, seen)
    check_objects(objects)
    busy = sum(n for (_, _, had), n in seen.items() if had)
    print(f"{sum(seen.values())} signals, {busy} while it measured")
    print(f"{len(objects)} BPF objects, {lines} lines")
    # The control: it was caught at work.
    if busy < int(rounds) // 4 or len(objects) < int(rounds) or lines < int(rounds):
        sys.exit("too little was going on")
    print("OK")


if __name__ == "__main__":
    main()
