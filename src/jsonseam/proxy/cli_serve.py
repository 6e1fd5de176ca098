"""The command `serve`: options in, a server until Ctrl-C. What is served is made by `app`."""

from __future__ import annotations

import logging
import socket
from contextlib import suppress
from typing import Annotated, Literal

import typer
import uvicorn
from rich.console import Console

from jsonseam.cli_codes import Code
from jsonseam.cli_output import say
from jsonseam.gateway.budget import Limits

from .app import create_app
from .settings import ROUNDS, Settings

HELP = f"""Stand in front of an OpenAI-compatible server, and go on with JSON answers that come back cut.

Example: the server is OpenAI's; any other one is named in the same way, with its /v1.

    jsonseam serve --upstream https://api.openai.com/v1
    OPENAI_BASE_URL=http://127.0.0.1:8400/v1 python your_program.py

Your program asks as before, with its own key, streaming or not, and gets whole documents: one answer, its usage
summed. An answer is a document if JSON was asked for (`response_format`), or if it begins as JSON. All else passes
unchanged: tools, text, several choices, errors, every other path.

A request says by a header what it wants: `x-jsonseam: off`, or `x-jsonseam: rounds=4, tokens=20000, seconds=60`
(less than the limits below). Answers tell `x-jsonseam-rounds`, `-seams`, `-complete` and `-reason`, streams the same
in a comment at their end.

At `/` a page shows the documents as they grow (their text, too: `--no-page` where that is nobody's business);
`/health` and `/metrics` (Prometheus) are for machines.

Exit codes:

- **{Code.COMPLETE.value}** ended by Ctrl-C, which gives answers under way 5 seconds (so does SIGTERM; it is 143)
- **{Code.USAGE.value}** an option is wrong, or the address cannot be listened at
"""


def mount(app: typer.Typer) -> None:
    """Add the command to an application."""
    app.command("serve", help=HELP)(serve_command)


def serve_command(
    upstream: Annotated[str, typer.Option(metavar="URL", help="The server behind, with its /v1.")],
    host: Annotated[str, typer.Option(help="Address to listen at; 0.0.0.0 is all of this machine.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(min=0, max=65535, help="Port to listen at; 0 is any that is free.")] = 8400,
    rounds: Annotated[int, typer.Option(min=1, help="Calls for one document at most.")] = ROUNDS,
    tokens: Annotated[int | None, typer.Option(min=1, help="Tokens for one document at most, all calls.")] = None,
    seconds: Annotated[float | None, typer.Option(min=0, help="Time for one document at most.")] = None,
    provider: Annotated[
        str | None, typer.Option(help="Kind of the server where its host does not tell: vllm, llama.cpp, sglang.")
    ] = None,
    timeout: Annotated[float, typer.Option(min=0.1, help="Longest silence of the upstream, in seconds.")] = 600.0,
    held: Annotated[
        int, typer.Option(min=0, help="Characters of a stream's end that wait, because a mend may still change them.")
    ] = 16,
    page: Annotated[bool, typer.Option("--page/--no-page", help="Show the running documents at /.")] = True,
    log_level: Annotated[
        Literal["debug", "info", "warning", "error"], typer.Option(help="What is logged; no text and no key at any.")
    ] = "info",
) -> None:
    console = Console(stderr=True)
    settings = Settings(
        upstream,
        provider=provider,
        limits=Limits(calls=rounds, tokens=tokens, seconds=seconds),
        timeout=timeout,
        held=held,
        page=page,
    )
    try:
        app = create_app(settings)
    except ValueError as error:
        raise typer.BadParameter(str(error)) from error
    try:
        listening = _listen(host, port)
    except OSError as error:
        say(console, "red", f"nothing can listen at {host}, port {port}: {error.strerror}")
        raise typer.Exit(Code.USAGE) from error
    logging.basicConfig(level=log_level.upper(), format="%(asctime)s %(levelname)s %(name)s: %(message)s")
    for library in ("httpcore2", "httpx2"):  # their debug lines hold headers, and so keys
        logging.getLogger(library).setLevel(logging.WARNING)
    at = f"http://{f'[{host}]' if ':' in host else host}:{listening.getsockname()[1]}/"
    console.print(f"Point clients at [bold]{at}v1[/bold]" + (f"; the page is at {at}" if page else ""), soft_wrap=True)
    config = uvicorn.Config(
        app,
        log_level=log_level,
        access_log=False,  # it would write addresses, and some hold keys
        timeout_graceful_shutdown=5,  # a page that listens would keep it from ending
        server_header=False,
        date_header=False,
    )
    with suppress(KeyboardInterrupt):  # it has ended in good order, and raises behind that what ended it
        uvicorn.Server(config).run(sockets=[listening])


def _listen(host: str, port: int) -> socket.socket:
    """A socket at this address, before the application starts. Raises OSError."""
    family, _, _, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)[0]
    return socket.create_server(address[:2], family=family)
