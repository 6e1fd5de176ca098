"""What other ways of joining make of the same conversations: the whole table, and a short one for the README.

    python -m benchmarks.stitchers [--cases 100] [--seed 1] [--behaviour echo] [--readme]

Two sources: the simulation ../shared/eval/seamsim.py as it is, and benchmarks/seams.py, the same ways of going on with
real documents and other phrases. Five joiners: jsonseam, plain joining, the original plan's longest overlap (both as
the simulation has them), and two that are in use, written here anew from what their projects say of them:

    OmniRoute   an LLM gateway (github.com/diegosouzapw/OmniRoute). Where a stream broke off it asks for the rest and
                takes off the longest beginning of it that repeats the end, of at most 512 characters. (Of late it asks
                again where fewer than 8 repeat; nobody can be asked here, so the answer is joined as it is.)
    CRP         the Context Relay Protocol (github.com/AutoCyber-AI/context-relay-protocol, «Continuation & Stitching»).
                The longest text of 20 characters or more that the last 2,000 characters have in common with the
                first 2,000 of the next answer is an echo, and is taken off. (Read in its favour: an echo reaches the
                end of what is held, and what stands in front of it goes, too; taken to the letter it would eat every
                row that resembles another. Its step for rephrased prose, by embeddings, is left out.)

What is no JSON after joining goes to json-repair, for all four. Three figures: conversations whose value is the
document's; scalars of the documents that are not in the value (each with its key, wherever it stands); conversations
that were called complete rightly (for the four: the joined text is JSON). The short table has the first of them alone,
for behaviours of one kind together. It reports; it asserts nothing.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from typing import Any, Final, NamedTuple

import json_repair

from benchmarks import seams

README = Path(__file__).resolve().parent.parent / "README.md"
BEGIN, END = "<!-- stitchers: begin -->\n", "<!-- stitchers: end -->\n"
Joiner = Callable[[list[str]], tuple[Any, bool]]

OVERLAP_WINDOW = 512
ECHO_WINDOW, LEAST_ECHO = 2000, 20

KINDS: Final = {  # the rows of the short table, and the behaviours that count for each
    "all 22 ways": ".*",
    "exact": "exact",
    "echo": "echo",
    "token or element again": "token|element",
    "restart": "restart",
    "reopen": "reopen|reopen-full",
    "fenced": "fenced-.*",
    "repetitive": "repetitive",
}


# ------------------------------------------------------------ the two
def behind_overlap(held: str, answer: str) -> str:
    """OmniRoute: the answer without the longest beginning that the held text ends with."""
    end = held[-OVERLAP_WINDOW:]
    lengths = range(min(len(end), len(answer)), 0, -1)
    return answer[next((length for length in lengths if end.endswith(answer[:length])), 0) :]


def behind_echo(held: str, answer: str) -> str:
    """CRP: the answer from where the longest end of the held text that is in its beginning has been said again."""
    tail, head = held[-ECHO_WINDOW:], answer[:ECHO_WINDOW]
    behind, least, most = 0, LEAST_ECHO, min(len(tail), len(head))
    while least <= most:  # where an end of the text is found, its shorter ends are, too
        length = (least + most) // 2
        at = head.find(tail[-length:])
        if at >= 0:
            behind, least = at + length, length + 1
        else:
            most = length - 1
    return answer[behind:]


def stitcher(rest_of: Callable[[str, str], str]) -> Joiner:
    """A joiner that puts behind the text what `rest_of` leaves of each answer, and has the whole repaired."""

    def join(fragments: list[str]) -> tuple[Any, bool]:
        text = fragments[0]
        for fragment in fragments[1:]:
            text += rest_of(text, fragment)
        try:
            return json.loads(text), True
        except ValueError:
            return json_repair.loads(text), False

    return join


# ------------------------------------------------------------ the conversations
@dataclass(frozen=True, slots=True)
class Source:
    """Conversations of one kind, by behaviour."""

    name: str
    behaviours: list[str]
    cases: Callable[[str, int, int], Iterable[Any]]
    joiners: dict[str, Joiner]


def sources() -> Iterator[Source]:
    """The simulation as it is, then with real documents; one at a time, for the second changes the first's modules."""
    sim = _fresh(seams.simulation)
    yield Source("simulated documents", list(sim.BEHAVIOURS), sim.cases, joiners(sim))
    sim = _fresh(seams.changed_simulation)
    yield Source("real documents", list(sim.BEHAVIOURS), seams.cases, joiners(sim))


def _fresh(load: Callable[[], Any]) -> Any:
    for name in ("seamsim", "documents"):
        sys.modules.pop(name, None)
    return load()


def joiners(sim: Any) -> dict[str, Joiner]:
    return {
        "jsonseam": sim.join_jsonseam,
        "plain joining": sim.join_concat,
        "longest overlap": sim.join_longest,
        "OmniRoute": stitcher(behind_overlap),
        "CRP": stitcher(behind_echo),
    }


# ------------------------------------------------------------ the figures
@dataclass(slots=True)
class Tally:
    """Counts of one joiner on one behaviour."""

    cases: int = 0
    right: int = 0
    called: int = 0
    scalars: int = 0
    lost: int = 0

    def add(self, case: Any, value: Any, complete: bool) -> None:
        wanted = scalars(case.value)
        self.cases += 1
        self.right += value == case.value
        self.called += complete == case.complete
        self.scalars += wanted.total()
        self.lost += (wanted - scalars(value)).total()

    def __add__(self, other: Tally) -> Tally:
        return Tally(*(getattr(self, name) + getattr(other, name) for name in self.__slots__))

    def share(self) -> float:
        """Of the conversations, those whose value came out right."""
        return self.right / self.cases

    def cell(self) -> str:
        """Right, lost, called complete rightly: per cent."""
        shares = (self.share(), self.lost / max(1, self.scalars), self.called / self.cases)
        return " / ".join(percent(share) for share in shares)


