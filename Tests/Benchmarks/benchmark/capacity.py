"""Replicas for a number of devices: the measured cost of each request times the number of requests at the peak."""
import argparse
import json
import math
import sys
from dataclasses import dataclass
from pathlib import Path

from .unmeasured import Unmeasured

FLEETS = (1_000_000, 10_000_000, 100_000_000)
# The time from a token to the next one of its id: token.lifetime less token.backdate and token.client_margin, by default.
REFETCH_SECONDS = 54 * 60
# minReplicas of config/kubernetes/base/horizontalpodautoscaler.yaml.
FEWEST_REPLICAS = 3
# What costs processor time, and the figure that tells how many of them one core does in a second.
FIGURES = {
    "visit": "visits: of the bare operations",
    "handshake and cached answer": "TLS 1.3, full handshakes, 32 at once: per CPU-second",
    "signature": "new ids, 32 connections: per CPU-second",
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

    def replicas(self, *shares):
        """The replicas if each of these shares of the requests costs what is named with it."""
        cores = sum(self.requests * share / self.rates[what] for share, what in shares)
        return max(math.ceil(cores / (self.options.cores * self.options.busy)), FEWEST_REPLICAS)

    def row(self):
        first = 1 / self.options.requests
        return [f"{self.devices:,}", f"{self.requests:,.0f}", str(self.replicas((1, "visit"))),
                str(self.replicas((first, "visit"), (1 - first, "handshake and cached answer"))),
                # A new caller shows a new identity token, which lives about as long as ours.
                str(self.replicas((1, "signature"), (1, "new caller")))]


def main(arguments):
    options = parse(arguments)
    try:
        rates = measured(options.files)
    except Unmeasured as problem:
        print(problem, file=sys.stderr)
        return 2
    headings = ["active devices", "requests/s at the peak", "replicas", "the same, balanced by id",
                "behind a proxy that ends TLS"]
    rows = [Fleet(devices, options, rates).row() for devices in FLEETS]
    for cells in headings, ["---:"] * len(headings), *rows:
        print(f"| {' | '.join(cells)} |")
    print("\nPer second of one core: " + ", ".join(f"{name} {rate:,.0f}" for name, rate in rates.items()))
    return 0


def parse(arguments):
    parser = argparse.ArgumentParser(prog="Tests/Benchmarks/capacity", description=__doc__)
    parser.add_argument("--requests", type=float, default=2, help="requests of a device between two tokens of an id")
    parser.add_argument("--peak", type=float, default=3, help="requests of the busiest second, divided by the mean")
    parser.add_argument("--cores", type=float, default=2, help="cores that a replica may use")
    parser.add_argument("--busy", type=float, default=0.25, help="the share of its cores that a replica may use at the peak")
    parser.add_argument("files", nargs="+", metavar="FILE", help="the output of `run --json`, in one file or several")
    return parser.parse_args(arguments)


def measured(files):
    reports = [json.loads(Path(file).read_text()) for file in files]
    found = {figure["name"]: figure["measured"] for report in reports for figure in report["figures"]}
    missing = [name for name in FIGURES.values() if name not in found]
    if missing:
        raise Unmeasured(f"not measured by these runs: {', '.join(missing)}")
    return {what: found[name] for what, name in FIGURES.items()}
