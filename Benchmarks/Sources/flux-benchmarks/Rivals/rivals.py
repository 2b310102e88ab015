"""Times what Python packages do, and prints the seconds of each run as a JSON array."""

import json
import sys
import time


def runs(work, most_seconds=2.0, most_runs=25):
    """The seconds of each run, three at least, after one that does not count."""
    work()
    seconds = []
    while len(seconds) < 3 or (sum(seconds) < most_seconds and len(seconds) < most_runs):
        start = time.perf_counter()
        work()
        seconds.append(time.perf_counter() - start)
    return seconds


def read(path):
    with open(path, "rb") as file:
        return file.read()


def parse_with_orjson(path):
    import orjson

    text = read(path)
    return runs(lambda: orjson.loads(text))


def compare_with_jsonpatch(before, after):
    import jsonpatch

    old, new = read(before), read(after)
    return runs(lambda: jsonpatch.make_patch(json.loads(old), json.loads(new)))


def find_with_duckdb(path, action_type):
    import duckdb

    query = """
        SELECT min(n) FROM read_json(?, format = 'newline_delimited',
          columns = {n: 'UBIGINT', action: 'STRUCT(type VARCHAR)'})
        WHERE action.type = ?
    """
    duckdb.execute("SET enable_progress_bar = false")
    return runs(lambda: duckdb.execute(query, [path, action_type]).fetchall(), most_runs=3)


def insert_with_sqlite(path):
    """Inserts the lines of a log, each in a transaction as a recorder that loses nothing would."""
    import os
    import sqlite3
    import tempfile

    with open(path, "rb") as file:
        lines = [(number, line) for number, line in enumerate(file)]

    def insert():
        with tempfile.TemporaryDirectory() as folder:
            database = sqlite3.connect(os.path.join(folder, "steps.db"), isolation_level=None)
            database.execute("PRAGMA journal_mode = WAL")
            database.execute("PRAGMA synchronous = NORMAL")
            database.execute("CREATE TABLE steps (n INTEGER PRIMARY KEY, line BLOB)")
            for row in lines:
                database.execute("INSERT INTO steps VALUES (?, ?)", row)
            database.close()

    return runs(insert, most_runs=3)


TASKS = {
    "sqlite3": insert_with_sqlite,
    "orjson": parse_with_orjson,
    "jsonpatch": compare_with_jsonpatch,
    "duckdb": find_with_duckdb,
}

print(json.dumps(TASKS[sys.argv[1]](*sys.argv[2:])))
