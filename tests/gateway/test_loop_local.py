"""The real model inside the process: its answers are truly cut, and the document is whole all the same."""

import json

import pytest

from jsonseam.gateway import KpisDefined, KpisRefused, Limits, Received, run
from jsonseam.gateway.local_model import missing_reason

pytestmark = [
    pytest.mark.skipif(missing_reason() is not None, reason=str(missing_reason())),
    pytest.mark.xdist_group("local-model"),  # its threads want the machine for themselves
]


@pytest.fixture(scope="module")
def demo():
    from jsonseam.gateway.demo_model import demo_model

    with demo_model("local") as running:
        yield running


def ask(demo, **settings):
    events = []
    result = run(
        demo.model(),
        demo.prompt,
        on_event=events.append,
        schema=demo.schema,
        max_tokens=demo.max_tokens,
        **settings,
    )
    return result, events


def test_a_document_of_twenty_items_from_a_model_that_is_cut_again_and_again(demo):
    result, events = ask(demo, kpis=(), limits=Limits(calls=40))
    assert (result.complete, result.reason) == (True, "Complete")
    assert len(json.loads(result.text)["items"]) == 20
    # it went on behind the exact text, so nothing but joining its words can be right
    assert result.value == json.loads("".join(event.text for event in events if isinstance(event, Received)))
    assert len(result.seams) >= 3
    assert result.usage.completion_tokens > 3 * demo.max_tokens


def test_it_is_asked_for_kpis_and_where_it_has_none_items_are_counted(demo):
    result, events = ask(demo, definition_tokens=150, limits=Limits(calls=5))
    asked = [event for event in events if isinstance(event, KpisDefined | KpisRefused)]
    assert asked
    assert result.progress == ("kpis" if isinstance(asked[-1], KpisDefined) else "growth")
    assert len(result.value["items"]) >= 2
