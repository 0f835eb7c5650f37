"""What devices get, and what the log says, when something happens to Google in the middle of load.

python keyless_faults.py DAEMON CASE

A case is one of CASES. Known devices must not notice; of the others none may wait for long.
"""
import signal
import sys
import tempfile
import time
from pathlib import Path

sys.dont_write_bytecode = True

import loopback_accounts as names  # noqa: E402
from daemon_process import Daemon  # noqa: E402
from keyless_load import Load  # noqa: E402
from loopback_process import Loopback  # noqa: E402
from outcome import report, require  # noqa: E402

ENDING, SIGNING = "tokens cannot be signed", "tokens are signed again"
PAUSED, RESUMED = "remote signing paused", "remote signing resumed"
LONGEST = 60


class Bench:
    """The daemon, its configuration and its log."""

    def __init__(self, binary, folder, loopback):
        self.loopback = loopback
        self.configuration, self.log = Path(folder, "token-provider.yaml"), Path(folder, "daemon.log")
        self.configure("authorized_user", names.DRIVER)
        self.daemon = Daemon(binary, self.configuration, self.log)

    def configure(self, credentials, sign_as):
        url = self.loopback.url
        self.configuration.write_text(
            f"callers: none\nlisten: 127.0.0.1:0\ncredentials: {self.loopback.files[credentials]}\n"
            f"sign_as: {sign_as}\ngoogle: {{iam_credentials: '{url}', keys: '{url}'}}\n"
            "credentials_allowed_hosts: [127.0.0.1]\n")

    def wait_for(self, text, times=1):
        deadline = time.monotonic() + LONGEST
        while self.lines(text) < times:
            require(time.monotonic() < deadline, f"the log does not say {text}: {self.log.read_text()}")
            time.sleep(0.02)

    def lines(self, text):
        return self.log.read_text().count(text)


def killed(bench):
    """It ends, and starts again after remote signing was paused. It does not know the access token any more."""
    bench.loopback.kill()
    bench.wait_for(PAUSED)
    bench.loopback.restart()
    bench.wait_for(SIGNING)


def stopped(bench):
    """It neither answers nor closes connections, until the first requests were refused."""
    bench.loopback.process.send_signal(signal.SIGSTOP)
    bench.wait_for(ENDING)
    bench.loopback.process.send_signal(signal.SIGCONT)
    bench.wait_for(SIGNING)


def interrupted(bench):
    """It stops for less time than a request may wait."""
    bench.loopback.process.send_signal(signal.SIGSTOP)
    time.sleep(1)
    bench.loopback.process.send_signal(signal.SIGCONT)
    time.sleep(1)


def faulty(fault):
    def happen(bench):
        bench.loopback.faults({"fault": fault, "path": ":signJwt"})
        bench.wait_for(ENDING)
        bench.loopback.faults()
        bench.wait_for(SIGNING)
    return happen


def rotated(bench):
    """The account gets another key, and the previous one is not published any more."""
    bench.loopback.control("POST", "/_rotate", {"account": names.DRIVER, "keep": False})
    time.sleep(1)


def switched(bench):
    """Reloads replace keyless signing by the key file of an account that signs here, and back."""
    ways = [("service_account", names.KEY_HOLDER), ("authorized_user", names.DRIVER)]
    for times, way in enumerate(ways * 2, 1):
        bench.configure(*way)
        bench.daemon.process.send_signal(signal.SIGHUP)
        bench.wait_for("the configuration was reloaded", times)
        time.sleep(0.2)


CASES = {
    "killed": killed, "stopped": stopped, "interrupted": interrupted, "rotated": rotated, "switched": switched,
    "garbage": faulty("garbage"), "role_removed": faulty("role_removed"),
}


def main():
    binary, case = sys.argv[1:]
    with tempfile.TemporaryDirectory() as folder:
        stored = Path(folder, "keys.json")
        with Loopback("--files", folder, "--stored", stored) as loopback:
            bench = Bench(binary, folder, loopback)
            with bench.daemon, Load(bench.daemon, case) as load:
                CASES[case](bench)
                bench.wait_for(RESUMED, bench.lines(PAUSED))
                time.sleep(0.3)
            lines = {text: bench.lines(text) for text in (ENDING, SIGNING, PAUSED, RESUMED)}
            require(bench.lines("ya29.") == 0, "an access token is in the log")
            return load.facts | {"lines": lines}


if __name__ == "__main__":
    report(main)
