"""The page in a real browser, headless Chromium: it shows documents as they grow, and text stays text."""

from __future__ import annotations

import json
import shutil
import threading
from collections.abc import Iterator
from typing import Any

import httpx2
import openai
import pytest

from jsonseam.gateway.budget import Limits
from jsonseam.proxy.asking import read_asked
from jsonseam.proxy.conversation import Conversation
from jsonseam.proxy.live import KEPT, Hub
from jsonseam.proxy.switches import Switch
from tests.proxy.running import proxy
from tests.proxy.scripted import Asked, Pieces, Upstream, answer, chunked, events

sync_api = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
EVIL = '<img src=x onerror="document.title=1"><script>document.title=2</script>&amp;'


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    found = next(filter(None, map(shutil.which, BROWSERS)), None)
    if found is None:
        pytest.skip(f"no Chromium on this machine (looked for {', '.join(BROWSERS)})")
    with sync_api.sync_playwright() as playwright:
        launched = playwright.chromium.launch(executable_path=found, args=["--no-sandbox", "--disable-gpu"])
        yield launched
        launched.close()


class Steps:
    """An upstream whose streamed answers wait for the test: `go` lets the next one out."""

    def __init__(self, *texts: tuple[str, str]) -> None:
        self.texts = texts
        self.go = [threading.Event() for _ in texts]

    def __call__(self, asked: Asked) -> Pieces:
        self.go[asked.number].wait(20)
        return chunked(events(*self.texts[asked.number]))


def asking(address: str, **headers: str) -> threading.Thread:
    def run() -> None:
        with openai.OpenAI(base_url=f"{address}/v1", api_key="none", max_retries=0) as client:
            told: Any = {"model": f"model {EVIL}", "messages": [{"role": "user", "content": "write"}]}
            format: Any = {"type": "json_object"}
            list(client.chat.completions.create(stream=True, response_format=format, extra_headers=headers, **told))

    thread = threading.Thread(target=run, daemon=True)
    thread.start()
    return thread


def test_a_document_grows_on_the_page(browser: Any) -> None:
    first = f'{{"rows": [{json.dumps(EVIL)}, "two", "thr'
    steps = Steps((first, "length"), ('"two", "three", "four"', "length"), (', "five"]}', "stop"))
    with Upstream(steps) as upstream, proxy(f"{upstream.address}/v1") as address:
        page = browser.new_page()
        complaints: list[str] = []
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.on("console", lambda said: complaints.append(said.text))
        page.goto(address)
        sync_api.expect(page.locator("#link")).to_have_text("live")
        sync_api.expect(page.locator("#nothing")).to_contain_text(f"{address}/v1")

        thread = asking(address, **{"x-jsonseam-kpi": "rows=rows:5", "x-jsonseam": "rounds=7"})
        steps.go[0].set()
        card = page.locator(".card")
        sync_api.expect(card).to_have_count(1)
        sync_api.expect(card.locator(".tail")).to_have_text(first)
        sync_api.expect(card.locator(".kpi .value")).to_have_text("2 of 5")
        sync_api.expect(card.locator(".rounds")).to_have_text("2 of 7")
        sync_api.expect(card.locator(".path")).to_have_text("/rows/2")
        sync_api.expect(card.locator(".path")).to_be_visible()
        sync_api.expect(page.locator("#running")).to_have_text("1")
        assert card.locator(".seam").count() == 0

        steps.go[1].set()
        seam = card.locator(".seam").first
        sync_api.expect(seam.locator(".kind")).to_have_text("overlap")
        sync_api.expect(seam.locator(".before")).to_contain_text("two")
        sync_api.expect(seam.locator(".dropped")).to_contain_text('"two"')
        sync_api.expect(seam.locator(".after")).to_contain_text("ee")
        sync_api.expect(card.locator(".kpi .value")).to_have_text("4 of 5")

        steps.go[2].set()
        thread.join(10)
        sync_api.expect(card.locator(".state")).to_have_text("complete")
        sync_api.expect(card.locator(".path")).to_be_hidden()  # nobody writes there any more
        sync_api.expect(card.locator(".seam")).to_have_count(2)
        sync_api.expect(page.locator("#completed")).to_have_text("1")
        sync_api.expect(card.locator(".kpi progress")).to_have_js_property("value", 5)
        sync_api.expect(card.locator(".model")).to_contain_text(EVIL[:20])
        assert page.title() == "jsonseam: documents in the making"
        assert page.locator("main img, main script").count() == 0
        assert complaints == []
        page.close()


BODY = {"messages": [{"role": "user", "content": "x"}], "response_format": {"type": "json_object"}}


def test_whoever_comes_later_sees_what_is_there(browser: Any) -> None:
    with Upstream(lambda asked: [answer('{"a": 1}')]) as upstream, proxy(f"{upstream.address}/v1") as address:
        for _ in range(3):
            httpx2.post(f"{address}/v1/chat/completions", json=BODY)
        page = browser.new_page()
        page.goto(address)
        sync_api.expect(page.locator(".card.complete")).to_have_count(3)
        page.close()


def test_what_is_kept_for_the_page_is_bounded() -> None:
    hub = Hub()
    for _ in range(KEPT + 5):
        asked = read_asked(json.dumps(BODY).encode())
        assert asked is not None
        talk = Conversation(asked, Switch(Limits()), (hub,))
        talk.next_request()
        talk.hear('{"a": 1}')
        talk.end_round("stop", None)
        talk.close()
    changes = hub.changes(-1)
    assert len(changes["documents"]) == len(changes["kept"]) == KEPT
    assert (changes["total"], changes["completed"], changes["running"]) == (KEPT + 5, KEPT + 5, 0)
    assert hub.changes(changes["version"])["documents"] == []


def test_nothing_from_elsewhere() -> None:
    with proxy("http://127.0.0.1:9/v1") as address:
        served = [httpx2.get(address + path) for path in ("/", "/live/page.js", "/live/page.css", "/live/icon.svg")]
    for answered in served:
        assert answered.status_code == 200
        assert "default-src 'none'" in answered.headers["content-security-policy"]
        assert "http" not in answered.text.replace("http://www.w3.org/2000/svg", "")
        assert "innerHTML" not in answered.text


def test_no_page_where_it_is_not_wanted() -> None:
    theirs = Upstream(lambda asked: [answer("theirs")])
    with theirs as upstream, proxy(f"{upstream.address}/v1", page=False) as address:
        assert "theirs" in httpx2.get(address).text
        assert httpx2.get(f"{address}/health").json() == {"status": "ok"}
