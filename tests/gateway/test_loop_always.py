"""For every conversation: the four ways agree, and an interrupted run comes out as an uninterrupted one."""

import json
import tempfile
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

from jsonseam.gateway import Answer, Limits, ScriptedModel, SqliteStore, Usage, resume, run
from tests.gateway.ways import WAYS, kpis

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-999, 999) | st.text(max_size=12),
    lambda inner: (
        st.lists(inner, max_size=4) | st.dictionaries(st.text("abcd", min_size=1, max_size=3), inner, max_size=4)
    ),
    max_leaves=25,
)
DOCUMENTS = st.dictionaries(st.sampled_from(["items", "title", "sections"]), VALUES, min_size=1).map(json.dumps)
NOISE = st.sampled_from(["", "I'm sorry, I cannot go on.", "```json\n", "}", '{"items": [', '"', ", 3", "nul"])
DEFINITIONS = st.sampled_from(
    ["no idea", kpis(("n", "items", 50)), kpis(("n", "title.x", 2)), kpis(("n", "sections[*]", 9))]
)


@st.composite
def conversations(draw):
    """A document in pieces, with noise between them, and how the KPIs are answered."""
    text = draw(DOCUMENTS)
    cuts = sorted(draw(st.sets(st.integers(1, len(text)), max_size=5)))
    said = [text[a:b] for a, b in zip([0, *cuts], [*cuts, len(text)], strict=True)]
    for _ in range(draw(st.integers(0, 2))):
        said.insert(draw(st.integers(0, len(said))), draw(NOISE))
    return said, draw(st.lists(DEFINITIONS, min_size=2, max_size=2))


def model_of(conversation):
    said, definitions = conversation
    lines = [Answer(text, "length", Usage(7, 3)) for text in said]
    return ScriptedModel(lines, kpis=definitions, chunk=5)


def outcome(result):
    kpi_values = [(kpi.id, kpi.value) for kpi in result.kpis]
    return result.text, result.complete, result.reason, result.iterations, result.usage, kpi_values, result.notes


@settings(max_examples=60, deadline=None)
@given(conversations())
def test_the_four_ways_agree(conversation):
    first, *others = (outcome(way.run(model_of(conversation))) for way in WAYS)
    assert all(other == first for other in others)


@settings(max_examples=60, deadline=None)
@given(conversations(), st.integers(1, 6))
def test_a_run_that_stops_and_is_resumed_comes_out_as_one_that_does_not(conversation, calls):
    whole = run(model_of(conversation), "x")
    with tempfile.TemporaryDirectory() as folder:
        store = SqliteStore(Path(folder) / "runs.db")
        model = model_of(conversation)
        first = run(model, "x", store, limits=Limits(calls=calls), run_id="r")
        if first.reason != "Call limit":
            assert outcome(first) == outcome(whole)
        elif whole.reason in ("Complete", "No progress"):
            result = resume("r", model, store)
            assert outcome(result)[:3] == outcome(whole)[:3]
        store.close()
