"""A run outlives its process: what a store keeps, who may write it, and a run that is killed in the middle."""

import json
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from jsonseam import StateError
from jsonseam.gateway import Cancel, Limits, Received, ScriptedModel, SqliteStore, StoreConflict, UnknownRun
from jsonseam.gateway.valkey_store import ValkeyStore
from tests.gateway.killed_run import DOCUMENT, RUN_ID
from tests.gateway.ways import each_way, kpis

ROOT = Path(__file__).parents[2]


@pytest.fixture(params=["sqlite", "valkey"])
def open_store(request, tmp_path):
    """Opens the store of this test, as another process would; each call is another connection to the same runs."""
    if request.param == "sqlite":
        return lambda: SqliteStore(tmp_path / "deep" / "runs.db")
    url, prefix = request.getfixturevalue("valkey_at"), request.getfixturevalue("prefix")
    return lambda: ValkeyStore(url, prefix=prefix)


@pytest.fixture
def store(open_store):
    return open_store()


# ---------------------------------------------------------------- the store by itself
def test_what_is_saved_comes_back_with_its_tail(store, open_store):
    assert store.save("a", 0, {"n": [1, "ü\ud800"]}) == 1
    store.append("a", 1, "one\ud83d")
    store.append("a", 1, "two")
    kept = open_store().load("a")
    assert (kept.version, kept.state, kept.tail) == (1, {"n": [1, "ü\ud800"]}, ("one\ud83d", "two"))
    assert store.save("a", 1, {"n": 2}) == 2
    assert store.load("a").tail == ()


@pytest.mark.parametrize("version", [0, 1, 3])
def test_a_writer_that_is_behind_changes_nothing(store, version):
    store.save("a", 0, {"n": 1})
    store.save("a", 1, {"n": 2})
    store.append("a", 2, "tail")
    with pytest.raises(StoreConflict):
        store.save("a", version, {"n": 9})
    with pytest.raises(StoreConflict):
        store.append("a", version, "x")
    kept = store.load("a")
    assert (kept.version, kept.state, kept.tail) == (2, {"n": 2}, ("tail",))


def test_unknown_and_deleted_runs(store):
    with pytest.raises(UnknownRun):
        store.load("a")
    with pytest.raises(StoreConflict):
        store.append("a", 1, "x")
    store.save("a", 0, {})
    store.save("b", 0, {})
    assert store.ids() == ["a", "b"]
    store.delete("a")
    assert store.ids() == ["b"]


