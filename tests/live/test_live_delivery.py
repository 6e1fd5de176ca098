"""What a worker makes of what is published: in whatever order, how often, and however wrong it comes."""

from __future__ import annotations

import json
import random
import time

import pytest

from jsonseam import Accumulator, Kpi, KpiError, join
from jsonseam.live import Backlogged, Conversations, PartitionsDiffer, Settings, Tally, Worker
from jsonseam.live.conversation import Conversation
from tests.live.spoken import KPIS, spoken

HEAD, MIDDLE, END = '{"a": [1, 2', ", 3, 4", ", 5]}"


@pytest.fixture
def live(valkey_at, prefix):
    conversations = Conversations(valkey_at, prefix=prefix)
    yield conversations
    conversations.close()


@pytest.fixture
def drain(valkey_at, prefix):
    """Have a worker do what there is to do."""

    def work(**settings) -> Tally:
        return Worker(valkey_at, prefix=prefix, **settings).run(drain=True)

    return work


@pytest.fixture
def server(live):
    """The client, for entries that no producer of ours would write."""
    return live._client


# what is published (number, text), in this order                                          applied  sent twice
ORDERS = {
    "in-order":         ([(0, HEAD), (1, MIDDLE), (2, END)],                                  3,       0),
    "backwards":        ([(2, END), (1, MIDDLE), (0, HEAD)],                                  3,       0),
    "first-comes-last": ([(1, MIDDLE), (2, END), (0, HEAD)],                                  3,       0),
    "each-twice":       ([(0, HEAD), (0, HEAD), (1, MIDDLE), (1, MIDDLE), (2, END), (2, END)], 3,      3),
    "twice-all":        ([(0, HEAD), (1, MIDDLE), (2, END)] * 2,                              3,       3),
    "held-and-twice":   ([(2, END), (2, END), (1, MIDDLE), (0, HEAD), (1, MIDDLE)],           3,       2),
    "the-server-counts": ([(None, HEAD), (None, MIDDLE), (None, END)],                        3,       0),
    "counts-on":        ([(0, HEAD), (1, MIDDLE), (None, END)],                               3,       0),
}  # fmt: skip


@pytest.mark.parametrize(("published", "applied", "twice"), ORDERS.values(), ids=ORDERS.keys())
def test_fragments_are_applied_in_the_order_of_their_numbers_once(live, drain, published, applied, twice):
    for number, text in published:
        live.publish("c", text, seq=number, last=text == END)
    tally = drain()
    result = live.result("c")
    assert result is not None
    assert result.text == join([HEAD, MIDDLE, END]).text == '{"a": [1, 2, 3, 4, 5]}'
    assert (result.complete, result.final, result.fragments, result.revision) == (True, True, applied, 1)
    assert (tally.applied, tally.duplicates, tally.results) == (applied, twice, 1)
    assert live.standing("c").duplicates == twice
    assert live.backlog() == 0


def test_a_gap_is_told_and_waited_for_by_whoever_has_the_partition(live, drain):
    for number in (0, 2, 3):
        live.publish("c", (HEAD, "", MIDDLE, END)[number], seq=number, last=number == 3)
    live.publish("other", "[1]", last=True)
    assert drain().waiting == 1
    standing = live.standing("c")
    assert (standing.applied, standing.waiting_for, standing.held, standing.status) == (1, 1, 2, "partial")
    assert live.result("c") is None
    assert live.result("other").value == [1]
    assert live.backlog() == 2
    live.publish("c", ", 2.5", seq=1)
    tally = drain()
    assert (tally.claimed, tally.applied, tally.waiting) == (2, 3, 0)
    assert live.result("c").text == join([HEAD, ", 2.5", MIDDLE, END]).text
    standing = live.standing("c")
    assert (standing.waiting_for, standing.held, live.backlog()) == (None, 0, 0)


def test_conversations_of_every_behaviour_are_what_one_process_makes_of_them(live, drain):
    told = [spoken(number) for number in range(22)]
    mixed = [(s.name, n, text, n == len(s.fragments) - 1) for s in told for n, text in enumerate(s.fragments)]
    random.Random(1).shuffle(mixed)
    for name, number, text, last in mixed:
        live.publish(name, text, seq=number, last=last)
    tally = drain(settings=Settings(KPIS))
    for one in told:
        one.is_told_by(live.result(one.name))
    assert (tally.applied, tally.results, tally.cut) == (len(mixed), 22, 0)


