"""What is not the proxy's business passes to the byte, there and back, on real sockets."""

from __future__ import annotations

import gzip
import json
import socket
import time
from typing import Any

import httpx2
import pytest

from tests.proxy.running import proxy
from tests.proxy.scripted import Asked, Pieces, Upstream, answer, chunked, events, response

CHAT = {"model": "m", "messages": [{"role": "user", "content": "write"}]}
BINARY = bytes(range(256)) * 300


def whole(raw: bytes) -> Any:
    def script(asked: Asked) -> Pieces:
        return [raw]

    return script


REQUESTS = {
    "a list of models": ("GET", "/v1/models", b""),
    "a query": ("GET", "/v1/files?after=a%2Fb&limit=%32&x=&x=1+2", b""),
    "escapes and dots in the path": ("GET", "/v1/files/a%2Fb/../c;d/%C3%A9/", b""),
    "no v1": ("GET", "/tokenize?x=1", b""),
    "another method": ("DELETE", "/v1/files/f-1", b""),
    "an unusual method": ("PATCH", "/v1/x", b"{}"),
    "embeddings": ("POST", "/v1/embeddings", b'{"input":  "x"}'),
    "a binary body": ("POST", "/v1/files", BINARY),
    "a chat that is no JSON": ("POST", "/v1/chat/completions", b"{oops"),
    "a chat with tools": ("POST", "/v1/chat/completions", json.dumps({**CHAT, "tools": [{}]}, indent=3).encode()),
    "two choices": ("POST", "/v1/chat/completions", json.dumps({**CHAT, "n": 2}).encode()),
    "the first round of a chat": ("POST", "/v1/chat/completions", json.dumps(CHAT, indent=5).encode()),
}


@pytest.mark.parametrize("case", REQUESTS)
def test_requests_reach_the_upstream_as_they_are(case: str) -> None:
    method, path, body = REQUESTS[case]
    with Upstream(whole(answer("text"))) as upstream, proxy(f"{upstream.address}/base/v1") as address:
        host, port = address.removeprefix("http://").split(":")
        with socket.create_connection((host, int(port))) as connection:
            head = f"{method} {path} HTTP/1.1\r\nHost: me\r\nX-Odd: 1\r\nX-Odd: 2\r\nAuthorization: Bearer k\r\n"
            length = f"Content-Length: {len(body)}\r\n" if body else ""
            connection.sendall(f"{head}{length}Connection: close, X-Hop\r\nX-Hop: 1\r\n\r\n".encode() + body)
            while connection.recv(65536):
                pass
    (asked,) = upstream.asked
    below = path.startswith("/v1")
    assert asked.line == f"{method} {'/base' * below}{path} HTTP/1.1"
    assert asked.body == body
    assert [value for name, value in asked.headers if name.lower() == "x-odd"] == ["1", "2"]
    assert asked.header("authorization") == "Bearer k"
    assert asked.header("x-hop") is None
    assert asked.header("host") == upstream.address.removeprefix("http://")


ANSWERS = {
    "JSON": response(b'{"data":  [1]}'),
    "binary": response(BINARY, "application/octet-stream"),
    "compressed": response(gzip.compress(b'{"a": 1}'), "application/json", "200 OK", "content-encoding: gzip"),
    "two cookies": response(b"{}", "application/json", "200 OK", "set-cookie: a=1", "set-cookie: b=2"),
    "an error": response(b'{"error": {"message": "no"}}', "application/json", "401 Unauthorized"),
    "an error page": response(b"<h1>Bad gateway</h1>", "text/html", "502 Bad Gateway"),
    "a redirect": response(b"", "text/plain", "307 Temporary Redirect", "location: http://elsewhere/"),
    "nothing": b"HTTP/1.1 204 No Content\r\nconnection: close\r\nx-a: 1\r\n\r\n",
    "text for a chat": answer("Just text."),
    "a whole document for a chat": answer('```json\n{"a": 1}\n```\nDone.'),
}


CHAT_PATH = "/v1/chat/completions"
NO_ANSWERS_TO_A_CHAT = {"binary", "nothing"}  # an error, then: the client could make nothing of them


@pytest.mark.parametrize(
    ("path", "case"),
    [("/v1/files/f", case) for case in ANSWERS]
    + [(CHAT_PATH, case) for case in ANSWERS if case not in NO_ANSWERS_TO_A_CHAT],
)
def test_answers_reach_the_client_as_they_are(path: str, case: str) -> None:
    raw = ANSWERS[case]
    head, _, body = raw.partition(b"\r\n\r\n")
    status = int(head.split()[1])
    with Upstream(whole(raw)) as upstream, proxy(f"{upstream.address}/v1") as address:
        with httpx2.stream("POST", address + path, json=CHAT, headers={"cookie": "c=1"}) as got:
            assert got.status_code == status
            assert b"".join(got.iter_raw()) == body
        sent = [line.split(b": ", 1) for line in head.split(b"\r\n")[1:] if not line.startswith(b"connection")]
        back = [[name, value] for name, value in got.headers.raw if not name.lower().startswith(b"x-jsonseam")]
        assert [pair for pair in back if pair[0].lower() != b"connection"] == sent


