"""One daemon after the other at the same address under load: no connection is refused or reset, no request lost.

python upgrade_load.py DAEMON FOLDER CREDENTIALS CLIENTS UPGRADES

Half of the clients keep their connections until the daemon closes them; the others reconnect for each request.
"""
import pathlib
import signal
import socket
import subprocess
import sys
import threading
import time
from types import SimpleNamespace

sys.dont_write_bytecode = True

from drain_client import Counts, KeepAliveClient, path  # noqa: E402
from outcome import report, require  # noqa: E402
from raw_http import AnswerReader, Truncated, connect  # noqa: E402

DAEMON, FOLDER, CREDENTIALS, CLIENTS, UPGRADES = sys.argv[1], pathlib.Path(sys.argv[2]), sys.argv[3], *map(int, sys.argv[4:])
LIMIT_SECONDS = 600
ANSWERS_BETWEEN = 1000


def main():
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
        running = start(port)
    counts, waits = Counts(), []
    deadline = time.monotonic() + LIMIT_SECONDS
    options = SimpleNamespace(host="127.0.0.1", port=port)
    loads = [KeepAliveClient(options, counts, number, deadline) if number % 2 else Newcomer(options, counts, number, deadline, waits)
             for number in range(CLIENTS)]
    threads = [threading.Thread(target=load.run, daemon=True) for load in loads]
    for thread in threads:
        thread.start()
    try:
        for number in range(UPGRADES):
            wait_for_answers(counts, (number + 1) * ANSWERS_BETWEEN, deadline)
            successor = start(port)
            running.send_signal(signal.SIGTERM)
            require(running.wait(LIMIT_SECONDS) == 0, "the previous daemon did not end with 0")
            running = successor
        wait_for_answers(counts, (UPGRADES + 1) * ANSWERS_BETWEEN, deadline)
        for load in loads:
            load.deadline = 0
        for thread in threads:
            thread.join(LIMIT_SECONDS)
        require(running.poll() is None, "the last daemon has ended")
    finally:
        running.kill()
        running.wait()
    return counts.facts() | {"failed_to_connect": counts.values["failed_to_connect"], "longest_connect_ms": round(max(waits) * 1000)}


def start(port):
    log = open(FOLDER / "daemon.log", "ab")
    process = subprocess.Popen(
        [DAEMON, "serve", "--listen", f"127.0.0.1:{port}", "--credentials", CREDENTIALS, "--log-level", "notice"],
        stdout=subprocess.PIPE, stderr=log, stdin=subprocess.DEVNULL)
    line = process.stdout.readline().decode()
    require(" listening on " in line, f"a daemon did not start: {line}")
    return process


class Newcomer:
    """Connects again for each request."""

    def __init__(self, options, counts, number, deadline, waits):
        self.options, self.counts, self.deadline, self.waits = options, counts, deadline, waits
        self.request = f"GET {path(number)} HTTP/1.1\r\nHost: test\r\nConnection: close\r\n\r\n".encode()

    def run(self):
        while time.monotonic() < self.deadline:
            self.counts.add("sent")
            began = time.monotonic()
            try:
                connection = connect(self.options.host, self.options.port)
            except OSError:
                self.counts.add("failed_to_connect")
                continue
            self.waits.append(time.monotonic() - began)
            with connection:
                try:
                    connection.sendall(self.request)
                    answer = AnswerReader(connection).next()
                except (Truncated, OSError):
                    answer = None
                good = answer is not None and answer.status == 200
                self.counts.add("answered" if good else "lost_fresh")


def wait_for_answers(counts, wanted, deadline):
    while counts.facts()["answered"] < wanted:
        require(time.monotonic() < deadline, f"too few answers: {counts.facts()}")
        time.sleep(0.01)


report(main)
