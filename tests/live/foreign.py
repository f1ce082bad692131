#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only
"""Reads the same records with parsers that nobody here wrote.

    foreign.py CSV JSON

The CSV file is read by Python's csv and by sqlite3's .import, the JSON Lines
by Python's json and by jq; all must come to the same fields.  Prints a line a
process: comm and user as Python writes them, and its calls in all intervals.
"""
import base64
import csv
import json
import subprocess
import sys


def by_csv(path):
    with open(path, encoding="utf-8", errors="strict", newline="") as file:
        header, *rows = csv.reader(file, strict=True)
    return header, rows


def by_sqlite(path, header):
    hexes = " || ' ' || ".join(f'hex("{name}")' for name in header)
    out = subprocess.run(
        ["sqlite3", "-batch", ":memory:"],
        input=f".mode csv\n.import {path} t\n.mode list\nselect {hexes} from t order by rowid;\n",
        capture_output=True,
        text=True,
        check=True,
    )
    if out.stderr:
        sys.exit(f"sqlite3: {out.stderr}")
    lines = out.stdout.splitlines()
    return [[bytes.fromhex(h).decode() for h in line.split(" ")] for line in lines]


def by_json(path):
    with open(path, encoding="utf-8", errors="strict", newline="\n") as file:
        objects = [json.loads(line, parse_int=str, parse_float=str) for line in file]
    for one in objects:
        if list(one) != list(objects[0]):
            sys.exit(f"keys differ: {one}")
    return [["" if v is None else v for v in one.values()] for one in objects]


def by_jq(path):
    # A number keeps its value only; the others can be compared as they stand.
    out = subprocess.run(
        ["jq", "-r", 'map(if . == null then "" else tostring end | @base64) | join(" ")', path],
        capture_output=True,
        text=True,
        check=True,
    )
    lines = out.stdout.splitlines()
    return [[base64.b64decode(v).decode() for v in line.split(" ")] for line in lines]


def same(name, got, want, equal=lambda a, b: a == b):
    if len(got) != len(want):
        sys.exit(f"{name}: {len(got)} records, not {len(want)}")
    for g, w in zip(got, want):
        if len(g) != len(w) or not all(map(equal, g, w)):
            sys.exit(f"{name}: {g}\nnot: {w}")


def like_jq(a, b):
    try:
        return a == b or float(a) == float(b)
    except ValueError:
        return False


def main():
    header, rows = by_csv(sys.argv[1])
    same("sqlite3", by_sqlite(sys.argv[1], header), rows)
    same("json", by_json(sys.argv[2]), rows)
    same("jq", by_jq(sys.argv[2]), rows, like_jq)
    sums = {}
    for row in (dict(zip(header, row)) for row in rows):
        if row["via"] != "host":
            key = (row["pid"], row["start_ns"], row["comm"], row["user"])
            sums[key] = sums.get(key, 0) + int(row["count"])
    for (_, _, comm, user), count in sums.items():
        print(ascii(comm), ascii(user), count)


if __name__ == "__main__":
    main()
