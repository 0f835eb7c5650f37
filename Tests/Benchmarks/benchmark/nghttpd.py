"""The peer that uses the same library: nghttpd with one worker, and a file with the body of our answer."""
import socket
import subprocess
import time

from .bench import SERVER_CORE
from .daemon import READY_SECONDS, free_port
from .unmeasured import Unmeasured


class Nghttpd:
    """`with Nghttpd(bench, answer) as nghttpd:`, unencrypted."""

    def __init__(self, bench, answer):
        self.bench = bench
        self.answer = answer

    def __enter__(self):
        files = self.bench.directory / "nghttpd"
        files.mkdir()
        (files / "token").write_bytes(self.answer.body)
        self.port = free_port()
        self.child = self.bench.children.start(
            ["nghttpd", "--no-tls", "--workers", 1, "--htdocs", files, self.port], SERVER_CORE,
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.process = self.child.pid
        self.wait()
        return self

    def __exit__(self, *_):
        if self.child in self.bench.children.running:
            self.bench.children.stop(self.child)

    def wait(self):
        deadline = time.monotonic() + READY_SECONDS
        while time.monotonic() < deadline:
            try:
                socket.create_connection(("127.0.0.1", self.port)).close()
                return
            except OSError:
                time.sleep(0.01)
        raise Unmeasured(f"`nghttpd` did not listen within {READY_SECONDS} s")
