#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only
"""Compares records with the labels of the situations that made them.

    judge.py RECORDS SITUATIONS [--began]

RECORDS is clocktop's CSV of all processes, which still run.  SITUATIONS has a
line for each: its name, the pid it began with, and its rows, tab-separated.  A
record is of the situation whose first process is its process's ancestor.
Prints what differs and how many are right; exit status 0 when all are.  With
--began it says nothing, and status 0 when every row was seen.
"""
import collections
import csv
import os
import re
import sys


def parents():
    """The parent of each process, by pid."""
    found = {}
    for name in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open(f"/proc/{name}/stat", "rb") as file:
                found[int(name)] = int(file.read().rpartition(b")")[2].split()[1])
        except OSError:
            pass
    return found


def records(path):
    """Rows as labels write them, by pid."""
    sums = collections.defaultdict(lambda: [0, 0])
    with open(path, newline="", encoding="utf-8", errors="replace") as file:
        for r in csv.DictReader(file):
            if r["via"] != "host":
                key = [r[k] or "-" for k in "syscall abi clock via object cause".split()]
                key[2] = re.sub(r"(CPU\([a-z]+) \d+", r"\1", key[2])
                sums[int(r["pid"]), " ".join(key)][0] += int(r["count"])
                sums[int(r["pid"]), " ".join(key)][1] += int(r["errors"])
    rows = collections.defaultdict(set)
    for (pid, key), (count, errors) in sums.items():
        word = "none" if not errors else "all" if errors == count else "some"
        rows[pid].add(f"{key} {word}")
    return rows


def main():
    path, situations, *began = sys.argv[1:]
    parent = parents()
    rows = records(path)
    labels = {}
    with open(situations, encoding="utf-8") as file:
        for line in file:
            name, pid, *expected = line.rstrip("\n").split("\t")
            labels[int(pid)] = name, set(filter(None, expected)), set()
    for pid, of_pid in rows.items():
        while pid and pid not in labels:
            pid = parent.get(pid, 0)
        if pid:
            labels[pid][2].update(of_pid)
    if began:
        sys.exit(not all(expected <= got for _, expected, got in labels.values()))
    right = 0
    for pid, (name, expected, got) in labels.items():
        gone = pid not in parent
        if got == expected and not gone:
            right += 1
            continue
        print(f"{name}:" + (" has ended" if gone else ""))
        for row in sorted(expected - got):
            print(f"  missing {row}")
        for row in sorted(got - expected):
            print(f"  not expected {row}")
    print(f"{right} of {len(labels)} right")
    sys.exit(right != len(labels) or right < 20)


if __name__ == "__main__":
    main()