@pytest.mark.parametrize("text", ["Some text, streamed.", "```python\nprint(1)\n```"])
@pytest.mark.parametrize("more", [{}, {"tools": [{}]}, {"response_format": {"type": "json_object"}}])
def test_streams_that_are_no_documents_reach_the_client_to_the_byte(text: str, more: dict[str, Any]) -> None:
    said = [b": a comment\r\n\r\n", *events(text), b"event: odd\nid: 7\ndata: x\n\n"]

    def script(asked: Asked) -> Pieces:
        return chunked(said, pause=0.002)

    with Upstream(script) as upstream, proxy(f"{upstream.address}/v1") as address:
        got = httpx2.post(f"{address}/v1/chat/completions", json={**CHAT, "stream": True, **more})
    assert got.content == b"".join(said)
    assert got.headers["content-type"] == "text/event-stream; charset=utf-8"


def test_text_flows_while_it_is_streamed() -> None:
    """Nothing of a text is held until its end."""

    def script(asked: Asked) -> Pieces:
        return chunked(events("Some text, streamed slowly."), pause=0.25)

    with (
        Upstream(script) as upstream,
        proxy(f"{upstream.address}/v1") as address,
        httpx2.stream("POST", f"{address}/v1/chat/completions", json={**CHAT, "stream": True}) as got,
    ):
        pieces = got.iter_raw()
        first = next(pieces) + next(pieces)
        assert b"Some" in first
        assert b"slowly" not in first


def test_a_cookie_of_one_client_is_not_sent_for_another() -> None:
    raw = response(b"{}", "application/json", "200 OK", "set-cookie: session=secret; Path=/")
    with Upstream(whole(raw)) as upstream, proxy(f"{upstream.address}/v1") as address:
        for _ in range(2):
            httpx2.get(f"{address}/v1/models")
    assert [asked.header("cookie") for asked in upstream.asked] == [None, None]


def test_a_large_body_is_not_gathered_but_streamed_through() -> None:
    def script(asked: Asked) -> Pieces:
        yield b"HTTP/1.1 200 OK\r\ncontent-type: audio/mpeg\r\nconnection: close\r\n\r\n"
        for _ in range(64):
            yield BINARY

    with Upstream(script) as upstream, proxy(f"{upstream.address}/v1") as address:
        got = httpx2.post(f"{address}/v1/audio/speech", content=(BINARY for _ in range(64)))
    assert got.content == BINARY * 64
    assert upstream.asked[0].header("transfer-encoding") == "chunked"
    assert upstream.asked[0].body.count(BINARY[:256]) > 60 * 300 // 2


def test_half_a_request_is_not_passed_on_as_a_whole_one() -> None:
    """The client goes away in the middle of an upload."""
    with Upstream(whole(response(b"{}"))) as upstream, proxy(f"{upstream.address}/v1") as address:
        host, port = address.removeprefix("http://").split(":")
        for path in ("/v1/files", "/v1/chat/completions"):
            with socket.create_connection((host, int(port))) as connection:
                connection.sendall(f"POST {path} HTTP/1.1\r\nHost: me\r\nTransfer-Encoding: chunked\r\n\r\n".encode())
                connection.sendall(b"5\r\nhello\r\n")
                time.sleep(0.2)
        until = time.monotonic() + 5
        while 'jsonseam_requests_total{kind="passed",status="gone"} 2.0' not in httpx2.get(f"{address}/metrics").text:
            assert time.monotonic() < until
        time.sleep(0.2)
    assert not upstream.asked


def test_an_upstream_without_a_path_has_the_same_paths() -> None:
    with Upstream(whole(response(b"{}"))) as upstream, proxy(upstream.address) as address:
        httpx2.get(f"{address}/v1/models?x=1")
        httpx2.get(f"{address}/other")
    assert [asked.line for asked in upstream.asked] == ["GET /v1/models?x=1 HTTP/1.1", "GET /other HTTP/1.1"]


def test_a_websocket_is_refused_and_harms_nothing() -> None:
    with Upstream(whole(response(b"{}"))) as upstream, proxy(upstream.address) as address:
        headers = {"connection": "upgrade", "upgrade": "websocket", "sec-websocket-version": "13"}
        got = httpx2.get(f"{address}/v1/realtime", headers={**headers, "sec-websocket-key": "a" * 22 + "=="})
        assert got.status_code in (200, 403)  # without a websocket library the server sees a plain request
        assert httpx2.get(f"{address}/health").status_code == 200


@pytest.mark.parametrize("upstream", ["api.openai.com/v1", "ftp://x/v1", "", "http://"])
def test_an_upstream_that_is_no_url(upstream: str) -> None:
    with pytest.raises(ValueError, match="upstream"), proxy(upstream):
        pass
