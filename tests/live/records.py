#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only
"""Reads a file of clocktop's records and prints sums.

    records.py FILE [COLUMN…]

FILE is CSV, or JSON Lines when its first byte is "{".  Every line is checked
against the contract: the columns, their types, one host row an interval,
nothing missed, rates that fit the counts.  Then, for each combination of the
COLUMNs, prints their values, the calls and the errors, tab-separated and
sorted.  Without COLUMNs it prints the calls of the host's rows.
A column's value is printed as Python writes it when it holds anything but
printable characters, so that a line stays a line.
"""
import collections
import csv
import datetime
import json
import sys

COLUMNS = (
    "time interval_s pid tid start_ns comm user container syscall abi clock via"
    " object count errors rate cause missed"
).split()
NUMBERS = "interval_s pid tid start_ns count errors rate missed".split()
WORDS = {
    "syscall": "gettimeofday time clock_gettime clock_getres clock_gettime64"
    " clock_getres_time64",
    "abi": "x86_64 i386 arm64 arm",
    "via": "vdso direct vsyscall",
    "cause": "clocksource clock-id invalid-clock denied no-vdso vdso-modified"
    " libc direct vsyscall unknown",
}
# The host's row says how many syscalls there were, of all kinds, and nothing
# about a process.
HOST_HAS = {"time", "interval_s", "syscall", "via", "count", "rate", "missed"}


def fail(number, row, why):
    sys.exit(f"record {number}: {why}: {row}")


def read_csv(text):
    # No newline translation: names may hold any byte.
    reader = csv.reader(text.split_lines(), strict=True)
    rows = list(reader)
    if rows[0] != COLUMNS:
        sys.exit(f"header: {rows[0]}")
    for number, row in enumerate(rows[1:], 1):
        if len(row) != len(COLUMNS):
            fail(number, row, f"{len(row)} fields")
        yield dict(zip(COLUMNS, row))


class Text(str):
    def split_lines(self):
        """Lines with their ends; only a newline ends one."""
        return [line + "\n" for line in self.split("\n")[:-1]]


def read_json(text):
    for number, line in enumerate(text.split_lines(), 1):
        row = json.loads(line)
        if list(row) != COLUMNS:
            fail(number, row, "keys")
        for key, value in row.items():
            number_expected = key in NUMBERS and value not in ("", None)
            if number_expected != (type(value) in (int, float)):
                fail(number, row, f"type of {key}")
        yield {k: "" if v is None else str(v) for k, v in row.items()}


def read(path):
    with open(path, encoding="utf-8", errors="strict", newline="") as file:
        text = Text(file.read())
    if not text.endswith("\n"):
        sys.exit("the last line is not complete")
    return list(read_json(text) if text.startswith("{") else read_csv(text))


def check(rows):
    host_times = []
    for number, row in enumerate(rows, 1):
        host = row["via"] == "host"
        try:
            datetime.datetime.strptime(row["time"], "%Y-%m-%dT%H:%M:%S.%fZ")
            seconds, count, rate = (float(row[c]) for c in ("interval_s", "count", "rate"))
        except ValueError as error:
            fail(number, row, error)
        # Printed with so many digits that the rate can be checked to 1 %.
        if seconds <= 0 or abs(rate - count / seconds) > 0.01 * rate + 0.01:
            fail(number, row, "rate is not count / interval_s")
        if host:
            host_times.append(row["time"])
            if row["syscall"] != "all" or row["missed"] != "0":
                fail(number, row, "host row")
            for column in set(COLUMNS) - HOST_HAS:
                if row[column]:
                    fail(number, row, f"host row has {column}")
            continue
        for column, words in WORDS.items():
            if row[column] not in words.split():
                fail(number, row, column)
        if int(row["count"]) < 1 or not 0 <= int(row["errors"]) <= int(row["count"]):
            fail(number, row, "count")
        if int(row["pid"]) < 1 or int(row["start_ns"]) < 1 or row["missed"]:
            fail(number, row, "pid, start_ns or missed")
        if (row["clock"] == "") != (row["syscall"] in ("gettimeofday", "time")):
            fail(number, row, "clock")
    times = {row["time"] for row in rows}
    if len(host_times) != len(set(host_times)) or times != set(host_times):
        sys.exit(f"not one host row an interval: {host_times}")
    keys = "time pid start_ns tid syscall abi clock via".split()
    seen = collections.Counter(tuple(row[k] for k in keys) for row in rows)
    for key, times in seen.items():
        if times > 1:
            sys.exit(f"{times} records of {key}")


def main():
    path, *columns = sys.argv[1:]
    rows = read(path)
    check(rows)
    if not columns:
        print(sum(int(row["count"]) for row in rows if row["via"] == "host"))
        return
    sums = collections.defaultdict(lambda: [0, 0])
    for row in rows:
        if row["via"] != "host":
            key = tuple(
                v if v.isprintable() else ascii(v) for v in (row[c] for c in columns)
            )
            sums[key][0] += int(row["count"])
            sums[key][1] += int(row["errors"])
    for key in sorted(sums):
        print("\t".join([*key, *map(str, sums[key])]))


if __name__ == "__main__":
    main()