def test_of_many_writers_each_version_has_one(store, open_store):
    store.save("a", 0, {})
    won = []

    def write(number):
        mine = open_store()
        for _ in range(20):
            version = mine.load("a").version
            try:
                won.append(mine.save("a", version, {"by": number}))
            except StoreConflict:
                continue

    threads = [threading.Thread(target=write, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(won) == len(set(won)) == store.load("a").version - 1


def test_a_write_that_is_sent_again_is_done_once_and_is_no_conflict(valkey_at, prefix):
    store = ValkeyStore(valkey_at, prefix=prefix)
    again = {name: getattr(store, name) for name in ("_save", "_append")}
    for name, script in again.items():  # as after an answer that was lost on its way
        setattr(store, name, lambda keys, arguments, script=script: [script(keys, arguments) for _ in range(2)][1])
    assert store.save("a", 0, {"n": 1}) == 1
    store.append("a", 1, "one")
    store.append("a", 1, "one")
    kept = store.load("a")
    assert (kept.version, kept.tail) == (1, ("one", "one"))


def test_the_default_store_is_where_the_environment_says(tmp_path, monkeypatch):
    monkeypatch.setenv("JSONSEAM_STORE", str(tmp_path / "mine.db"))
    assert SqliteStore().path == tmp_path / "mine.db"


# ---------------------------------------------------------------- runs in a store
HEAD, REST = '{"items": [1, 2, 3, ', ["4, 5, ", "6, 7]}"]


@each_way
def test_a_run_is_saved_after_every_answer(way, store):
    versions = []

    class Watching(ScriptedModel):
        def _next(self, request):
            versions.append(store.load("r").version)
            return super()._next(request)

    result = way.run(Watching([HEAD, *REST], kpis=[kpis(("n", "items", 7))]), "x", store, run_id="r")
    assert result.complete
    assert versions == [1, 2, 3, 4]
    assert store.load("r").version == 5


@each_way
def test_a_stopped_run_goes_on_where_it_was(way, store):
    first = way.run(
        ScriptedModel([HEAD, REST[0]], kpis=[kpis(("n", "items", 7))]),
        "x",
        store,
        run_id="r",
        limits=Limits(calls=3),
        max_tokens=50,
    )
    assert first.reason == "Call limit"
    model = ScriptedModel(REST[1:])
    second = way.resume("r", model, store)
    assert second.value == {"items": [1, 2, 3, 4, 5, 6, 7]}
    assert (second.iterations, second.calls) == (3, 4)
    assert [(kpi.id, kpi.value) for kpi in second.kpis] == [("n", 7)]
    assert second.usage.total_tokens > first.usage.total_tokens
    assert second.seconds >= first.seconds
    assert model.requests[0].max_tokens == 50
    assert model.requests[0].messages[1].content == "x"


@each_way
def test_resuming_a_complete_run_calls_nobody(way, store):
    done = way.run(ScriptedModel(['{"a": 1}']), "x", store, run_id="r")
    again = way.resume("r", ScriptedModel([]), store)
    assert (again.value, again.reason, again.complete) == (done.value, "Complete", True)


@each_way
def test_resuming_before_the_kpis_were_asked_for_asks_for_them(way, store):
    way.run(ScriptedModel([HEAD]), "x", store, run_id="r", limits=Limits(calls=1))
    model = ScriptedModel(["4]}"], kpis=[kpis(("n", "items", 4))])
    assert way.resume("r", model, store).value == {"items": [1, 2, 3, 4]}
    assert [request.purpose for request in model.requests] == ["kpis", "continue"]


@each_way
def test_pieces_of_an_answer_that_nobody_ended_are_there_after_resuming(way, store):
    way.run(ScriptedModel([HEAD]), "x", store, run_id="r", kpis=(), limits=Limits(calls=1))
    version = store.load("r").version
    for piece in ("4, ", "5", ", 6"):
        store.append("r", version, piece)
    model = ScriptedModel([", 7]}"])
    assert way.resume("r", model, store).value == {"items": [1, 2, 3, 4, 5, 6, 7]}
    assert model.requests[0].prefill == HEAD + "4, 5, 6"


def test_who_takes_a_run_over_has_it(store):
    from jsonseam.gateway import iterate, resume

    events = iterate(ScriptedModel([HEAD, *REST], chunk=2), "x", store, run_id="r", kpis=())
    while not isinstance(next(events), Received):
        pass
    taken = resume("r", ScriptedModel([HEAD, "4]}"]), store)
    assert taken.complete
    with pytest.raises(StoreConflict):
        list(events)
    assert store.load("r").state["reason"] == "Complete"


@pytest.mark.parametrize(
    "state",
    [{}, {"jsonseam-run": 99}, {"jsonseam-run": 1}, {"jsonseam-run": 1, "task": {"prompt": 1}}, {"something": "else"}],
)
def test_a_state_that_is_no_run_is_a_clear_error(store, state):
    from jsonseam.gateway import resume

    store.save("r", 0, state)
    with pytest.raises(StateError):
        resume("r", ScriptedModel([]), store)


def test_cancelled_in_the_middle_of_an_answer_and_resumed(store):
    from jsonseam.gateway import resume, run

    cancel = Cancel()

    def listen(event):
        if isinstance(event, Received) and event.characters > 30:
            cancel()

    first = run(ScriptedModel([DOCUMENT], chunk=8), "x", store, listen, run_id="r", kpis=(), cancel=cancel)
    assert first.reason == "Cancelled"
    assert DOCUMENT.startswith(store.load("r").state["accumulator"] and first.text[:20])
    rest = ScriptedModel([lambda request: DOCUMENT[len(request.prefill) :]])
    second = resume("r", rest, store)
    assert second.value == json.loads(DOCUMENT)
    assert len(rest.requests[0].prefill) > 30


def test_a_strict_run_that_met_a_fault_is_resumed_before_it(store):
    from jsonseam.gateway import resume, run

    first = run(ScriptedModel([HEAD, "4, 5} tru"]), "x", store, run_id="r", kpis=(), parsing={"strict": True})
    assert (first.reason, first.value) == ("Malformed", {"items": [1, 2, 3, 4, 5]})  # no digit follows the 5
    model = ScriptedModel([", 6]}"])
    assert resume("r", model, store).value == {"items": [1, 2, 3, 4, 5, 6]}
    assert model.requests[0].prefill == HEAD + "4, 5"


# ---------------------------------------------------------------- SIGKILL
def killed_run(what, database, log):
    return subprocess.Popen(
        [sys.executable, "-m", "tests.gateway.killed_run", what, str(database), str(log)],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        text=True,
    )


@pytest.mark.parametrize("after", [40, 330, 700, 1100], ids=lambda after: f"after-{after}-characters")
def test_sigkill_in_the_middle_loses_nothing_that_was_delivered(tmp_path, after):
    database, log = tmp_path / "runs.db", tmp_path / "told"
    log.touch()
    process = killed_run("run", database, log)
    deadline = time.monotonic() + 30
    while log.stat().st_size < after and time.monotonic() < deadline:
        time.sleep(0.005)
    process.send_signal(signal.SIGKILL)
    assert process.wait() == -signal.SIGKILL
    told = log.read_text()
    assert after <= len(told) < len(DOCUMENT)

    from jsonseam.gateway import restore

    store = SqliteStore(database)
    held = restore(RUN_ID, store.load(RUN_ID)).accumulator.text
    assert held.startswith(told)
    assert DOCUMENT.startswith(held)
    store.close()

    other = killed_run("resume", database, log)
    said, _ = other.communicate(timeout=60)
    result = json.loads(said)
    assert result["value"] == json.loads(DOCUMENT)
    assert result["complete"]
