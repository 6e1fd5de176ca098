"""Many streams at once: feeding gives other tasks their turn, a cancelled one loses nothing, a parked one is small."""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
import tracemalloc
from collections.abc import AsyncIterator, Iterable
from typing import Any

import pytest

from jsonseam import Accumulator
from tests.helpers import ROOT, cut

VALUE = {"rows": [{"id": number, "name": f"naïve 😀 {number}"} for number in range(2000)]}
TEXT = json.dumps(VALUE, ensure_ascii=False)


async def stream(chunks: Iterable[Any]) -> AsyncIterator[Any]:
    for chunk in chunks:
        yield chunk


@pytest.mark.parametrize("text", [TEXT, TEXT.encode()], ids=["characters", "bytes"])
@pytest.mark.parametrize("size", [1000, 1 << 30])
def test_other_tasks_run_between_the_slices_of_a_chunk(text: Any, size: int) -> None:
    async def main() -> int:
        turns, over = 0, False

        async def other() -> None:
            nonlocal turns
            while not over:
                turns += 1
                await asyncio.sleep(0)

        task = asyncio.create_task(other())
        accumulator = Accumulator()
        step = await accumulator.aadd(stream(cut(text, size)))
        over = True
        await task
        assert step.complete
        assert accumulator.value == VALUE
        return turns

    assert asyncio.run(main()) >= len(text) // 8192


def test_a_cancelled_stream_loses_nothing_and_can_be_gone_on_with() -> None:
    async def main() -> None:
        accumulator = Accumulator()
        half = len(TEXT) // 2
        task = asyncio.create_task(accumulator.aadd(stream([TEXT[:half], TEXT[half:]])))
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        assert 0 < len(accumulator.text) < half
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        assert accumulator.text == TEXT[:half]
        step = await accumulator.aadd(stream([TEXT[half:]]))
        assert step.complete
        assert step.seam is None
        assert accumulator.value == VALUE

    asyncio.run(main())


def test_an_error_of_the_stream_leaves_what_came_before() -> None:
    async def broken() -> AsyncIterator[str]:
        yield TEXT[:100]
        raise OSError("the connection is gone")

    async def main() -> None:
        accumulator = Accumulator()
        with pytest.raises(OSError, match="gone"):
            await accumulator.aadd(broken())
        accumulator.end_fragment()
        assert accumulator.add(TEXT[100:]).complete

    asyncio.run(main())


def test_many_streams_share_a_loop() -> None:
    async def main() -> None:
        accumulators = [Accumulator() for _ in range(20)]
        await asyncio.gather(*(one.aadd(stream(cut(TEXT, 997))) for one in accumulators))
        assert all(one.value == VALUE for one in accumulators)

    asyncio.run(main())


@pytest.mark.parametrize("size", [1, 7, 4096])
def test_a_parked_accumulator_goes_on_as_if_nothing_had_been(size: int) -> None:
    text = json.dumps({"a": [1, 2.5, {"b": 'x "y" \\ 😀', "c": None}], "d": {"e": [[], {}, True]}}, indent=1)
    accumulator, plain = Accumulator(), Accumulator()
    for chunk in cut(text, size):
        accumulator.feed(chunk)
        plain.feed(chunk)
        accumulator.park()
        assert accumulator.value == plain.value
        assert accumulator._parser.tokenizer.idle
    assert accumulator.end_fragment().complete
    assert accumulator.finish() == plain.finish()


HARBOURS = [
    {"id": at, "name": f"Küste {at * 7919 % 97}", "note": 'a "b" \\ c ' * (at % 4), "on": at % 3 == 0}
    for at in range(90)
]
DOCUMENT = json.dumps({"title": "Häfen", "rows": HARBOURS})
CUT = DOCUMENT.index('"name"', 6000) + 12
ROW = DOCUMENT.rindex('{"id"', 0, CUT)
RESTYLED = DOCUMENT[ROW:].replace(", ", ",\n  ").replace("\\u00fc", "ü")
GOING_ON = {
    "literally": DOCUMENT[CUT:],
    "the end said again": DOCUMENT[CUT - 150 :],
    "the item said again": DOCUMENT[ROW:],
    "and in another layout and spelling": RESTYLED,
    "the path opened again": '{"rows": [' + DOCUMENT[ROW:],
    "in a fence, behind prose": "Here is the rest:\n\n```json\n" + DOCUMENT[ROW:] + "\n```",
    "all of it said again": DOCUMENT,
    "no data": "I am sorry, but I cannot go on with this. Please ask again!",
}


