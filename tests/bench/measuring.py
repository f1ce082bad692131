# SPDX-License-Identifier: GPL-2.0-only
"""What the benchmarks share: starting and stopping tools, the kernel's own
account of BPF programs, medians and tables."""

import csv
import ctypes
import os
import platform
import re
import signal
import statistics
import subprocess
import sys
import tempfile
import time

BPF_ENABLE_STATS = 32
SYS_BPF = {"x86_64": 321, "aarch64": 280}
CLOCK_GETTIME = {"x86_64": 228, "aarch64": 113}[platform.machine()]


class Fault(Exception):
    """A measurement that cannot be trusted."""


def say(text):
    if sys.stderr.isatty():
        print(f"\r\033[K{text}", end="", file=sys.stderr, flush=True)


def median(values):
    return statistics.median(values) if values else float("nan")


def spread(values):
    """Half the distance of the quartiles."""
    if len(values) < 2:
        return float("nan")
    low, _, high = statistics.quantiles(values, n=4, method="inclusive")
    return (high - low) / 2


class BpfStats:
    """Makes the kernel keep account of BPF programs while it is open.  The
    setting goes with the descriptor, even if this program is killed."""

    def __enter__(self):
        libc = ctypes.CDLL(None, use_errno=True)
        attr = ctypes.create_string_buffer(128)
        self.fd = libc.syscall(SYS_BPF[platform.machine()], BPF_ENABLE_STATS, attr, 128)
        if self.fd < 0:
            raise Fault("the kernel keeps no BPF stats: " + os.strerror(ctypes.get_errno()))
        return self

    def __exit__(self, *_):
        os.close(self.fd)


def fdinfos(pid):
    """The fdinfo of each descriptor of a process, as dictionaries of text."""
    folder = f"/proc/{pid}/fdinfo"
    infos = []
    for fd in os.listdir(folder):
        try:
            with open(f"{folder}/{fd}", encoding="ascii", errors="replace") as file:
                lines = file.read().splitlines()
        except FileNotFoundError:
            continue
        infos.append(dict(re.split(r":\s*", line, maxsplit=1) for line in lines if ":" in line))
    return infos


def account(pid):
    """(run_time_ns, run_cnt) of each BPF program a process holds, by id."""
    return {i["prog_id"]: (int(i["run_time_ns"]), int(i["run_cnt"]))
            for i in fdinfos(pid) if "run_cnt" in i}


def ns_a_run(before, after):
    """ns a run of the busiest program between two accounts, and its runs."""
    runs = {i: (after[i][0] - t, after[i][1] - n) for i, (t, n) in before.items() if i in after}
    if not runs:
        raise Fault("no BPF program of its own was found")
    busiest = max(runs.values(), key=lambda r: r[1])
    if busiest[1] == 0:
        raise Fault("its BPF program did not run")
    return busiest[0] / busiest[1], busiest[1]


def bpf_memory(pid):
    """Bytes that the kernel says a process's maps and programs take."""
    return sum(int(i["memlock"]) for i in fdinfos(pid) if "memlock" in i)


def cpu_seconds(pid):
    """CPU time that a process has used, all its threads, dead ones included.
    Source: include/linux/posix-timers.h."""
    return time.clock_gettime((~pid << 3) | 2)


def status_kib(pid, field):
    with open(f"/proc/{pid}/status", encoding="utf-8", errors="replace") as file:
        return int(re.search(rf"^{field}:\s*(\d+)", file.read(), re.M)[1])


class Tool:
    """A program that runs while something is measured.  Its output goes to
    files; `said` is all of it once it was stopped."""

    def __init__(self, argv, signal_number=signal.SIGINT):
        self.argv, self.signal_number = argv, signal_number
        self.said = ""

    def __enter__(self):
        self.out = tempfile.TemporaryFile()
        self.err = tempfile.TemporaryFile()
        try:
            self.process = subprocess.Popen(self.argv, stdin=subprocess.PIPE, stdout=self.out,
                                            stderr=self.err)
        except OSError as error:
            raise Fault(f"{self.argv[0]}: {error.strerror}") from error
        self.pid = self.process.pid
        return self

    def read(self):
        text = b""
        for file in (self.out, self.err):
            text += os.pread(file.fileno(), 1 << 26, 0)
        return text.decode("utf-8", errors="replace")

    def wait_for(self, ready, seconds=60):
        """Polls ready(tool) until it is true."""
        until = time.monotonic() + seconds
        while not ready(self):
            if self.process.poll() is not None:
                raise Fault(f"{self.argv[0]} ended early: {self.read().strip()[-500:]}")
            if time.monotonic() > until:
                raise Fault(f"{self.argv[0]} was not ready after {seconds} s")
            time.sleep(0.02)

    def stop(self):
        if self.process.poll() is None and not self.process.stdin.closed:
            self.process.stdin.close()
            if self.signal_number:
                self.process.send_signal(self.signal_number)
        try:
            self.process.wait(60)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
            raise Fault(f"{self.argv[0]} did not end")
        self.said = self.read()

    def __exit__(self, *_):
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait()
        self.process.stdin.close()
        self.out.close()
        self.err.close()


def holds(pid, what):
    """Whether a process has a descriptor of that kind, such as bpf_link."""
    folder = f"/proc/{pid}/fd"
    try:
        for fd in os.listdir(folder):
            try:
                if what in os.readlink(f"{folder}/{fd}"):
                    return True
            except FileNotFoundError:
                pass
    except (FileNotFoundError, PermissionError):
        pass
    return False


def host_line():
    with open("/sys/devices/system/clocksource/clocksource0/current_clocksource",
              encoding="ascii") as file:
        clocksource = file.read().strip()
    return (f"Linux {platform.release()}, {platform.machine()}, clocksource {clocksource}, "
            f"{os.cpu_count()} CPUs")


class Table:
    """Rows of the same columns; numbers are shown with so many decimals."""

    def __init__(self, *columns):
        self.columns, self.rows = columns, []  # columns: (key, title, decimals or None)

    def add(self, *cells):
        assert len(cells) == len(self.columns)
        self.rows.append(cells)

    def show(self, cell, decimals):
        if cell is None or cell != cell:
            return "-"
        return cell if decimals is None else f"{cell:,.{decimals}f}"

    def print(self):
        texts = [[title for _, title, _ in self.columns]]
        texts += [[self.show(c, d) for c, (_, _, d) in zip(row, self.columns)]
                  for row in self.rows]
        widths = [max(len(row[i]) for row in texts) for i in range(len(self.columns))]
        for row in texts:
            cells = [t.ljust(w) if d is None else t.rjust(w)
                     for t, w, (_, _, d) in zip(row, widths, self.columns)]
            print("  ".join(cells).rstrip())

    def write_csv(self, writer, name):
        writer.writerow(["table"] + [key for key, _, _ in self.columns])
        for row in self.rows:
            writer.writerow([name] + ["" if c is None or c != c else c for c in row])


def print_verdict(lines):
    """Each figure beside what it is to be; none of them fails the run."""
    for what, value, limit, unit in lines:
        word = "met" if value <= limit else "MISSED"
        print(f"  {word:6}  {what}: {value:.2f} {unit} (at most {limit:g} {unit})")


def write_csv(path, tables):
    """tables: {name: Table}, one after the other."""
    with open(path, "w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file, lineterminator="\n")
        for name, table in tables.items():
            table.write_csv(writer, name)
