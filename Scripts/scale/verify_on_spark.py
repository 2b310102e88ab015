#!/usr/bin/env python3
"""Verifies a corpus of logs as a Spark job: each partition runs `flux-inspect verify` over its logs.

usage: verify_on_spark.py CORPUS --app APP [--inspect PATH] [--partitions N] [--results FOLDER]

Run it with `spark-submit` on a cluster, or with `python` on a local master. The corpus and both programs must be at the same
paths on every worker. The output is one JSON document for each log that did not pass, and a summary. --results saves all
results as JSON Lines. Exit codes are those of `flux-inspect verify`.
"""

import argparse
import json
import subprocess
import sys
from pathlib import Path

from pyspark.sql import SparkSession

# A number of logs that fits into the arguments of one process, even with long paths.
LOGS_PER_PROCESS = 200

EXIT_CODES = {"passed": 0, "diverged": 1, "incompatible": 1, "damaged": 4, "unreadable": 4, "failed": 5}


def verify(inspect, app, logs):
    """Verifies some logs; yields a JSON document for each."""
    logs = list(logs)
    for first in range(0, len(logs), LOGS_PER_PROCESS):
        batch = logs[first : first + LOGS_PER_PROCESS]
        arguments = ["--app", app, "--keep-going", "--jobs", "1", "--format", "ndjson"]
        run = subprocess.run([inspect, "verify", *arguments, "--", *batch], capture_output=True, text=True)
        lines = run.stdout.splitlines()
        if len(lines) != len(batch):
            # Spark tries the partition again, perhaps on another machine.
            raise RuntimeError(f"{len(lines)} results of {len(batch)} logs: {run.stderr.strip()}")
        yield from lines


def main():
    """Runs the job; returns the exit code."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("corpus", type=Path)
    parser.add_argument("--app", required=True)
    parser.add_argument("--inspect", default="flux-inspect")
    parser.add_argument("--partitions", type=int)
    parser.add_argument("--results")
    options = parser.parse_args()

    logs = sorted(str(path) for path in options.corpus.resolve().rglob("*.jsonl"))
    if not logs:
        print("no *.jsonl files found below the corpus folder", file=sys.stderr)
        return 5
    spark = SparkSession.builder.appName("flux-inspect verify").getOrCreate()
    context = spark.sparkContext
    inspect, app = options.inspect, options.app
    partitions = options.partitions or min(len(logs), 4 * context.defaultParallelism)
    # Dealt out in turn, because neighbouring logs often have similar lengths.
    dealt = [log for part in range(partitions) for log in logs[part::partitions]]
    results = context.parallelize(dealt, partitions).mapPartitions(lambda part: verify(inspect, app, part)).cache()

    counts = results.map(lambda line: json.loads(line)["result"]).countByValue()
    for line in sorted(results.filter(lambda line: json.loads(line)["result"] != "passed").collect()):
        print(line)
    if options.results:
        results.saveAsTextFile(options.results)
    spark.stop()
    print(f"{len(logs)} logs: " + ", ".join(f"{counts[name]} {name}" for name in EXIT_CODES if counts.get(name)))
    return max(EXIT_CODES.get(name, 5) for name in counts)


if __name__ == "__main__":
    sys.exit(main())