def test_bytes_and_surrogates_survive_the_way(live, drain):
    whole = '{"a": "größer 😀"}'.encode()
    for name, fragments in {
        "cut in a character": [whole[:10], whole[10:]],
        "half a pair": ['{"a": "\ud83d', '\ude00"}'],
        "no UTF-8 at all": [b'{"a": "\xff', b'"}'],
        "nothing": [""],
    }.items():
        for number, fragment in enumerate(fragments):
            live.publish(name, fragment, last=number == len(fragments) - 1)
    drain()
    for name, fragments in {
        "cut in a character": [whole[:10], whole[10:]],
        "half a pair": ['{"a": "\ud83d', '\ude00"}'],
        "no UTF-8 at all": [b'{"a": "\xff', b'"}'],
    }.items():
        assert live.result(name).text == join(fragments).text, name
    nothing = live.result("nothing")
    assert (nothing.text, nothing.value, nothing.complete, nothing.status) == (None, None, False, "empty")


def test_what_comes_behind_a_closed_root_makes_a_new_revision(live, drain):
    live.publish("c", "[1, 2]")
    drain()
    first = live.result("c")
    assert (first.complete, first.final, first.revision) == (True, False, 1)
    live.publish("c", "I hope that this helps!", last=True)
    drain()
    second = live.result("c")
    assert (second.text, second.final, second.revision, second.fragments) == ("[1, 2]", True, 2, 2)
    assert [result.revision for result in live.watch(since="0", timeout=0.05)] == [2]


def test_kpis_options_and_what_the_model_was_asked_for_are_those_of_the_producer(live, drain):
    live.begin("c", [Kpi("n", "a", 9)], max_depth=3)
    live.begin("c", [Kpi("other", "b", 1)])  # the first who says it decides
    live.publish("c", HEAD, expected="continue")
    drain()
    assert live.standing("c").kpis == {"n": 1}
    live.publish("c", "[[[", seq=1)
    live.publish("c", END, expected="continue", last=True)
    drain(settings=Settings((Kpi("not-mine", "a"),)))
    result = live.result("c")
    assert result.kpis == {"n": 3}
    assert list(result.poisoned) == [1]
    with pytest.raises(KpiError):
        live.begin("d", [Kpi("n", "a"), Kpi("n", "b")])
    with pytest.raises(TypeError):
        live.begin("d", no_such_option=True)


@pytest.mark.parametrize(("asked", "rows"), [("continue", 3), ("anything", 2)])
def test_a_repetition_is_read_as_what_was_asked_for(live, drain, asked, rows):
    row = '["city", "population", "Minecraft (Minec"]'
    live.publish("c", f'{{"rows": [["city", "population", "Minecraft"], {row[:-2]}')
    live.publish("c", f'"], {row}]}}', expected=asked, last=True)
    drain()
    assert len(live.result("c").value["rows"]) == rows


def test_a_call_that_is_sent_again_after_a_lost_answer_is_one_fragment(live, drain, monkeypatch):
    publish = live._scripts.publish
    monkeypatch.setattr(live._scripts, "publish", lambda *call: [publish(*call) for _ in range(3)][-1])
    assert [live.publish("c", text, last=text == END) for text in (HEAD, MIDDLE, END)] == [0, 1, 2]
    tally = drain()
    assert (tally.applied, tally.duplicates) == (3, 0)
    assert live.result("c").text == join([HEAD, MIDDLE, END]).text


def test_what_has_no_room_in_memory_comes_back_from_its_snapshot(valkey_at, prefix, drain, monkeypatch):
    live = Conversations(valkey_at, prefix=prefix, partitions=1)
    monkeypatch.setattr("jsonseam.live.partition.MOST_LIVE", 2)
    monkeypatch.setattr("jsonseam.live.partition.BATCH", 3)
    for number in (0, 2, 1, 3):
        for name in "abcdefghijklmnop":
            live.publish(name, (HEAD, MIDDLE, "", END)[number], seq=number, last=number == 3)
    tally = drain()
    assert (tally.applied, tally.results, tally.waiting) == (64, 16, 0)
    assert tally.snapshots > 8
    for name in "abcdefghijklmnop":
        assert live.result(name).text == join([HEAD, MIDDLE, "", END]).text
        assert live.result(name).revision == 1


