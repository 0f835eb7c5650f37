"""The load generator, and its report as numbers."""
import re
import subprocess
from dataclasses import dataclass
from pathlib import Path

from .process_status import cpu_seconds
from .unmeasured import Unmeasured

SCRIPTS = Path(__file__).resolve().parent.parent / "load"
UNITS = {"us": 0.001, "ms": 1.0, "s": 1000.0, "m": 60000.0}


@dataclass
class Load:
    """One round: requests answered, the rate by the wall clock, latencies in milliseconds."""
    requests: int
    per_second: float
    p50: float
    p99: float
    refused: int
    server_cpu_seconds: float = 0.0

    @property
    def per_cpu_second(self):
        return self.requests / self.server_cpu_seconds

    @property
    def server_busy(self):
        """The share of the round in which the server had the processor."""
        return self.server_cpu_seconds * self.per_second / self.requests


def start(bench, port, script, connections, seconds, *arguments, scheme="http"):
    command = [
        "wrk", "--threads", 1, "--connections", connections, "--duration", f"{seconds}s", "--timeout", "30s",
        "--latency", "--script", SCRIPTS / f"{script}.lua", f"{scheme}://127.0.0.1:{port}", "--", *arguments]
    return bench.children.start(command, bench.client_cores, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def run(bench, server, script, connections, seconds, *arguments, refusals_expected=False, secure=False):
    """One round of load on a server with `port` (or `secure_port`) and `process`, with the processor time that it took."""
    before = cpu_seconds(server.process)
    port, scheme = (server.secure_port, "https") if secure else (server.port, "http")
    child = start(bench, port, script, connections, seconds, *arguments, scheme=scheme)
    load = parse(bench.children.finish(child, seconds + 60), refusals_expected)
    load.server_cpu_seconds = max(cpu_seconds(server.process) - before, 0.01)
    return load


def parse(text, refusals_expected=False):
    """Reads wrk's report; a socket error or an unexpected refusal makes the round invalid."""
    errors = re.search(r"Socket errors: (.*)", text)
    if errors:
        raise Unmeasured(f"wrk counted socket errors: {errors[1]}")
    refused = re.search(r"Non-2xx or 3xx responses: (\d+)", text)
    if refused and not refusals_expected:
        raise Unmeasured(f"{refused[1]} answers of a round were not 200")
    requests = re.search(r"(\d+) requests in", text)
    rate = re.search(r"Requests/sec:\s+([\d.]+)", text)
    p50, p99 = (re.search(rf"^\s+{percent}%\s+([\d.]+)(us|ms|s|m)\s*$", text, re.M) for percent in (50, 99))
    if not (requests and rate and p50 and p99) or int(requests[1]) == 0:
        raise Unmeasured(f"wrk's report was not understood: {text!r}")
    return Load(
        int(requests[1]), float(rate[1]), float(p50[1]) * UNITS[p50[2]], float(p99[1]) * UNITS[p99[2]],
        int(refused[1]) if refused else 0)
