"""A run: arguments, tools, build, every chosen measurement in turn, and the report, whatever happens."""
import argparse
import signal
import sys
import tempfile
from pathlib import Path

from . import build, machine, measurements, report, tools
from .bench import Bench
from .children import Children
from .unmeasured import Unmeasured

FULL_LIMIT = 60 * 60
QUICK_LIMIT = 6 * 60


def main(arguments):
    options = parse(arguments)
    signal.signal(signal.SIGTERM, interrupt)
    try:
        tools.require()
        binary = Path(options.binary).resolve() if options.binary else build.release()
        build.require_executable(binary)
    except Unmeasured as problem:
        print(problem, file=sys.stderr)
        return 2
    figures, problems = measure(options, binary)
    facts = machine.facts(binary)
    print(report.table(figures, facts))
    for problem in problems:
        print(f"not measured: {problem}")
    if options.json:
        Path(options.json).write_text(report.json_text(figures, problems, facts))
    return report.exit_status(figures, problems)


def parse(arguments):
    parser = argparse.ArgumentParser(prog="Tests/Benchmarks/run", description=__doc__)
    parser.add_argument("--quick", action="store_true", help="short rounds and fewer requests, under six minutes")
    parser.add_argument("--only", action="append", choices=list(measurements.ALL), help="may be repeated")
    parser.add_argument("--json", metavar="FILE", help="also write every figure and every round to FILE")
    parser.add_argument("--binary", metavar="FILE", help="measure this executable instead of building one")
    parser.add_argument(
        "--crypto-mb", metavar="FILE", help="Intel's libcrypto_mb.so: also measure several signatures at once")
    return parser.parse_args(arguments)


def measure(options, binary):
    """Runs the chosen measurements. A failure is reported and does not stop the others."""
    figures, problems = [], []
    signal.signal(signal.SIGALRM, expire)
    signal.alarm(QUICK_LIMIT if options.quick else FULL_LIMIT)
    try:
        with tempfile.TemporaryDirectory(prefix="token-provider-benchmark-") as directory, Children() as children:
            bench = Bench(binary, Path(directory), children, options.quick, options.crypto_mb)
            for name in options.only or measurements.ALL:
                print(f"measuring {name} ...", file=sys.stderr, flush=True)
                try:
                    figures += measurements.ALL[name](bench)
                except Unmeasured as problem:
                    problems.append(f"{name}: {problem}")
                finally:
                    children.stop_all()
    except (KeyboardInterrupt, TimeLimit) as reason:
        problems.append(str(reason) or "the run was interrupted")
    finally:
        signal.alarm(0)
    return figures, problems


class TimeLimit(Exception):
    """The whole run took longer than allowed."""


def expire(_signal, _frame):
    raise TimeLimit("the run was stopped at its time limit")


def interrupt(_signal, _frame):
    raise KeyboardInterrupt
