"""For a minute, whatever can happen happens: workers killed, stopped, asked to end, and the server killed, at random.

    python -m tests.live.soak [--seconds 60] [--seed 1]

Fragments come out of order and twice. At the end every conversation must be what one process makes of it, told once.
Longer than the suite should wait for; run it after a change to the worker, the leases or the scripts.
"""

from __future__ import annotations

import argparse
import random
import signal
import tempfile
import threading
import time
from collections import Counter
from pathlib import Path

from jsonseam.live import Conversations
from tests.live.spoken import Spoken, spoken
from tests.live.test_live_processes import Processes, all_told_once, workers
from tests.valkey_server import make_server

WORKERS = 3
HARMS = {"kill": 35, "stop": 35, "end": 15, "kill the server": 15}


def publish_badly(live: Conversations, told: list[Spoken], rng: random.Random, seconds: float) -> None:
    """Not quite in order, some of it twice, over so many seconds."""
    listed = [(one, number) for one in told for number in range(len(one.fragments))]
    listed.sort(key=lambda each: each[1] + rng.uniform(0, 3))
    for one, number in listed:
        for _ in range(rng.choice((1,) * 9 + (2,))):
            live.publish(one.name, one.fragments[number], seq=number, last=number == len(one.fragments) - 1)
        time.sleep(seconds / len(listed))


def harm(processes: Processes, server, rng: random.Random) -> str:
    """Do one thing of `HARMS`; there are as many workers as before once it is over."""
    what = rng.choices(list(HARMS), list(HARMS.values()))[0]
    victim = rng.choice([process for process in processes.started if process.poll() is None])
    if what == "kill the server":
        server.terminate()
        time.sleep(rng.uniform(0, 0.5))
        server.start()
    elif what == "stop":
        victim.send_signal(signal.SIGSTOP)
        threading.Timer(rng.uniform(0.2, 2.5), victim.send_signal, [signal.SIGCONT]).start()
    else:
        victim.send_signal(signal.SIGKILL if what == "kill" else signal.SIGTERM)
        processes.start()
    return what


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    rng = random.Random(asked.seed)
    told = [spoken(number) for number in range(120)]
    done: Counter[str] = Counter()
    with tempfile.TemporaryDirectory() as folder:
        server = make_server(Path(folder), appendonly="yes", appendfsync="always")
        server.start()
        live = Conversations(server.connection_url, prefix="soak")
        with workers(server.connection_url, "soak", WORKERS) as processes:
            publishing = threading.Thread(target=publish_badly, args=(live, told, rng, asked.seconds / 2))
            publishing.start()
            end = time.monotonic() + asked.seconds
            while time.monotonic() < end:
                time.sleep(rng.uniform(0.3, 1.5))
                while sum(process.poll() is None for process in processes.started) < WORKERS:
                    processes.start()  # as a supervisor would: one that began while the server was away has ended
                done[harm(processes, server, rng)] += 1
            publishing.join()
            time.sleep(3)  # until the last of the stopped is awake
            all_told_once(live, told)
            claimed = sum(tally["claimed"] for tally in processes.end())
        strange = {process.returncode for process in processes.started} - {0, 2, -signal.SIGKILL, -signal.SIGTERM}
        assert not strange, f"workers ended with {strange}"
        assert live.backlog() == 0
        server.terminate()
    print(f"{len(told)} conversations, each told once; {dict(done)}; the last workers claimed {claimed} entries")


if __name__ == "__main__":
    main()
