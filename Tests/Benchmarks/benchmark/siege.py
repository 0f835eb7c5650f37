"""Attacks on the memory of a daemon that may use little: does it live, how much does it use, and are others served?"""
import argparse
import json
import math
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from . import build
from .bench import CLIENT_CORE, Bench
from .children import Children
from .daemon import Daemon, free_port
from .process_status import only_child, anonymous_kilobytes
from .tls import make_certificate
from .unmeasured import Unmeasured

CLIENTS = Path(__file__).resolve().parents[2] / "EndToEnd" / "clients"
ATTACKS = ("silent", "partial_head", "pipeline", "unread", "last_unread", "cut_hello", "half_handshake", "idle_http2", "closed_window")
# Goals.
MOST_OF_LIMIT, LEAST_ANSWERED, MOST_MILLISECONDS, MOST_LEFT_MEGABYTES = 0.8, 0.99, 50, 16
# Within this time after an attack memory has to be given back.
CALM_SECONDS = 60


class LimitedDaemon(Daemon):
    """A daemon with the limits that it is shipped with, and so much memory."""

    def __init__(self, bench, mebibytes):
        self.secure_port = free_port()
        certificate, key = make_certificate(bench)
        tls = {"listen": f"127.0.0.1:{self.secure_port}", "certificates": [{"certificate": str(certificate), "key": str(key)}]}
        super().__init__(bench, {"tls": tls, "http": {"loops": 0}})
        self.facts, self.mebibytes = bench.directory / "facts.json", mebibytes

    @property
    def command(self):
        return [sys.executable, CLIENTS / "limited_memory.py", self.mebibytes << 20, self.facts, *super().command]


def main(arguments):
    parser = argparse.ArgumentParser(prog="Tests/Benchmarks/siege", description=__doc__)
    parser.add_argument("--seconds", type=float, default=60, help="for each attack")
    parser.add_argument("--connections", type=int, default=2040, help="of each address")
    parser.add_argument("--addresses", type=int, action="append", help="1 and 16 if not given")
    parser.add_argument("--limit", type=int, action="append", metavar="MIB", help="256 and 512 if not given")
    parser.add_argument("--only", action="append", choices=ATTACKS, help="this attack")
    parser.add_argument("--binary", metavar="FILE", help="try this executable instead of building one")
    options = parser.parse_args(arguments)
    try:
        binary = Path(options.binary).resolve() if options.binary else build.release()
        build.require_executable(binary)
        withstood = True
        for mebibytes in options.limit or (256, 512):
            for addresses in options.addresses or (1, 16):
                for attack in options.only or ATTACKS:
                    withstood = besiege(binary, attack, mebibytes, addresses, options) and withstood
        return 0 if withstood else 1
    except Unmeasured as problem:
        print(problem, file=sys.stderr)
        return 2


def besiege(binary, attack, mebibytes, addresses, options):
    with tempfile.TemporaryDirectory(prefix="token-provider-siege-") as directory, Children() as children:
        daemon = LimitedDaemon(Bench(binary, Path(directory), children, quick=False), mebibytes)
        with daemon:
            process = only_child(daemon.process)
            before = anonymous_kilobytes(process)
            siege = ["taskset", "-c", CLIENT_CORE, sys.executable, CLIENTS / "memory_siege.py", daemon.port,
                     daemon.secure_port, addresses, options.connections, options.seconds, attack]
            done = subprocess.run([str(word) for word in siege], capture_output=True, text=True)
            if done.returncode != 0:
                raise Unmeasured(f"{attack}: {done.stderr.strip()}")
            clients = json.loads(done.stdout)[attack]
            left, calm = calmed(process, before)
        facts = json.loads(daemon.facts.read_text())
    share = facts["together"] / facts["limit"]
    answered = clients["answered"] / max(1, clients["asked"])
    slowest = max(p99 or math.inf for p99 in clients["p99_of_kinds"].values())
    kinds = ", ".join(f"{kind} {p99}" for kind, p99 in clients["p99_of_kinds"].items())
    is_withstood = (
        not facts["killed"] and share < MOST_OF_LIMIT and answered >= LEAST_ANSWERED
        and slowest < MOST_MILLISECONDS and left < MOST_LEFT_MEGABYTES)
    print(
        f"{'yes' if is_withstood else 'NO':3} {attack:14} {addresses:2} addresses, {clients['connections']:6,} connections at"
        f" once, {clients['opened']:7,} in all: {facts['resident'] >> 20:3} + {facts['sockets'] >> 20:3} MiB ({share:.0%} of"
        f" {mebibytes}), answered {answered:.2%}, p99 {slowest} ms ({kinds}), {left:+.0f} MB after {calm:.0f} s;"
        f" {facts['means']} {clients['failures'][:3]}", flush=True)
    return is_withstood


def calmed(process, before):
    """By how many megabytes its own memory has grown, and how long it took to come down to that; infinite if it was killed."""
    began = time.monotonic()
    while True:
        passed = time.monotonic() - began
        try:
            growth = (anonymous_kilobytes(process) - before) * 1024 / 1e6
        except FileNotFoundError:
            return math.inf, passed
        if growth < MOST_LEFT_MEGABYTES or passed > CALM_SECONDS:
            return growth, passed
        time.sleep(1)
