"""How long the daemon waits for a metadata server that accepts connections and says nothing.

python silent_metadata.py DAEMON

That is a machine that is not Google's. Without `sign_as` the daemon needs the server's account to start; with it, the
daemon serves and asks again and again. `commands` holds status and output of `serve`, `doctor` and `reload`;
`longest` is the longest time, in seconds, that a connection was kept open.
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

LONGEST = 600


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


class Trial:
    """Runs commands, and notes how each of them ended."""

    def __init__(self, binary, folder, silence):
        self.binary, self.silence = binary, silence
        self.config, self.log = Path(folder, "token-provider.yaml"), Path(folder, "log")
        self.environment = {"PATH": os.environ["PATH"], "HOME": folder, "GCE_METADATA_HOST": silence.host}
        self.commands = {}

    def configure(self, *settings):
        common = "callers: none\nlisten: 127.0.0.1:0\nadmin: {listen: '127.0.0.1:0'}\ncredentials: application_default\n"
        self.config.write_text(common + "".join(f"{setting}\n" for setting in settings))

    def run(self, name, *command):
        done = subprocess.run(
            [self.binary, *command], env=self.environment, capture_output=True, text=True, timeout=LONGEST)
        self.commands[name] = {"status": done.returncode, "said": done.stdout + done.stderr}

    def without_account(self):
        self.configure()
        self.run("serve", "serve", "--config", str(self.config))
        self.run("doctor", "doctor", "--config", str(self.config))

    def with_account(self):
        """Returns once the server was asked twice more. A reload that needs its account keeps what is served."""
        self.configure(f"sign_as: {names.DRIVER}")
        self.run("doctor with sign_as", "doctor", "--config", str(self.config))
        asked = len(self.silence.ended)
        with Daemon(self.binary, self.config, self.log, environment=self.environment) as daemon:
            self.run("reload with sign_as", "reload", "--url", daemon.admin)
            self.configure()
            self.run("reload", "reload", "--url", daemon.admin)
            deadline = time.monotonic() + LONGEST
            while len(self.silence.ended) < asked + 2:
                require(time.monotonic() < deadline, "the daemon did not ask twice")
                time.sleep(0.05)
            daemon.end()


def main():
    silence = Silence()
    with tempfile.TemporaryDirectory() as folder:
        trial = Trial(sys.argv[1], folder, silence)
        trial.without_account()
        trial.with_account()
    return {"commands": trial.commands, "longest": max(silence.ended), "asked": sorted(silence.asked)}


if __name__ == "__main__":
    report(main)
