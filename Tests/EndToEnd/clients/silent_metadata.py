"""How long the daemon waits for a metadata server that accepts connections and says nothing.

python silent_metadata.py DAEMON

That is a machine that is not Google's. Without `sign_as` the daemon needs the server's account to start; with it, the
daemon serves and asks again and again. `longest` is the longest time, in seconds, that a connection was kept open.
"""
import os
import socket
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

sys.dont_write_bytecode = True

import loopback_accounts as names  # noqa: E402
from daemon_process import Daemon  # noqa: E402
from outcome import report, require  # noqa: E402

LONGEST = 60


class Silence:
    """Accepts connections, and notes how long each is kept open and what is asked."""

    def __init__(self):
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.host = f"127.0.0.1:{self.listener.getsockname()[1]}"
        self.ended, self.asked = [], set()
        threading.Thread(target=self.accept, daemon=True).start()

    def accept(self):
        while True:
            threading.Thread(target=self.listen, args=self.listener.accept()[:1], daemon=True).start()

    def listen(self, connection):
        began, text = time.monotonic(), b""
        with connection:
            while data := connection.recv(65_536):
                text += data
        self.asked.add(text.partition(b" HTTP/")[0].decode())
        self.ended.append(time.monotonic() - began)


def run(binary, folder, silence):
    config = Path(folder, "token-provider.yaml")
    settings = "callers: none\nlisten: 127.0.0.1:0\ncredentials: application_default\n"
    environment = {"PATH": os.environ["PATH"], "HOME": folder, "GCE_METADATA_HOST": silence.host}
    config.write_text(settings)
    refused = subprocess.run(
        [binary, "serve", "--config", str(config)], env=environment, capture_output=True, text=True, timeout=LONGEST)
    asked = len(silence.ended)
    config.write_text(f"{settings}sign_as: {names.DRIVER}\n")
    with Daemon(binary, config, Path(folder, "log"), environment=environment) as daemon:
        deadline = time.monotonic() + LONGEST
        while len(silence.ended) < asked + 2:
            require(time.monotonic() < deadline, "the daemon did not ask twice")
            time.sleep(0.05)
        daemon.end()
    return {"status": refused.returncode, "errors": refused.stderr}


def main():
    silence = Silence()
    with tempfile.TemporaryDirectory() as folder:
        facts = run(sys.argv[1], folder, silence)
    return facts | {"longest": max(silence.ended), "asked": sorted(silence.asked)}


if __name__ == "__main__":
    report(main)
