"""Faults of the wire: the document comes out all the same, or the run ends with a reason and what there is."""

import json

import pytest

from jsonseam.gateway import Limits
from jsonseam.gateway.openai_model import OpenAIModel
from jsonseam.gateway.retries import RetryPolicy
from jsonseam.gateway.truncating_server import TruncatingServer
from tests.gateway.ways import each_way

QUICK = RetryPolicy(first_wait=0.01)


@pytest.fixture(scope="module")
def server():
    with TruncatingServer(seed=5, chunk=60, stall=20) as running:
        yield running


def ask(server, way, name, **settings):
    model = OpenAIModel(name, base_url=server.base_url, retry=QUICK)
    return way.run(model, "Write the document.", options={"user": f"{name} {way.name}"}, **settings)


def wanted(server, name):
    return json.loads(server.outline(name.rsplit("/", 1)[1]).text)


@each_way
@pytest.mark.parametrize(
    ("faults", "document", "retries", "progress"),
    [
        ("429@0", "records-1", 1, "kpis"),
        ("503@0+500@1", "records-1", 2, "kpis"),
        ("says-stop", "records-1", 0, "kpis"),
        ("says-length", "records-1", 0, "kpis"),
        ("no-finish", "records-1", 0, "kpis"),
        # where the answer is cut inside a string nobody could tell prose from data: not so in this document
        ("prose@1", "table-11", 0, "kpis"),
        ("empty@1", "records-1", 0, "kpis"),
        ("bad-kpis-once", "records-1", 0, "kpis"),
        ("bad-kpis", "records-1", 0, "growth"),
    ],
)
def test_the_document_comes_out_all_the_same(server, way, faults, document, retries, progress):
    name = f"truncating/exact+{faults}/{document}"
    result = ask(server, way, name)
    assert (result.value, result.reason) == (wanted(server, name), "Complete")
    assert (result.retries, result.progress) == (retries, progress)


@each_way
@pytest.mark.parametrize("fault", ["cut", "disconnect", "error-mid"])
def test_an_answer_that_breaks_off_is_kept_or_asked_for_again(server, way, fault):
    name = f"truncating/exact+{fault}@1/records-2"
    result = ask(server, way, name)
    assert (result.value, result.reason) == (wanted(server, name), "Complete")


@each_way
def test_usage_that_the_server_does_not_tell_is_said_to_be_missing(server, way):
    result = ask(server, way, "truncating/exact+no-usage@1/records-3", kpis=())
    assert result.complete
    assert result.uncounted == 1


@each_way
@pytest.mark.parametrize("fault", ["stall", "stall-mid"])
def test_a_server_that_falls_silent_is_left_when_the_time_is_over(server, way, fault):
    result = ask(server, way, f"truncating/exact+{fault}@1/records-4", limits=Limits(seconds=1.0))
    assert result.reason == "Time limit"
    assert result.value
    assert result.seconds < 5


@each_way
def test_a_server_that_refuses_is_a_failure_with_what_there_is(server, way):
    result = ask(server, way, "truncating/exact+400@1+400@2/records-5")
    assert result.reason == "Model failed"
    assert result.value
    assert result.error.status == 400


@each_way
def test_the_limit_of_tokens_of_an_answer_is_what_cuts_it(server, way):
    name = "truncating/exact/records-6"
    result = ask(server, way, name, max_tokens=100, kpis=())
    assert result.value == wanted(server, name)
    assert result.iterations >= len(result.text) // 400
