"""The arrows of the design: a room imports only what stands after it in the list, the gateway only the public API."""

from __future__ import annotations

import ast
from pathlib import Path
from typing import Literal, Union, get_origin

import pytest

import jsonseam

PACKAGE = Path(jsonseam.__file__).parent

# Who may import whom: only what stands later in this list. What wires stands first, what knows nothing last.
ROOMS = [
    "__init__",
    "stream",
    "mojibake",
    "accumulator",
    "delivery",
    "checkpoint",
    "keeping",
    "finishing",
    "intake",
    "phases",
    "portions",
    "report",
    "opening",
    "thoughts",
    "seam",
    "doubt",
    "holding",
    "scoring",
    "candidates",
    "echoes",
    "pieces",
    "faraway",
    "distant",
    "restarting",
    "repeating",
    "stretches",
    "rewording",
    "reopening",
    "unwrapping",
    "regrouping",
    "halves",
    "requoting",
    "joining",
    "malformed",
    "parser",
    "standing",
    "handoff",
    "counters",
    "likeness",
    "following",
    "distinct",
    "ordering",
    "standalone",
    "ahead",
    "sides",
    "window",
    "surprise",
    "chance",
    "changes",
    "dialect",
    "comments",
    "remarks",
    "lead_ins",
    "envelope",
    "unescaping",
    "writing",
    "tags",
    "events",
    "completion",
    "forgotten",
    "grafts",
    "items",
    "view",
    "structure",
    "tokens",
    "scanner",
    "tally",
    "ledger",
    "past",
    "backlog",
    "grammar",
    "mending",
    "closers",
    "quoting",
    "tripling",
    "isolation",
    "wording",
    "dropping",
    "drafting",
    "spots",
    "foresight",
    "beginnings",
    "frames",
    "reader",
    "spelling",
    "cleaning",
    "containers",
    "brackets",
    "lexemes",
    "records",
    "errors",
]
# The same for the rooms of batches; from `stitch` on, what an engine needs, and nothing of files.
BATCHES = [
    "__init__",
    "cli_batch",
    "cli_bar",
    "job",
    "engines",
    "progress",
    "partition",
    "summary",
    "spill",
    "reading",
    "inputs",
    "partitioning",
    "stitch",
    "conversation",
    "rows",
    "schema",
    "columns",
    "errors",
]
# The only room that may import a library.
KEEPERS = {
    "ijson": "tokens",
    "json_repair": "isolation",
    "regex": "lexemes",
    "ftfy": "mojibake",
    "jsonpath": "counters",
}
OUTER = {"cli", "demo", "extras", "__main__"}  # what uses the package as any caller does, and its guard
MOST_LINES = 400


def rooms() -> dict[str, Path]:
    """The rooms of the core by name; what lies in a folder is not one."""
    files = {path.stem: path for path in PACKAGE.glob("*.py")}
    return {name: path for name, path in files.items() if name not in OUTER and name.split("_")[0] not in OUTER}


def imports(path: Path) -> set[str]:
    """Dotted names of all modules that a file imports, wherever the import stands; relative ones resolved."""
    found: set[str] = set()
    package = path.relative_to(PACKAGE.parent).parent.parts
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            above = package[: len(package) - node.level + 1] if node.level else ()
            module = ".".join([*above, *([node.module] if node.module else [])])
            found |= {f"{module}.{alias.name}" for alias in node.names} if module == "jsonseam" else {module}
    return found


def of_the_package(path: Path) -> set[str]:
    """The parts of jsonseam that a file imports."""
    return {name.split(".")[1] for name in imports(path) if name.startswith("jsonseam.")}


def test_every_room_is_in_the_list() -> None:
    assert sorted(rooms()) == sorted(ROOMS)


@pytest.mark.parametrize("room", ROOMS)
def test_arrows_go_down(room: str) -> None:
    below = set(ROOMS[ROOMS.index(room) + 1 :])
    upward = of_the_package(rooms()[room]) - below
    if room == "__init__":
        upward = {name for name in upward if name in ROOMS}
    assert not upward, f"{room} imports from {sorted(upward)}"


def test_arrows_go_down_in_batches() -> None:
    files = {path.stem: path for path in (PACKAGE / "batches").glob("*.py")}
    assert sorted(files) == sorted(BATCHES)
    for at, room in enumerate(BATCHES):
        seen = {name.split(".")[2] for name in imports(files[room]) if name.startswith("jsonseam.batches.")}
        assert seen <= set(BATCHES[at + 1 :]), f"{room} imports from {sorted(seen - set(BATCHES[at + 1 :]))}"


@pytest.mark.parametrize("library", KEEPERS)
def test_each_library_has_one_keeper(library: str) -> None:
    users = {name for name, path in rooms().items() if any(n.split(".")[0] == library for n in imports(path))}
    assert users == {KEEPERS[library]}


def outer_files() -> list[Path]:
    return [path for path in PACKAGE.rglob("*.py") if path.parent != PACKAGE or path.stem not in ROOMS]


@pytest.mark.parametrize("path", outer_files(), ids=lambda path: str(path.relative_to(PACKAGE)))
def test_the_gateway_and_the_command_line_see_the_public_api_only(path: Path) -> None:
    folders = {path.parent.name for path in PACKAGE.glob("*/__init__.py")}
    inside = {*folders, *(name.stem for name in outer_files() if name.parent == PACKAGE)}
    allowed = set(jsonseam.__all__) | {"records", "errors"} | inside  # these two hold nothing but what is public
    seen = {name.split(".")[1] for name in imports(path) if name.startswith("jsonseam.")}
    assert seen <= allowed, f"{path.name} sees {sorted(seen - allowed)}"


@pytest.mark.parametrize("path", sorted(PACKAGE.rglob("*.py")), ids=lambda path: str(path.relative_to(PACKAGE)))
def test_a_file_opens_with_its_rule_and_is_short(path: Path) -> None:
    source = path.read_text("utf-8")
    if not source.strip():
        return
    rule = ast.get_docstring(ast.parse(source))
    assert rule, f"{path.name} says nothing about itself"
    assert source.count("\n") <= MOST_LINES


def test_the_public_names_are_all_there() -> None:
    for name in jsonseam.__all__:
        public = getattr(jsonseam, name)
        assert public.__doc__ or get_origin(public) in (Literal, Union), name
