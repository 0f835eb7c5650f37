"""The peer that uses the same library: nghttpd with one worker, and a file with the body of our answer."""
import socket
import subprocess
import time

from .bench import SERVER_CORE
from .daemon import READY_SECONDS, free_port
from .unmeasured import Unmeasured


class Nghttpd:
    """`with Nghttpd(bench, answer) as nghttpd:`, unencrypted unless there is a pair of files, certificate and key."""

    def __init__(self, bench, answer, certificate=None):
        self.bench = bench
        self.answer = answer
        self.certificate = certificate

    def __enter__(self):
        files = self.bench.directory / "nghttpd"
        files.mkdir(exist_ok=True)
        (files / "token").write_bytes(self.answer.body)
        self.port = free_port()
        options = [] if self.certificate else ["--no-tls"]
        secrets = reversed(self.certificate) if self.certificate else []
        self.child = self.bench.children.start(
            ["nghttpd", *options, "--workers", 1, "--htdocs", files, self.port, *secrets], SERVER_CORE,
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
