"""A scripted upstream on a real socket: it keeps what it was sent, to the byte, and answers what a test wrote down,
to the byte, slowly, in halves or not at all. Nothing but sockets, so that nothing corrects what is wrong on purpose."""

from __future__ import annotations

import json
import socket
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

Pieces = Iterable[bytes]


@dataclass
class Asked:
    """One request as it came."""

    line: str
    headers: list[tuple[str, str]]
    body: bytes
    number: int
    gone: threading.Event = field(default_factory=threading.Event)

    def header(self, name: str) -> str | None:
        return next((value for known, value in self.headers if known.lower() == name), None)

    def json(self) -> Any:
        return json.loads(self.body)


Script = Callable[[Asked], Pieces]


class Upstream:
    """Serves while the `with` block is open. `script` gives the bytes of each answer; the connection is closed behind
    them, so that an answer which is not whole is broken off."""

    def __init__(self, script: Script) -> None:
        self.asked: list[Asked] = []
        self._script = script
        self._listening = socket.create_server(("127.0.0.1", 0), backlog=256)
        self._thread = threading.Thread(target=self._accept, daemon=True)
        self.address = f"http://127.0.0.1:{self._listening.getsockname()[1]}"

    def __enter__(self) -> Upstream:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._listening.close()

    def _accept(self) -> None:
        while True:
            try:
                connection, _ = self._listening.accept()
            except OSError:
                return
            threading.Thread(target=self._serve, args=(connection,), daemon=True).start()

    def _serve(self, connection: socket.socket) -> None:
        with connection:
            connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            asked = _read(connection, len(self.asked))
            if asked is None:
                return
            self.asked.append(asked)
            try:
                for piece in self._script(asked):
                    connection.sendall(piece)
            except OSError:
                asked.gone.set()


def _read(connection: socket.socket, number: int) -> Asked | None:
    raw = b""
    while b"\r\n\r\n" not in raw:
        piece = connection.recv(65536)
        if not piece:
            return None
        raw += piece
    head, _, body = raw.partition(b"\r\n\r\n")
    line, *lines = head.decode("latin-1").split("\r\n")
    headers = [(name, value.strip()) for name, _, value in (header.partition(":") for header in lines)]
    known = {name.lower(): value for name, value in headers}
    while len(body) < int(known.get("content-length", 0)) or (
        known.get("transfer-encoding") == "chunked" and not body.endswith(b"0\r\n\r\n")
    ):
        piece = connection.recv(65536)
        if not piece:
            return None  # half a request
        body += piece
    return Asked(line, headers, body, number)


# ------------------------------------------------------------ answers
def response(body: bytes, kind: str = "application/json", status: str = "200 OK", *more: str) -> bytes:
    """A whole HTTP answer."""
    lines = [f"HTTP/1.1 {status}", f"content-type: {kind}", f"content-length: {len(body)}", "connection: close", *more]
    return ("\r\n".join(lines) + "\r\n\r\n").encode() + body


def completion(text: str | None, finish: str | None = "stop", **more: Any) -> dict[str, Any]:
    choice = {"index": 0, "message": {"role": "assistant", "content": text}, "finish_reason": finish}
    usage = {"prompt_tokens": 10, "completion_tokens": 5, "total_tokens": 15}
    frame = {"id": "chatcmpl-1", "object": "chat.completion", "created": 7, "model": "m", "choices": [choice]}
    return {**frame, "usage": usage, **more}


def answer(text: str | None, finish: str | None = "stop", **more: Any) -> bytes:
    return response(json.dumps(completion(text, finish, **more)).encode())


def chunk(delta: dict[str, Any] | None, finish: str | None = None, **more: Any) -> bytes:
    choices = [] if delta is None else [{"index": 0, "delta": delta, "finish_reason": finish}]
    frame = {"id": "chatcmpl-1", "object": "chat.completion.chunk", "created": 7, "model": "m", "choices": choices}
    return f"data: {json.dumps({**frame, **more})}\n\n".encode()


def events(text: str, finish: str | None = "stop", size: int = 7) -> list[bytes]:
    """The events of a streamed answer, the end mark too."""
    said = [chunk({"content": text[at : at + size]}) for at in range(0, len(text), size)]
    return [chunk({"role": "assistant", "content": ""}), *said, chunk({}, finish), b"data: [DONE]\n\n"]


STREAM_HEAD = (
    b"HTTP/1.1 200 OK\r\ncontent-type: text/event-stream; charset=utf-8\r\n"
    b"transfer-encoding: chunked\r\nconnection: close\r\n\r\n"
)


def chunked(pieces: Pieces, pause: float = 0.0) -> Iterator[bytes]:
    """A streamed HTTP answer that is whole."""
    yield STREAM_HEAD
    for piece in pieces:
        if pause:
            time.sleep(pause)
        yield b"%x\r\n%s\r\n" % (len(piece), piece)
    yield b"0\r\n\r\n"


def broken(pieces: Pieces) -> Iterator[bytes]:
    """One that is broken off behind these pieces."""
    yield STREAM_HEAD
    for piece in pieces:
        yield b"%x\r\n%s\r\n" % (len(piece), piece)