def test_a_fragment_that_raises_goes_to_the_dead_and_the_others_go_on(live, drain):
    live.begin("strict", strict=True)
    for text in (HEAD, ", 3} nonsense", MIDDLE):
        live.publish("strict", text)
    live.publish("strict", END, last=True)
    live.publish("fine", HEAD + END, last=True)
    tally = drain()
    result = live.result("strict")
    assert result.text == join([HEAD, MIDDLE, END]).text
    assert (result.complete, result.fragments) == (True, 4)
    assert list(result.poisoned) == [1]
    assert result.poisoned[1].startswith("MalformedError: ")
    assert live.result("fine").complete
    (dead,) = live.dead()
    assert (dead.kind, dead.error) == ("poison", result.poisoned[1])
    assert (dead.fields["conversation"], dead.fields["seq"], dead.fields["text"]) == (b"strict", b"1", b", 3} nonsense")
    assert (tally.dead, live.backlog()) == (1, 0)


def test_a_fragment_that_raises_behind_a_snapshot_leaves_what_the_snapshot_holds(live, drain):
    live.begin("c", strict=True)
    live.publish("c", HEAD)
    drain()
    live.publish("c", MIDDLE)
    live.publish("c", "]]]")
    live.publish("c", END, last=True)
    drain()
    assert live.result("c").text == join([HEAD, MIDDLE, END]).text
    assert list(live.result("c").poisoned) == [2]


def test_what_comes_behind_the_last_fragment_is_dead(live, drain):
    live.publish("c", MIDDLE, seq=2)
    live.publish("c", END, seq=1, last=True)
    live.publish("c", HEAD, seq=0)
    drain()
    live.publish("c", MIDDLE, seq=7)
    drain()
    assert live.result("c").text == join([HEAD, END]).text
    assert [(dead.kind, dead.fields["seq"]) for dead in live.dead()] == [
        ("behind-the-last", b"2"),
        ("behind-the-last", b"7"),
    ]
    assert live.standing("c").status == "complete"


WRONG = {
    "no-conversation": {"seq": 0, "text": "[1]"},
    "empty-conversation": {"conversation": "", "seq": 0, "text": "[1]"},
    "not-utf8": {"conversation": b"\xff", "seq": 0, "text": "[1]"},
    "no-number": {"conversation": "c", "text": "[1]"},
    "negative": {"conversation": "c", "seq": -1, "text": "[1]"},
    "huge": {"conversation": "c", "seq": "9" * 5000, "text": "[1]"},
    "not-a-number": {"conversation": "c", "seq": "²", "text": "[1]"},
    "no-text": {"conversation": "c", "seq": 0},
    "strange-last": {"conversation": "c", "seq": 0, "text": "[1]", "last": "maybe"},
    "strange-wish": {"conversation": "c", "seq": 0, "text": "[1]", "expected": "poetry"},
    "says-it-is-fine": {"kind": "fine", "error": "none"},
    "many-fields": {f"field{n}": n for n in range(5000)},
}


@pytest.mark.parametrize("fields", WRONG.values(), ids=WRONG.keys())
def test_an_entry_that_is_no_fragment_is_dead_and_harms_nobody(live, drain, server, fields):
    server.xadd(live._keys.fragments(3), fields)
    live.publish("c", "[1]", last=True)
    tally = drain()
    (dead,) = live.dead()
    assert dead.kind == "not-a-fragment"
    assert dead.error
    assert live.result("c").value == [1]
    assert (tally.dead, live.backlog()) == (1, 0)


def test_a_producer_need_not_know_the_partitions(live, drain, server):
    for number, text in enumerate((HEAD, MIDDLE, END)):
        fields = {"conversation": "somebody's", "seq": number, "text": text, "last": int(text == END)}
        server.xadd(live._keys.fragments(number), fields)
    tally = drain()
    assert live.result("somebody's").text == join([HEAD, MIDDLE, END]).text
    assert tally.forwarded >= 2


def test_a_full_stream_makes_the_producer_wait_but_takes_what_a_gap_waits_for(valkey_at, prefix, drain):
    live = Conversations(valkey_at, prefix=prefix, backlog=3, partitions=1)
    for number in (1, 2, 3):
        live.publish("c", (HEAD, MIDDLE, MIDDLE, END)[number], seq=number, last=number == 3)
    with pytest.raises(Backlogged):
        live.publish("c", HEAD, timeout=0.05)
    drain()  # it tells that number 0 is missing
    with pytest.raises(Backlogged):
        live.publish("other", "[1]", timeout=0.05)
    live.publish("c", HEAD, seq=0, timeout=0)
    drain()
    assert live.result("c").text == join([HEAD, MIDDLE, MIDDLE, END]).text
    live.publish("other", "[1]", timeout=0)
    live.close()


