"""Owners that change at any moment, and owners that do not know it: whatever happens, each fragment is joined once."""

from __future__ import annotations

import uuid
from functools import partial

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from jsonseam import join
from jsonseam.live import Conversations, Settings, Tally, Worker
from jsonseam.live.connection import ConnectionError, connect
from jsonseam.live.conversation import Conversation
from jsonseam.live.desk import Desk
from jsonseam.live.errors import Behind, LeaseLost
from jsonseam.live.keys import Keys
from jsonseam.live.leases import Leases, fair_share
from jsonseam.live.partition import Partition
from jsonseam.live.scripts import Scripts

FRAGMENTS = {
    "a": ['{"n": [10, 2', "0, 30, 4", "0, 50", ', 60, "sev', 'en"]}'],
    "b": ['{"text": "It goes', " on and on", " and on", '."}'],
    "c": ["[[1], [2", "2], [3], ", "[4]]"],
}
PUBLISHED = [(name, n, n == len(texts) - 1) for name, texts in FRAGMENTS.items() for n in range(len(texts))]


class Hand:
    """One worker's hold on the only partition, moved by the test; `partition` may be held by somebody else by now."""

    def __init__(self, url: str, keys: Keys, name: str) -> None:
        self.client = connect(url)
        self.keys = keys
        self.leases = Leases(self.client, keys, name, 1, 60)
        self.desk = Desk(self.client, Scripts(self.client), keys, name, 1, Settings(), 0, Tally(), lambda: False)
        self.partition: Partition | None = None

    def take_over(self) -> None:
        """The lease of whoever has it is over."""
        self.client.delete(self.keys.owner(0))
        self.leases.tokens.clear()
        for number, token, last in self.leases.acquire():
            self.partition = Partition(self.desk, number, token, last)

    def work(self) -> int:
        return self._guarded(lambda partition: partition.work())

    def settle(self) -> None:
        self._guarded(lambda partition: partition.settle())

    def crash(self) -> None:
        """Lose all memory, and keep the lease."""
        if self.partition is not None:
            self.partition.forget()

    def _guarded(self, do) -> int:
        if self.partition is None:
            return 0
        try:
            return do(self.partition) or 0
        except LeaseLost:
            self.partition = None
        except Behind:
            self.partition.forget()
        return 0


MOVES = st.one_of(
    st.tuples(st.just("publish"), st.sampled_from(PUBLISHED)),
    st.tuples(st.sampled_from(["work", "work", "settle", "take_over", "crash"]), st.integers(0, 2)),
)


@given(st.lists(MOVES, max_size=40))
@settings(max_examples=25)
def test_whoever_has_the_partition_whenever_every_fragment_is_joined_once(valkey_at, moves):
    prefix = uuid.uuid4().hex
    live = Conversations(valkey_at, prefix=prefix, partitions=1)
    hands = [Hand(valkey_at, Keys(prefix), f"hand{n}") for n in range(3)]
    hands[0].take_over()
    sent = 0
    for move, what in [*moves, *(("publish", which) for which in PUBLISHED)]:
        if move == "publish":
            name, number, last = what
            live.publish(name, FRAGMENTS[name][number], seq=number, last=last)
            sent += 1
        else:
            getattr(hands[what], move)()
    for _ in range(2):  # whoever slept wakes up, and finds that it is over
        for hand in hands:
            hand.settle()
            hand.work()
    hands[1].take_over()
    while hands[1].work():
        pass
    hands[1].settle()
    for name, texts in FRAGMENTS.items():
        result = live.result(name)
        assert result is not None
        assert (result.text, result.fragments) == (join(texts).text, len(texts))
        assert (result.complete, result.final, result.revision) == (True, True, 1)
        assert len(result.report["seams"]) == len(texts) - 1
    twice = sum(live.standing(name).duplicates for name in FRAGMENTS)
    assert twice == sent - len(PUBLISHED)
    assert [result.conversation for result in live.watch(since="0", timeout=0.001)].__len__() == len(FRAGMENTS)
    assert (live.backlog(), live.dead()) == (0, [])
    for hand in hands:
        hand.client.close()
    live.close()


