"""The results as plots: one SVG a workload, time over the size of the document, a line for each peer.

Rule: small, without a date in it, and the same bytes for the same numbers, since the files are committed.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from benchmarks import peers
from benchmarks.results import Results, Row

OWN = "black"


def draw(found: Results, folder: Path) -> list[Path]:
    """The plots that were drawn; none without matplotlib."""
    try:
        import matplotlib
    except ImportError:
        print("no plots: matplotlib is not installed")
        return []
    matplotlib.use("Agg")
    matplotlib.rcParams.update({"svg.hashsalt": "jsonseam", "svg.fonttype": "none", "font.size": 8})
    drawn = []
    for workload in dict.fromkeys(row.workload for row in found.rows):
        rows = [row for row in found.rows if row.workload == workload]
        path = folder / f"{workload}.svg"
        if growing(rows):
            lines(rows, path)
            drawn.append(path)
    return drawn


def growing(rows: list[Row]) -> list[str]:
    """The groups that have more than one size."""
    groups = [row.group for row in rows]
    return [group for group in dict.fromkeys(groups) if groups.count(group) > 1]


def lines(rows: list[Row], path: Path) -> None:
    from matplotlib import pyplot

    groups = growing(rows)
    across = min(3, len(groups))
    down = -(-len(groups) // across)
    figure, grid = pyplot.subplots(down, across, figsize=(3.6 * across, 2.9 * down), squeeze=False, sharey=True)
    axes = [axis for line in grid for axis in line]
    for axis, group in zip(axes, groups, strict=False):
        one([row for row in rows if row.group == group], axis)
        axis.set_title(f"{path.stem} {group}")
    for axis in axes[len(groups) :]:
        axis.set_visible(False)
    handles = {label: handle for axis in axes for handle, label in zip(*axis.get_legend_handles_labels(), strict=True)}
    figure.legend(handles.values(), handles.keys(), loc="outside lower center", ncols=2 * across, frameon=False)
    figure.set_layout_engine("constrained")
    figure.savefig(path, metadata={"Date": None})
    pyplot.close(figure)


def one(rows: list[Row], axis: Any) -> None:
    for number, name in enumerate(peers.NAMES):
        points = [(row.size / 1e3, median) for row in rows if (median := row.median(name)) is not None]
        if not points:
            continue
        own = name == "jsonseam"
        style = {"color": OWN, "linewidth": 2.2, "zorder": 5} if own else {"color": f"C{number % 10}", "linewidth": 1}
        axis.plot(*zip(*points, strict=True), marker="o", markersize=2.5, label=name, **style)
    axis.set_xscale("log")
    axis.set_yscale("log")
    sizes = sorted({row.size for row in rows})
    axis.set_xticks([size / 1e3 for size in sizes], [f"{size / 1e3:.0f}" for size in sizes])
    axis.minorticks_off()
    axis.set_xlabel("kB")
    axis.set_ylabel("seconds of CPU")
    axis.grid(alpha=0.25)


def shown(plots: list[Path]) -> str:
    return "".join(f"\n![{plot.stem}]({plot.name})\n" for plot in plots)
