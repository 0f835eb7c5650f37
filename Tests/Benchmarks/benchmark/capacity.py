"""Replicas for so many devices: what each request costs, by the figures of a run, times how many come at the peak."""
import argparse
import json
import math
import sys
from dataclasses import dataclass
from pathlib import Path

from .unmeasured import Unmeasured

FLEETS = (1_000_000, 10_000_000, 100_000_000)
# token.lifetime less token.backdate and token.client_margin, by default: from a token to the next one of its id.
REFETCH_SECONDS = 54 * 60
# What config/kubernetes/horizontalpodautoscaler.yaml keeps of them at least.
FEWEST_REPLICAS = 3
# What costs processor time, and the figure that tells how many of it a second of one core does.
FIGURES = {
    "signature": "new ids, 32 connections: per CPU-second",
    "kept": "cached, 32 connections: per CPU-second",
    "kept for a known caller": "cached, 1,000 JWT callers",
    "new caller": "new callers: per CPU-second",
}


@dataclass
class Fleet:
    """Requests a second at the peak, and what they cost by `rates` (per second of a core)."""
    devices: int
    options: argparse.Namespace
    rates: dict

    @property
    def requests(self):
        return self.devices * self.options.requests / REFETCH_SECONDS * self.options.peak

    def replicas(self, signed_share, answer, with_callers=False):
        """Where so much of the requests is signed for, and each of the others takes what `answer` does."""
        signed = self.requests * signed_share
        cores = signed / self.rates["signature"] + (self.requests - signed) / self.rates[answer]
        if with_callers:
            # Each signature is for a token of the caller's that was not shown before: both live about as long.
            cores += signed / self.rates["new caller"]
        return max(math.ceil(cores / (self.options.cores * self.options.busy)), FEWEST_REPLICAS)

    def row(self):
        first = 1 / self.options.requests
        return [f"{self.devices:,}", f"{self.requests:,.0f}", str(self.replicas(1, "kept", True)),
                str(self.replicas(first, "kept for a known caller", True)), str(self.replicas(first, "kept"))]


def main(arguments):
    options = parse(arguments)
    try:
        rates = measured(options.files)
    except Unmeasured as problem:
        print(problem, file=sys.stderr)
        return 2
    headings = ["active devices", "requests/s at the peak", "replicas", "the same, balanced by id",
                "and `--callers none`"]
    rows = [Fleet(devices, options, rates).row() for devices in FLEETS]
    for cells in headings, ["---:"] * len(headings), *rows:
        print(f"| {' | '.join(cells)} |")
    print("\nPer second of one core: " + ", ".join(f"{name} {rate:,.0f}" for name, rate in rates.items()))
    return 0


def parse(arguments):
    parser = argparse.ArgumentParser(prog="Tests/Benchmarks/capacity", description=__doc__)
    parser.add_argument("--requests", type=float, default=2, help="of a device in the time between two tokens of an id")
    parser.add_argument("--peak", type=float, default=3, help="the busiest second over the mean")
    parser.add_argument("--cores", type=float, default=2, help="that a replica may take")
    parser.add_argument("--busy", type=float, default=0.25, help="how much of them it may be busy at the peak")
    parser.add_argument("files", nargs="+", metavar="FILE", help="what `run --json` wrote, in one file or several")
    return parser.parse_args(arguments)


def measured(files):
    reports = [json.loads(Path(file).read_text()) for file in files]
    found = {figure["name"]: figure["measured"] for report in reports for figure in report["figures"]}
    missing = [name for name in FIGURES.values() if name not in found]
    if missing:
        raise Unmeasured(f"not measured by these runs: {', '.join(missing)}")
    return {what: found[name] for what, name in FIGURES.items()}