def percent(share: float) -> str:
    """Never 0 for what is not nothing, nor 100 for what is not all."""
    per_cent = 100 * share
    rounded = f"{per_cent:.0f}"
    return rounded if rounded not in ("0", "100") or per_cent in (0, 100) else f"{per_cent:.2f}"


def scalars(value: Any) -> Counter[tuple[Any, str]]:
    """Every scalar of a value with the nearest key above it; the places within lists do not count."""
    found: Counter[tuple[Any, str]] = Counter()
    todo: list[tuple[Any, Any]] = [(None, value)]
    while todo:
        key, node = todo.pop()
        if isinstance(node, dict):
            todo += node.items()
        elif isinstance(node, list):
            todo += [(key, item) for item in node]
        else:
            found[key, repr(node)] += 1
    return found


def measure(source: Source, behaviour: str, count: int, seed: int) -> dict[str, Tally]:
    """What each joiner made of the conversations of one behaviour."""
    tallies = {name: Tally() for name in source.joiners}
    for case in source.cases(behaviour, count, seed):
        for name, join in source.joiners.items():
            try:
                value, complete = join(case.fragments)
            except Exception:  # a joiner that raises has delivered nothing
                value, complete = None, False
            tallies[name].add(case, value, complete)
    return tallies


class Row(NamedTuple):
    """What each joiner made of one behaviour of one source."""

    source: str
    behaviour: str
    tallies: dict[str, Tally]


def figures(count: int, seed: int, only: list[str] | None = None) -> Iterator[Row]:
    """The rows, as they are measured."""
    for source in sources():
        for behaviour in only or source.behaviours:
            yield Row(source.name, behaviour, measure(source, behaviour, count, seed))


def together(rows: Iterable[Row]) -> dict[str, Tally]:
    """The counts of several rows as one."""
    whole: defaultdict[str, Tally] = defaultdict(Tally)
    for row in rows:
        for name, tally in row.tallies.items():
            whole[name] += tally
    return whole


def table(rows: Iterable[Row]) -> Iterator[str]:
    """The lines of the whole table, as their rows come: all three figures of every behaviour."""
    for source, part in groupby(rows, lambda row: row.source):
        seen: list[Row] = []
        for row in part:
            if not seen:
                yield from head(source, row.tallies)
            seen.append(row)
            yield f"| {row.behaviour} | " + " | ".join(tally.cell() for tally in row.tallies.values()) + " |"
        yield "| **all** | " + " | ".join(f"**{tally.cell()}**" for tally in together(seen).values()) + " |"
        yield ""


def short_table(rows: list[Row]) -> Iterator[str]:
    """The lines of the README's table: what is rebuilt right, the sources side by side."""
    names = list(dict.fromkeys(row.source for row in rows))
    yield from head("how it goes on", rows[0].tallies)
    for kind, behaviours in KINDS.items():
        chosen = [row for row in rows if re.fullmatch(behaviours, row.behaviour)]
        shares = [together(row for row in chosen if row.source == name) for name in names]
        if chosen:
            cells = (" / ".join(percent(share[joiner].share()) for share in shares) for joiner in rows[0].tallies)
            yield f"| {kind} | " + " | ".join(cells) + " |"


def kept(rows: Iterable[Row], into: list[Row]) -> Iterator[Row]:
    """The rows as they come, each remembered."""
    for row in rows:
        into.append(row)
        yield row


def head(first: str, joiners: Iterable[str]) -> Iterator[str]:
    titles = [first, *joiners]
    yield "| " + " | ".join(titles) + " |"
    yield "|---" * len(titles) + "|"


def write_into_readme(lines: Iterable[str], count: int) -> None:
    """Put the table between its marks."""
    told = (
        f"Conversations whose value came out right, per cent, of {count} for each way of going on; simulated / real "
        "documents. OmniRoute and CRP as their projects describe them; json-repair behind all but jsonseam. "
        f"`python -m benchmarks.stitchers --cases {count}` measures it again and prints the whole table, with what was "
        "lost and what was wrongly called complete.\n\n"
    )
    text = README.read_text("utf-8")
    inside = re.compile(re.escape(BEGIN) + ".*?" + re.escape(END), re.DOTALL)
    README.write_text(inside.sub(lambda _: BEGIN + told + "\n".join(lines).strip() + "\n" + END, text), "utf-8")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cases", type=int, default=100, help="conversations for each behaviour")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--behaviour", action="append")
    parser.add_argument("--readme", action="store_true", help="write the short table into the README as well")
    args = parser.parse_args()
    if not seams.SHARED.is_dir():
        print(f"skipped: {seams.SHARED} is not here", file=sys.stderr)
        return 0
    rows: list[Row] = []
    for line in table(kept(figures(args.cases, args.seed, args.behaviour), rows)):
        print(line, flush=True)
    if args.readme:
        write_into_readme(short_table(rows), args.cases)
    return 0


if __name__ == "__main__":
    sys.exit(main())
