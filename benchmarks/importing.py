"""What `import jsonseam` costs beyond ijson's own import.

    python -m benchmarks.importing [--top 12]

Medians over fresh processes, files already in the system's cache; and by `-X importtime` the modules that take most.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
from collections.abc import Iterator

from benchmarks import children, measuring
from benchmarks.children import ChildError
from benchmarks.results import Fact

# ijson is imported with the backend that jsonseam asks it for; what is timed next is everything else.
PROGRAM = """
import time
start = time.process_time()
import ijson
ijson.get_backend("yajl2_c")
between = time.process_time()
import jsonseam
print('{"ijson": %f, "jsonseam": %f}' % (between - start, time.process_time() - between))
"""


def facts(runs: int) -> Iterator[Fact | tuple[str, str]]:
    """The one figure, or why there is none."""
    found: dict[str, list[float]] = {"ijson": [], "jsonseam": []}
    try:
        children.ask_code(PROGRAM)
        for _ in range(runs):
            for name, seconds in children.ask_code(PROGRAM).items():
                found[name].append(seconds)
    except ChildError as error:
        yield "import", str(error)
        return
    own, other = (1e3 * measuring.median(found[name]) for name in ("jsonseam", "ijson"))
    note = f"beyond ijson's own {other:.1f} ms; median of {runs} fresh processes, CPU"
    yield Fact("import", "jsonseam", own, "ms", note)


def slowest(top: int) -> list[tuple[float, str]]:
    """Milliseconds that modules take by themselves, the most first."""
    command = [sys.executable, "-X", "importtime", "-c", "import ijson.backends.yajl2_c, jsonseam"]
    done = subprocess.run(command, cwd=children.ROOT, capture_output=True, text=True, env=children.cached(), check=True)
    rows = [
        line.removeprefix("import time:").split("|") for line in done.stderr.splitlines()[1:] if line.count("|") == 2
    ]
    found = [(int(own) / 1e3, name.strip()) for own, _, name in rows if own.strip().isdigit()]
    return sorted(found, reverse=True)[:top]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, default=15)
    parser.add_argument("--top", type=int, default=12)
    args = parser.parse_args()
    for fact in facts(args.runs):
        print(fact)
    for milliseconds, name in slowest(args.top):
        print(f"{milliseconds:6.1f} ms  {name}")


if __name__ == "__main__":
    main()
