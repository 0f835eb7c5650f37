"""The table for the reader, the JSON for machines, and the exit status."""
import json

from .figure import number

HEADINGS = ("figure", "measured", "goal", "peer", "ratio", "verdict")


def table(figures, facts):
    rows = [HEADINGS, *map(row, figures)]
    widths = [max(len(cells[column]) for cells in rows) for column in range(len(HEADINGS))]
    lines = ["  ".join(cell.ljust(width) for cell, width in zip(cells, widths)).rstrip() for cells in rows]
    lines.insert(1, "  ".join("-" * width for width in widths))
    notes = [f"{figure.name}: {figure.note}" for figure in figures if figure.note]
    about = [f"{name}: {value}" for name, value in facts.items()]
    return "\n".join(["", *lines, "", *notes, "", *about])


def row(figure):
    return (
        figure.name,
        f"{number(figure.ours)} {figure.unit}",
        figure.goal.text(figure.unit) if figure.goal else "",
        f"{figure.peer} {number(figure.peers)}" if figure.peer else "",
        f"{figure.ratio:.2f}" if figure.ratio else "",
        figure.verdict,
    )


def json_text(figures, problems, facts):
    return json.dumps({"machine": facts, "figures": list(map(values, figures)), "not_measured": problems}, indent=2)


def values(figure):
    return {
        "name": figure.name,
        "unit": figure.unit,
        "measured": figure.ours,
        "rounds": figure.rounds,
        "goal": figure.goal.text(figure.unit) if figure.goal else None,
        "peer": figure.peer or None,
        "peer_measured": figure.peers,
        "peer_rounds": figure.peer_rounds,
        "ratio": figure.ratio,
        "verdict": figure.verdict,
        "note": figure.note or None,
    }


def exit_status(figures, problems):
    if problems:
        return 2
    return 1 if any(figure.verdict == "MISS" for figure in figures) else 0