def test_snapshots_are_as_rare_as_keeps_their_cost_linear(live, drain):
    rows = [json.dumps({"number": n, "text": "x" * 900}) for n in range(400)]
    texts = ["[" + rows[0], *("," + row for row in rows[1:])]
    for text in texts:
        live.publish("long", text)
    live.publish("long", "]", last=True)
    tally = drain()
    assert live.result("long").value == json.loads("".join(texts) + "]")
    assert 0 < tally.snapshots < 20
    assert tally.applied == 401


def test_a_snapshot_that_cannot_be_read_stops_its_conversation_and_no_other(live, drain, server):
    for name in ("bad", "good"):
        live.publish(name, HEAD)
    drain()
    server.hset(live._keys.conversation("bad"), "state", '{"format": "of tomorrow"}')
    for name in ("bad", "good"):
        live.publish(name, END, last=True)
    tally = drain()
    assert (tally.stuck, live.result("good").complete, live.result("bad")) == (1, True, None)
    assert live.standing("bad").error.startswith("StateError: ")
    assert live.backlog() == 1  # it stays, for a worker that can read it


def test_a_conversation_that_cannot_be_saved_stops_no_other(live, drain, monkeypatch):
    save = Conversation.commit

    def fail(conversation):
        if conversation.name == "bad":
            raise RuntimeError("a fault of ours")
        return save(conversation)

    for name in ("bad", "good"):
        live.publish(name, HEAD + END, last=True)
    with monkeypatch.context() as patched:
        patched.setattr(Conversation, "commit", fail)
        assert drain().stuck == 1
    assert live.result("good").complete
    assert live.standing("bad").error == "RuntimeError: a fault of ours"
    drain()
    assert live.result("bad").complete
    assert live.standing("bad").error is None


def test_all_agree_on_the_partitions(valkey_at, prefix):
    first = Conversations(valkey_at, prefix=prefix, partitions=5)
    Conversations(valkey_at, prefix=prefix)
    with pytest.raises(PartitionsDiffer):
        Worker(valkey_at, prefix=prefix, partitions=6).run(drain=True)
    with pytest.raises(PartitionsDiffer):
        Conversations(valkey_at, prefix=prefix, partitions=0)
    first.close()


def test_a_result_is_waited_for_watched_kept_for_a_while_and_forgotten(live, drain, valkey_at, prefix):
    watched = live.watch(timeout=2.0)
    live.publish("c", HEAD)
    assert live.result("c", timeout=0.05) is None
    live.publish("c", END, last=True)
    drain(keep=60)
    assert next(watched).conversation == "c"
    assert 0 < live._client.ttl(live._keys.result("c")) <= 60
    live.publish("d", "[1]", last=True)
    drain(keep=0.5)  # not for ever
    assert live._client.ttl(live._keys.result("d")) in (0, 1)
    live.forget("c")
    assert live.result("c") is None
    assert live.standing("c").applied == 0


@pytest.mark.parametrize("name", ["", "\ud800"], ids=["empty", "lone-surrogate"])
def test_a_name_must_be_text(live, name):
    with pytest.raises(ValueError):  # noqa: PT011 - a UnicodeEncodeError is one
        live.publish(name, "[1]")


def test_a_word_that_no_worker_would_take_is_told_to_the_producer(live):
    with pytest.raises(ValueError, match="expected is 'everything', and none of anything, continue"):
        live.publish("c", "[1]", expected="everything")


def test_a_worker_that_is_asked_to_stop_stops_soon(valkey_at, prefix):
    worker = Worker(valkey_at, prefix=prefix)
    worker.stop()
    begun = time.monotonic()
    assert worker.run().applied == 0
    assert time.monotonic() - begun < 5


def test_what_one_process_makes_is_what_these_tests_compare_with():
    one = spoken(3)
    accumulator = Accumulator(KPIS)
    for fragment in one.fragments:
        accumulator.add(fragment)
    assert accumulator.complete
    assert len(one.fragments) > 5
    assert one.document.kpis["sections"] == 3
