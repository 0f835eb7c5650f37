"""The load generator of HTTP/2, and its report as numbers."""
import re
import subprocess
from dataclasses import dataclass

from .bench import CLIENT_CORE
from .process_status import cpu_seconds
from .unmeasured import Unmeasured
from .warmed_ids import COUNT

STREAMS = 32


@dataclass
class Load:
    """One round: requests answered with 200, the rate by the wall clock, the processor time that the server took."""
    requests: int
    per_second: float
    server_cpu_seconds: float = 0.0

    @property
    def per_cpu_second(self):
        return self.requests / self.server_cpu_seconds


def run(bench, port, process, connections, seconds, scheme="http"):
    """One round of load over the cached ids; unencrypted, it is by prior knowledge."""
    before = cpu_seconds(process)
    command = [
        "h2load", "--threads", 1, "--clients", connections, "--max-concurrent-streams", STREAMS, "--duration", seconds,
        "--input-file", ids(bench), "--base-uri", f"{scheme}://127.0.0.1:{port}"]
    child = bench.children.start(command, CLIENT_CORE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    load = parse(bench.children.finish(child, seconds + 60))
    load.server_cpu_seconds = max(cpu_seconds(process) - before, 0.01)
    return load


def ids(bench):
    file = bench.directory / "cached-ids"
    if not file.exists():
        file.write_text("".join(f"/token?tripID=cached-{index:04}\n" for index in range(COUNT)))
    return file


def parse(text):
    """Reads h2load's report; an error or an unsuccessful answer makes the round invalid."""
    counts = re.search(r"requests: .* (\d+) succeeded, (\d+) failed, (\d+) errored, (\d+) timeout", text)
    rate = re.search(r"finished in [\d.]+\w+, ([\d.]+) req/s", text)
    if not counts or not rate or int(counts[1]) == 0:
        raise Unmeasured(f"h2load's report was not understood: {text!r}")
    if any(int(count) for count in counts.groups()[1:]):
        raise Unmeasured(f"h2load counted failures: {counts[0]}")
    return Load(int(counts[1]), float(rate[1]))
