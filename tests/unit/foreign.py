#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only
"""Reads files of hostile records with parsers that no one here wrote.

    foreign.py UNIT_SINK

UNIT_SINK writes the same records as CSV and as JSON Lines.  Python's csv and
json, sqlite3's .import and jq must all read the same from them, and that must
be what Python's own decoder makes of the bytes the names were made of.
"""
import csv
import json
import pathlib
import sqlite3
import subprocess
import sys
import tempfile

NUMBERS = "interval_s pid tid start_ns count errors rate missed".split()


def typed(row):
    """A row of texts with JSON's types."""
    return {
        key: value if key not in NUMBERS else float(value) if value else None
        for key, value in row.items()
    }


def floats(row):
    """A row of JSON with every number as floating point."""
    for key in NUMBERS:
        if row[key] is not None:
            assert type(row[key]) in (int, float), (key, row)
            row[key] = float(row[key])
    return row


def by_python_csv(path):
    with open(path, encoding="utf-8", newline="") as file:
        return [typed(row) for row in csv.DictReader(file, strict=True)]


def by_sqlite(path):
    database = path.with_name("database")
    done = subprocess.run(
        ["sqlite3", database, f".import --csv {path} records"],
        capture_output=True,
        check=True,
    )
    assert not done.stderr, done.stderr
    connection = sqlite3.connect(database)
    connection.row_factory = sqlite3.Row
    rows = connection.execute("SELECT * FROM records ORDER BY rowid")
    return [typed(dict(row)) for row in rows]


def by_python_json(path):
    lines = path.read_bytes().decode("utf-8").split("\n")
    assert lines.pop() == ""
    return [floats(json.loads(line)) for line in lines]


def by_jq(path):
    done = subprocess.run(
        ["jq", "--compact-output", "--ascii-output", ".", path], capture_output=True, check=True
    )
    return [floats(json.loads(line)) for line in done.stdout.decode().splitlines()]


def expected(path):
    for line in path.read_text().splitlines():
        yield [
            bytes.fromhex(word).decode("utf-8", errors="replace") for word in line.split(" ")
        ]


def main():
    with tempfile.TemporaryDirectory() as name:
        directory = pathlib.Path(name)
        subprocess.run([sys.argv[1], directory], check=True)
        rows = by_python_csv(directory / "records.csv")
        names = [*expected(directory / "expected"), ["", "", ""]]  # and the host's
        assert [[r["comm"], r["container"], r["object"]] for r in rows] == names
        assert len(rows) == 301
        for other, path in (
            (by_sqlite, "records.csv"),
            (by_python_json, "records.json"),
            (by_jq, "records.json"),
        ):
            others = other(directory / path)
            for row, read in zip(rows, others):
                assert row == read, (other, row, read)
            assert len(rows) == len(others)
    print("ok: 4 parsers, 301 records")


if __name__ == "__main__":
    main()