def test_a_worker_that_slept_through_its_lease_changes_nothing(valkey_at, prefix):
    live = Conversations(valkey_at, prefix=prefix, partitions=1)
    sleeper, other = Hand(valkey_at, Keys(prefix), "sleeper"), Hand(valkey_at, Keys(prefix), "other")
    sleeper.take_over()
    live.publish("a", FRAGMENTS["a"][0])
    assert sleeper.work() == 1  # applied in memory, not saved
    asleep = sleeper.partition
    live.publish("a", FRAGMENTS["a"][1])
    other.take_over()
    assert other.work() == 1  # what the sleeper left
    assert other.work() == 1
    other.settle()
    before = live._client.hgetall(Keys(prefix).conversation("a"))
    with pytest.raises(LeaseLost):
        asleep.settle()
    with pytest.raises(LeaseLost):
        asleep.work()
    assert live._client.hgetall(Keys(prefix).conversation("a")) == before
    assert live.standing("a").applied == 2


def test_a_commit_that_is_sent_again_is_done_once(valkey_at, prefix, monkeypatch):
    live = Conversations(valkey_at, prefix=prefix, partitions=1)
    hand = Hand(valkey_at, Keys(prefix), "hand")
    hand.take_over()
    for number, text in enumerate(FRAGMENTS["c"]):
        live.publish("c", text, last=number == 2)
    commit, answers = hand.desk.scripts.commit, []

    def twice(keys, arguments):
        answers.extend([commit(keys, arguments), commit(keys, arguments)])
        return answers[-1]

    monkeypatch.setattr(hand.desk.scripts, "commit", twice)
    hand.work()
    assert answers == [b"done", b"done"]
    assert live.result("c").revision == 1
    assert live._client.xlen(Keys(prefix).results) == 1


def test_the_names_of_dead_workers_go_and_what_is_pending_stays(valkey_at, prefix):
    live = Conversations(valkey_at, prefix=prefix, partitions=1)
    live.publish("a", FRAGMENTS["a"][1], seq=1)
    for name in ("first", "second", "third"):
        hand = Hand(valkey_at, Keys(prefix), name)
        hand.take_over()
        hand.work()
    (consumer,) = live._client.xinfo_consumers(Keys(prefix).fragments(0), "workers")
    assert (consumer["name"], consumer["pending"]) == (b"third", 1)


def test_a_partition_that_was_taken_before_the_connection_was_lost_is_worked_on(valkey_at, prefix, monkeypatch):
    live = Conversations(valkey_at, prefix=prefix, partitions=2)
    for name in "abcdefgh":
        live.publish(name, "[1]", last=True)
    calls = []

    class LosesTheSecondAnswer(Scripts):
        def __init__(self, client):
            super().__init__(client)
            self.acquire = partial(self._lose, self.acquire)

        def _lose(self, acquire, keys, arguments):
            calls.append(keys)
            if len(calls) == 2:
                raise ConnectionError("lost")
            return acquire(keys, arguments)

    monkeypatch.setattr("jsonseam.live.leases.Scripts", LosesTheSecondAnswer)
    tally = Worker(valkey_at, prefix=prefix).run(drain=True)
    assert (tally.reconnects, len(calls)) == (1, 3)
    assert [live.result(name).value for name in "abcdefgh"] == [[1]] * 8


class Death(BaseException):
    """What no handler sees, as the kernel's killer."""


def test_a_fragment_that_workers_die_of_is_put_away_and_its_neighbours_are_not(valkey_at, prefix, monkeypatch):
    live = Conversations(valkey_at, prefix=prefix, partitions=1)
    apply = Conversation.apply

    def die(conversation):
        if "poison" in conversation.ready.text and conversation.next not in conversation.poison:
            raise Death
        apply(conversation)

    monkeypatch.setattr(Conversation, "apply", die)
    for text in ("[1", ", 2", "poison", ", 3"):
        live.publish("bad", text)
    live.publish("bad", "]", last=True)
    live.publish("other", "[1]", last=True)
    deaths = 0
    while live.result("bad") is None and deaths < 20:
        hand = Hand(valkey_at, Keys(prefix), f"hand{deaths}")
        hand.take_over()
        try:
            while hand.work():
                pass
        except Death:
            deaths += 1
    assert deaths == 4
    result = live.result("bad")
    assert (result.text, list(result.poisoned), result.final) == ("[1, 2, 3]", [2], True)
    assert live.result("other").value == [1]
    assert [(dead.kind, dead.fields["text"]) for dead in live.dead()] == [("poison", b"poison")]


# partitions, workers, the most that one has
SHARES = [(16, 1, 16), (16, 2, 8), (16, 3, 6), (16, 16, 1), (16, 40, 1), (1, 3, 1), (16, 0, 16)]


@pytest.mark.parametrize(("partitions", "workers", "most"), SHARES)
def test_partitions_are_shared(partitions, workers, most):
    assert fair_share(partitions, workers) == most