@pytest.mark.parametrize("size", [1, 13, 200])
@pytest.mark.parametrize("way", GOING_ON)
def test_a_seam_is_the_same_however_its_fragment_comes(way: str, size: int) -> None:
    whole, plain, looked_at = Accumulator(), Accumulator(), Accumulator()
    for accumulator in (whole, plain, looked_at):
        accumulator.add(DOCUMENT[:CUT])
    whole.add(GOING_ON[way])
    for at, chunk in enumerate(cut(GOING_ON[way][:1200], size)):
        plain.feed(chunk)
        looked_at.feed(chunk)
        assert looked_at.value == plain.value
        if at % 3 == 0:
            looked_at.park()
    for accumulator in (plain, looked_at):
        accumulator.feed(GOING_ON[way][1200:])
        accumulator.end_fragment()
        assert accumulator.finish() == whole.finish()
    if way == "no data":
        assert whole.seams[0].kind == "rejected"
    else:
        assert whole.finish().value == {"title": "Häfen", "rows": HARBOURS}


ROWS = [{"id": number, "text": "Zürich 東京 😀 " * 3, "code": "} else {"} for number in range(120)]
WIDE = json.dumps({"rows": ROWS, "end": [1, 2]}, ensure_ascii=False, indent=1)


@pytest.mark.parametrize("size", [16, 900, 5000])
@pytest.mark.parametrize(
    "answers",
    [
        [WIDE[:5000], WIDE[5000:]],
        [WIDE[:5000], WIDE[4900:9000], WIDE[8800:]],
        [WIDE[:7000], WIDE],
        [WIDE[:4000] + "]]", WIDE[4000:]],
    ],
    ids=["continued", "with an overlap", "said again", "with a fault"],
)
def test_a_parked_accumulator_meets_a_seam_as_if_nothing_had_been(answers: list[str], size: int) -> None:
    parked, plain = Accumulator(), Accumulator()
    for answer in answers:
        for chunk in cut(answer, size):
            parked.park()
            parked.feed(chunk)
            plain.feed(chunk)
        parked.park()
        assert (parked.closed, parked.path, parked.kpis) == (plain.closed, plain.path, plain.kpis)
        assert parked.end_fragment() == plain.end_fragment()
        parked.park()
        assert parked.checkpoint() == plain.checkpoint()
    assert parked.text == plain.text
    assert parked.finish() == plain.finish()


def test_parked_text_with_an_emoji_does_not_take_four_bytes_a_character() -> None:
    text = json.dumps(["plain words and one 😀"] * 10_000, ensure_ascii=False)
    tracemalloc.start()
    accumulator = Accumulator()
    accumulator.feed(text)
    before = tracemalloc.get_traced_memory()[0]
    accumulator.park()
    saved = before - tracemalloc.get_traced_memory()[0]
    tracemalloc.stop()
    assert 2.5 * len(text) < saved < 3 * len(text)
    assert accumulator.text == text


MEASURE = """
import gc, json, sys
from jsonseam import Accumulator

def resident():
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * 4096

def held(make):
    gc.collect()
    before = resident()
    all_of_them = [make() for _ in range(10_000)]
    gc.collect()
    return (resident() - before) / len(all_of_them)

text = '{"id": 1, "name": "something", "rows": [{"a": 1, "b": "tw'
def document():
    return json.loads(text + '"}]}'), (text + " ")[:-1]
def live():
    accumulator = Accumulator()
    accumulator.feed(text)
    return accumulator
def parked():
    accumulator = live()
    accumulator.park()
    return accumulator
document(), parked()
print(held(globals()[sys.argv[1]]))
"""


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="the resident size is read from /proc")
def test_an_accumulator_is_small_and_a_parked_one_smaller() -> None:
    """Bytes an accumulator beyond its document, of 10,000; a process each, so that no freed memory is used again."""

    def measured(what: str) -> float:
        run = subprocess.run(
            [sys.executable, "-c", MEASURE, what], capture_output=True, text=True, check=True, cwd=ROOT
        )
        return float(run.stdout)

    document = measured("document")
    assert measured("live") - document < 7_000
    assert measured("parked") - document < 2_500
