"""Two hundred runs at once on one event loop, over real HTTP: each gets its own document, and none of another's."""

import asyncio
import json

from jsonseam.gateway import SqliteStore, arun
from jsonseam.gateway.openai_model import OpenAIModel
from jsonseam.gateway.truncating_server import TruncatingServer

RUNS = 200


def document(number):
    rows = [[f"run {number}", row, f"{number}-{row * row}"] for row in range(12 + number % 7)]
    return {"run": number, "rows": rows}


def test_two_hundred_runs_at_once_are_not_mixed_up(tmp_path):
    documents = {f"run-{n}": json.dumps(document(n)) for n in range(RUNS)}
    store = SqliteStore(tmp_path / "runs.db")

    async def go(base_url):
        model = OpenAIModel("truncating/exact", base_url=base_url)

        async def one(number):
            name = f"run-{number}"
            about = {"extra_body": {"metadata": {"document": name, "conversation": name}}}
            return await arun(
                model,
                f"Write {name}.",
                store if number % 4 == 0 else None,
                run_id=name,
                kpis=None if number % 5 == 0 else (),
                stream=number % 2 == 0,
                options=about,
            )

        return await asyncio.gather(*(one(number) for number in range(RUNS)))

    with TruncatingServer(documents, seed=11, chunk=200) as server:
        results = asyncio.run(go(server.base_url))
        for number, result in enumerate(results):
            assert result.id == f"run-{number}"
            assert result.value == document(number)
            assert (result.reason, result.usage) == ("Complete", server.usage(f"run-{number}"))
            assert len(result.seams) >= 1
    assert len(store.ids()) == RUNS // 4
    assert {store.load(name).state["reason"] for name in store.ids()} == {"Complete"}
