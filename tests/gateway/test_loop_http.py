"""Every way in which the simulated model goes on, over real HTTP: the document comes out, and the sums are right.

Twenty documents for each behaviour; each is asked for in one of the four ways, by turns. JSONSEAM_ALL_WAYS=1 asks for
each in all four.
"""

import json
import os

import pytest

from jsonseam.gateway.behaviours import BEHAVIOURS
from jsonseam.gateway.openai_model import OpenAIModel
from jsonseam.gateway.retries import RetryPolicy
from jsonseam.gateway.truncating_server import TruncatingServer
from tests.gateway.ways import WAYS

DOCUMENTS = 20
ALL_WAYS = bool(os.environ.get("JSONSEAM_ALL_WAYS"))
KINDS = ("report", "table", "records")
QUICK = RetryPolicy(first_wait=0.01)


@pytest.fixture(scope="module")
def server():
    with TruncatingServer(seed=3, chunk=120, stall=20) as running:
        yield running


def ask(server, way, name, *, user, **settings):
    model = OpenAIModel(name, base_url=server.base_url, retry=QUICK)
    return way.run(model, "Write the document.", options={"user": user}, **settings)


def wanted(server, name):
    return json.loads(server.outline(name.rsplit("/", 1)[1]).text)


@pytest.mark.parametrize("behaviour", BEHAVIOURS)
def test_each_behaviour_gives_the_document_and_the_sums(server, behaviour):
    wrong = []
    for number in range(DOCUMENTS):
        kind = "repetitive" if behaviour == "repetitive" else KINDS[number % len(KINDS)]
        name = f"truncating/{behaviour}/{kind}-{number}"
        for way in WAYS if ALL_WAYS else (WAYS[number % len(WAYS)],):
            user = f"{name} {way.name}"
            # every other document without the definition call
            result = ask(server, way, name, user=user, kpis=None if number % 2 else ())
            assert result.usage == server.usage(user), user
            assert result.calls == sum(call.conversation == user for call in server.calls)
            assert result.uncounted == 0
            assert result.iterations > 1
            if (result.value, result.complete, result.reason) != (wanted(server, name), True, "Complete"):
                wrong.append((user, result.reason, result.seams))
    assert not wrong
