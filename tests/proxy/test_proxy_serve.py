"""The command `jsonseam serve` as a process of its own: it starts, serves, counts, and ends with Ctrl-C."""

from __future__ import annotations

import json
import re
import signal
import socket
import subprocess
import sys
import time

import httpx2
import openai

from jsonseam.gateway.samples import sample_text
from jsonseam.gateway.truncating_server import TruncatingServer

SERVE = [sys.executable, "-m", "jsonseam", "serve"]


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        return taken.getsockname()[1]


def test_serve_counts_and_logs_no_key() -> None:
    port = free_port()
    with TruncatingServer(budget=700) as server:
        options = ["--upstream", server.base_url, "--port", str(port), "--rounds", "12", "--log-level", "debug"]
        process = subprocess.Popen([*SERVE, *options], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        try:
            at = f"http://127.0.0.1:{port}"
            until = time.monotonic() + 30
            while True:
                try:
                    assert httpx2.get(f"{at}/health").json() == {"status": "ok"}
                    break
                except httpx2.ConnectError:
                    assert process.poll() is None, process.stdout.read() if process.stdout else ""
                    assert time.monotonic() < until
                    time.sleep(0.05)
            with openai.OpenAI(base_url=f"{at}/v1", api_key="sk-SECRET", max_retries=0) as client:
                answer = client.chat.completions.create(
                    model="truncating/exact/table-3",
                    messages=[{"role": "user", "content": "Write the table."}],
                    response_format={"type": "json_object"},
                    extra_query={"key": "SECRET"},
                )
            metrics = httpx2.get(f"{at}/metrics").text
            listening = httpx2.Client()
            page = listening.send(listening.build_request("GET", f"{at}/live/changes"), stream=True)
            assert b"truncating/exact" in next(page.iter_bytes())  # a page that listens does not keep it from ending
        finally:
            process.send_signal(signal.SIGINT)
            said, _ = process.communicate(timeout=20)
    assert json.loads(answer.choices[0].message.content or "") == json.loads(sample_text("table-3"))
    calls = len(server.calls)
    assert f"jsonseam_rounds_total {calls}.0" in metrics
    assert f'jsonseam_seams_total{{kind="continue"}} {calls - 1}.0' in metrics
    assert 'jsonseam_documents_total{outcome="complete",reason="Complete"} 1.0' in metrics
    assert 'jsonseam_requests_total{kind="json",status="200"} 1.0' in metrics
    assert 'jsonseam_request_seconds_count{kind="json"} 1.0' in metrics
    assert f"{at}/v1" in said
    assert "SECRET" not in said


def test_help_teaches() -> None:
    said = subprocess.run([*SERVE, "--help"], capture_output=True, text=True, env={"COLUMNS": "100", "TERM": "dumb"})
    words = re.sub(r"[\s│╭╮╰╯─]+", " ", said.stdout)
    assert said.returncode == 0
    for taught in ("--upstream", "OPENAI_BASE_URL", "x-jsonseam: off", "rounds=4", "/metrics", "--no-page", "Example"):
        assert taught in words, taught


def test_an_upstream_that_is_no_url_is_told() -> None:
    said = subprocess.run([*SERVE, "--upstream", "api.openai.com"], capture_output=True, text=True)
    assert said.returncode == 2
    assert "http or https URL" in re.sub(r"[\s│]+", " ", said.stderr)


def test_an_upstream_whose_port_is_no_number_is_told() -> None:
    said = subprocess.run([*SERVE, "--upstream", "http://localhost:many/v1"], capture_output=True, text=True)
    assert said.returncode == 2
    assert "Port could not be cast" in re.sub(r"[\s│]+", " ", said.stderr)


def test_an_address_that_is_taken_is_told_in_one_line() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        said = subprocess.run([*SERVE, "--upstream", "http://x", "--port", port], capture_output=True, text=True)
    assert said.returncode == 2
    assert said.stderr.startswith(f"jsonseam: nothing can listen at 127.0.0.1, port {port}: Address already in use")
    assert said.stderr.count("\n") == 1


def test_any_free_port_is_taken_and_told() -> None:
    options = ["--upstream", "http://127.0.0.1:9", "--port", "0"]
    process = subprocess.Popen([*SERVE, *options], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    try:
        assert process.stderr is not None
        at = re.search(r"the page is at (\S+)", process.stderr.readline())
        assert at is not None
        with httpx2.Client(transport=httpx2.HTTPTransport(retries=5)) as client:
            assert client.get(f"{at[1]}health").json() == {"status": "ok"}
    finally:
        process.send_signal(signal.SIGINT)
        _, said = process.communicate(timeout=20)
    assert process.returncode == 0, said
    assert "Traceback" not in said
