"""What grows in a daemon that is neither idle nor overloaded, over many minutes of requests of every sort."""
import argparse
import json
import sys
import tempfile
import time
from dataclasses import asdict, dataclass
from pathlib import Path
from statistics import linear_regression

from . import build, tools, wrk
from .bench import Bench
from .children import Children
from .daemon import Daemon
from .process_status import open_descriptors, anonymous_kilobytes
from .unmeasured import Unmeasured
from .warmed_ids import COUNT, warm

# A small cache is full and evicting before the first reading; requests are logged.
SETTINGS = {"cache": {"max_bytes": 2 * 1024 * 1024}, "log": {"level": "info", "access": True}}
CONNECTIONS, DELAY_MILLISECONDS, TRIAL_SECONDS = 64, 10, 5
SAMPLE_SECONDS = 5
# Allocator and caches reach their size in this time, so no fit includes it.
WARM_UP_SECONDS = 60
MOST_KILOBYTES_A_MINUTE = 16
# Of 1,000 requests 7 are refused on purpose.
REFUSED_SHARE = 0.007
SETTLE_SECONDS = 10


@dataclass
class Sample:
    seconds: float
    kilobytes: int
    descriptors: int


def main(arguments):
    parser = argparse.ArgumentParser(prog="Tests/Benchmarks/soak", description=__doc__)
    parser.add_argument("--minutes", type=float, default=10, help="after a minute of warm-up")
    parser.add_argument("--binary", metavar="FILE", help="try this executable instead of building one")
    parser.add_argument("--json", metavar="FILE", help="also write every sample to FILE")
    options = parser.parse_args(arguments)
    try:
        tools.require(["wrk", "openssl", "taskset", "setpriv"])
        binary = Path(options.binary).resolve() if options.binary else build.release()
        build.require_executable(binary)
        with tempfile.TemporaryDirectory(prefix="token-provider-soak-") as directory, Children() as children:
            return soak(Bench(binary, Path(directory), children, quick=False), options)
    except Unmeasured as problem:
        print(problem, file=sys.stderr)
        return 2


def soak(bench, options):
    seconds = int(WARM_UP_SECONDS + options.minutes * 60)
    with open("/dev/null", "wb") as log, Daemon(bench, SETTINGS, log) as daemon:
        warm(daemon.port)
        capacity = rate(bench, daemon, CONNECTIONS, "capacity")
        connections = connections_for(capacity / 2, bench, daemon)
        idle = settled_descriptors(daemon.process)
        child = wrk.start(bench, daemon.port, "mixed", connections, seconds, COUNT, "soak", DELAY_MILLISECONDS)
        samples = watch(daemon.process, child, seconds)
        load = wrk.parse(bench.children.finish(child, 60), refusals_expected=True)
        left = settled_descriptors(daemon.process, idle)
    print(f"{load.requests:,} requests in {seconds} s, {load.per_second:,.0f}/s of {capacity:,.0f}/s; p99 {load.p99:.1f} ms")
    if options.json:
        Path(options.json).write_text(json.dumps(list(map(asdict, samples))))
    return 0 if judged(samples, load, idle, left) else 1


def rate(bench, daemon, connections, *arguments):
    """The number of requests that are answered in a second."""
    load = wrk.run(
        bench, daemon, "mixed", connections, TRIAL_SECONDS, COUNT, *arguments, refusals_expected=True)
    return load.per_second


def connections_for(wanted, bench, daemon):
    """How many connections make this rate if each waits before a request."""
    connections = max(int(wanted * DELAY_MILLISECONDS / 1000), 1)
    for trial in range(2):
        found = rate(bench, daemon, connections, f"trial-{trial}", DELAY_MILLISECONDS)
        connections = max(min(int(connections * wanted / found), 2 * connections), 1)
    return connections


def watch(process, child, seconds):
    """Samples until the load ends, without those of the warm-up."""
    begun, samples = time.monotonic(), []
    while child.poll() is None and (now := time.monotonic() - begun) < seconds - 1:
        if now >= WARM_UP_SECONDS:
            samples.append(Sample(now, anonymous_kilobytes(process), open_descriptors(process)))
        time.sleep(SAMPLE_SECONDS)
    return samples


def settled_descriptors(process, expected=None):
    """Descriptors while no client is connected; waits because the last connections may still be closing."""
    deadline = time.monotonic() + SETTLE_SECONDS
    while True:
        count = open_descriptors(process)
        if count == expected or time.monotonic() > deadline:
            return count
        time.sleep(0.1)


def judged(samples, load, idle, left):
    """Prints the results, and returns whether all of them are as expected."""
    if len(samples) < 3:
        raise Unmeasured("there are too few samples: give it more minutes")
    minutes = [sample.seconds / 60 for sample in samples]
    memory = linear_regression(minutes, [sample.kilobytes for sample in samples]).slope
    drift = linear_regression(minutes, [sample.descriptors for sample in samples]).slope * (minutes[-1] - minutes[0])
    refused = load.refused / load.requests
    found = [
        (memory <= MOST_KILOBYTES_A_MINUTE,
         f"memory of its own (RssAnon): {memory:+.1f} kB a minute (at most {MOST_KILOBYTES_A_MINUTE}), from {samples[0].kilobytes:,} to "
         f"{samples[-1].kilobytes:,} kB in {len(samples)} samples"),
        (abs(drift) < 1 and left == idle,
         f"descriptors: {drift:+.2f} from first to last sample, and {idle} before and {left} after the load"),
        (abs(refused - REFUSED_SHARE) < 0.0005,
         f"refused: {refused:.2%} of {load.requests:,}, and {REFUSED_SHARE:.2%} expected; no socket errors"),
    ]
    for passes, sentence in found:
        print(f"{'pass' if passes else 'MISS'}  {sentence}")
    return all(passes for passes, _ in found)
