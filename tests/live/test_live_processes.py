"""Workers as processes on a real server: killed, stopped and woken, asked to end, and the server itself restarted.

Rule: whatever is done to them, each conversation comes out as one process would join it, and its result is listed once.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from jsonseam.gateway.valkey_store import ValkeyStore
from jsonseam.live import Conversations
from tests.live.spoken import KPIS, Spoken, spoken
from tests.valkey_server import make_server

ROOT = Path(__file__).parents[2]
ENVIRONMENT = {**os.environ, "NO_COLOR": "1", "PYTHONIOENCODING": "utf-8", "COLUMNS": "120"}
LEASE = "0.6"
PATIENCE = 60.0  # seconds for what takes one or two


class Processes:
    """Workers of one test. `end` asks the living to end and gives what each has done."""

    def __init__(self, url: str, prefix: str) -> None:
        kpis = [part for kpi in KPIS for part in ("--kpi", f"{kpi.id}={kpi.path}:{kpi.target}")]
        self._command = [sys.executable, "-m", "jsonseam", "worker", "--url", url, "--prefix", prefix]
        self._command += ["--lease", LEASE, "--json", "--quiet", *kpis]
        self.started: list[subprocess.Popen[str]] = []

    def start(self, *options: str) -> subprocess.Popen[str]:
        process = subprocess.Popen(
            [*self._command, *options],
            cwd=ROOT,
            env=ENVIRONMENT,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        self.started.append(process)
        return process

    def end(self, number: int = signal.SIGTERM) -> list[dict]:
        living = [process for process in self.started if process.poll() is None]
        for process in living:
            process.send_signal(number)
        return [said(process) for process in living]


def said(process: subprocess.Popen[str]) -> dict:
    out, err = process.communicate(timeout=PATIENCE)
    assert out, err
    return json.loads(out)


@contextmanager
def workers(url: str, prefix: str, count: int) -> Iterator[Processes]:
    processes = Processes(url, prefix)
    for _ in range(count):
        processes.start()
    try:
        yield processes
    finally:
        for process in processes.started:
            if process.poll() is None:
                process.kill()
            process.communicate()


def until(true: Callable[[], bool], what: str) -> None:
    deadline = time.monotonic() + PATIENCE
    while not true():
        assert time.monotonic() < deadline, f"it took too long until {what}"
        time.sleep(0.01)


def publish(live: Conversations, told: list[Spoken]) -> None:
    """All of them at the same time, a fragment of each in turn, as live conversations do."""
    for number in range(max(len(one.fragments) for one in told)):
        for one in told:
            if number < len(one.fragments):
                live.publish(one.name, one.fragments[number], last=number == len(one.fragments) - 1)


def all_told_once(live: Conversations, told: list[Spoken]) -> None:
    deadline = time.monotonic() + PATIENCE
    for one in told:
        one.is_told_by(live.result(one.name, timeout=deadline - time.monotonic(), final=True))
    listed = [fields for _, fields in live._client.xrange(live._keys.results)]
    finals = [fields[b"conversation"].decode() for fields in listed]
    revisions = {fields[b"conversation"].decode(): int(fields[b"revision"]) for fields in listed}
    assert sorted(set(finals)) == sorted(one.name for one in told)
    assert all(finals.count(name) == revision for name, revision in revisions.items())  # no revision twice
    assert live.dead() == []


def results(live: Conversations) -> int:
    return live._client.xlen(live._keys.results)


def owners(live: Conversations) -> dict[str, int]:
    """How many partitions each worker owns, by its process id."""
    names = live._client.mget([live._keys.owner(number) for number in range(16)])
    found: dict[str, int] = {}
    for name in filter(None, names):
        process = name.decode().split("-")[-2]
        found[process] = found.get(process, 0) + 1
    return found


def shared(live: Conversations, count: int) -> bool:
    owned = owners(live)
    return len(owned) == count and sum(owned.values()) == 16


def stopped_with_work(live: Conversations, process: subprocess.Popen[str]) -> bool:
    """Stop it; let it go on if there is nothing pending for it, and nothing on its way that would change that."""
    process.send_signal(signal.SIGSTOP)
    time.sleep(0.02)
    for number in range(16):
        stream = live._keys.fragments(number)
        for consumer in live._client.xinfo_consumers(stream, "workers") if live._client.exists(stream) else ():
            if consumer["name"].decode().split("-")[-2] == str(process.pid) and consumer["pending"]:
                return True
    process.send_signal(signal.SIGCONT)
    return False


def test_of_three_workers_one_is_killed_in_the_middle(valkey_at, prefix):
    told = [spoken(number) for number in range(24)]
    live = Conversations(valkey_at, prefix=prefix)
    with workers(valkey_at, prefix, 3) as processes:
        until(lambda: shared(live, 3), "three workers share the partitions")
        publishing = threading.Thread(target=publish, args=(live, told))
        publishing.start()
        victim = processes.started[1]
        until(lambda: results(live) >= 3, "some conversations are over")
        until(lambda: stopped_with_work(live, victim), "the victim is stopped with something in hand")
        victim.send_signal(signal.SIGKILL)
        assert victim.wait() == -signal.SIGKILL
        assert results(live) < len(told)
        publishing.join()
        all_told_once(live, told)
        left = processes.end()
    assert len(left) == 2
    assert sum(tally["claimed"] for tally in left) > 0  # the victim had something in hand
    assert live.backlog() == 0


def test_a_worker_that_was_asleep_wakes_and_spoils_nothing(valkey_at, prefix):
    told = [spoken(number) for number in range(40, 50)]
    live = Conversations(valkey_at, prefix=prefix)
    with workers(valkey_at, prefix, 2) as processes:
        until(lambda: shared(live, 2), "two workers share the partitions")
        sleeper = processes.started[0]
        publish(live, told)
        until(lambda: results(live) >= 2, "some conversations are over")
        sleeper.send_signal(signal.SIGSTOP)
        all_told_once(live, told)
        until(lambda: shared(live, 1), "the other one has all partitions")  # with nothing in hand, its lease still runs
        sleeper.send_signal(signal.SIGCONT)
        more = [spoken(number) for number in range(60, 63)]
        publish(live, more)
        all_told_once(live, told + more)
        until(lambda: shared(live, 2), "it has its share again")
        tallies = processes.end()
    assert tallies[0]["lost_leases"] > 0
    assert [process.returncode for process in processes.started] == [0, 0]


@pytest.mark.parametrize(("number", "code"), [(signal.SIGTERM, 0), (signal.SIGINT, 130)], ids=["sigterm", "ctrl-c"])
def test_a_worker_that_is_asked_to_end_hands_over(valkey_at, prefix, number, code):
    told = [spoken(number) for number in range(66, 74)]
    live = Conversations(valkey_at, prefix=prefix)
    with workers(valkey_at, prefix, 1) as processes:
        until(lambda: shared(live, 1), "the worker has the partitions")
        *early, late = told
        publish(live, early)
        until(lambda: results(live) >= 2, "some conversations are over")
        (tally,) = processes.end(number)
        assert processes.started[0].returncode == code
        assert owners(live) == {}
        assert tally["results"] == results(live) < len(told)
        publish(live, [late])
        other = processes.start("--drain")
        tally = said(other)
        assert other.returncode == 0
        all_told_once(live, told)
        assert tally["applied"] + tally["duplicates"] <= sum(len(one.fragments) for one in told)


def test_the_server_is_killed_and_comes_back(tmp_path, prefix):
    told = [spoken(number) for number in range(78, 88)]
    server = make_server(tmp_path / "server", appendonly="yes", appendfsync="always")
    server.start()
    url = server.connection_url
    live = Conversations(url, prefix=prefix)
    with workers(url, prefix, 2) as processes:
        until(lambda: shared(live, 2), "two workers share the partitions")
        publishing = threading.Thread(target=publish, args=(live, told))
        publishing.start()
        until(lambda: results(live) >= 2, "some conversations are over")
        server.terminate()
        time.sleep(0.5)
        server.start()
        publishing.join()
        all_told_once(live, told)
        tallies = processes.end()
    assert all(tally["reconnects"] > 0 for tally in tallies)
    live.close()
    server.terminate()


def test_a_producer_a_reader_and_a_store_wait_for_a_server_that_is_away(tmp_path, prefix):
    server = make_server(tmp_path / "server", appendonly="yes", appendfsync="always")
    server.start()
    live = Conversations(server.connection_url, prefix=prefix)
    store = ValkeyStore(server.connection_url, prefix=prefix)
    live.publish("c", "[1")
    assert store.save("run", 0, {"n": 1}) == 1
    server.terminate()
    back = threading.Timer(0.5, server.start)
    back.start()
    assert live.publish("c", ", 2]", last=True) == 1
    assert live.standing("c").applied == 0
    assert store.load("run").state == {"n": 1}
    assert live.backlog() == 2
    back.join()
    for client in (live, store):
        client.close()
    server.terminate()


@pytest.mark.parametrize("url", ["valkey://me:secret@127.0.0.1:1/0", "redis://127.0.0.1:1/0?password=secret"])
def test_a_worker_without_a_server_says_so_and_keeps_the_password_to_itself(url):
    command = [sys.executable, "-m", "jsonseam", "worker", "--url", url]
    done = subprocess.run(command, cwd=ROOT, env=ENVIRONMENT, capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 2
    assert "Connection refused" in done.stderr
    assert "secret" not in done.stderr


def test_what_a_worker_did_is_told_and_what_is_not_whole_is_an_exit_code(valkey_at, prefix):
    live = Conversations(valkey_at, prefix=prefix)
    live.publish("whole", '{"a": [1, 2]}', last=True)
    live.publish("whole", '{"a": [1, 2]}', seq=0, last=True)
    live.publish("cut", '{"a": [1, 2', last=True)
    live.publish("waiting", "2]", seq=1)
    command = [sys.executable, "-m", "jsonseam", "worker", "--url", valkey_at, "--prefix", prefix, "--drain"]
    done = subprocess.run(command, cwd=ROOT, env=ENVIRONMENT, capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 1, done.stderr
    assert done.stdout == ""
    assert done.stderr.splitlines()[-1] == ("jsonseam: 2 fragments, 2 results, 1 sent twice, 1 waiting for a fragment")
