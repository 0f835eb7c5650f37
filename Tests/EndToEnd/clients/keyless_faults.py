"""What devices get, and what the log says, when something happens to Google in the middle of load.

python keyless_faults.py DAEMON CASE [--http2]

A case is one of CASES. Known devices must not notice; of the others none may wait for long. Tokens live so shortly that
those of known devices are renewed while it happens, or after it. With --http2 Google is asked over TLS and HTTP/2.
`lines` counts all that the log says, apart from information and what it says about the configuration.
"""
import collections
import json
import re
import signal
import sys
import tempfile
import time
from pathlib import Path

sys.dont_write_bytecode = True

import loopback_accounts as names  # noqa: E402
from daemon_process import Daemon  # noqa: E402
from keyless_load import KNOWN, Load  # noqa: E402
from loopback_certificate import certify  # noqa: E402
from loopback_process import Loopback  # noqa: E402
from outcome import report, require  # noqa: E402

ENDING, SIGNING = "tokens cannot be signed", "tokens are signed again"
PAUSED, RESUMED = "remote signing paused", "remote signing resumed"
LONGEST = 600
# Renewed 14 to 18 s after they are signed, and served for 37 s.
LIFETIME, MARGIN, HEAD_START = 40, 3, 8
# Renewed after 56 to 72 s, which begins while Google is stopped for so long.
MINUTE, LONG_LIFETIME = 60, 160
# Time, level and message of a line, without the details and fields after it.
LINE = re.compile(r"\S+ (trace|debug|info|notice|warning|error|critical) (.+?)(?:: .*| [a-z_]+=.*)?$")


class Bench:
    """The daemon, its configuration and its log."""

    def __init__(self, binary, folder, loopback, certificate, lifetime):
        self.loopback, self.certificate, self.lifetime = loopback, certificate, lifetime
        self.configuration, self.log = Path(folder, "token-provider.yaml"), Path(folder, "daemon.log")
        self.configure("authorized_user", names.DRIVER)
        self.daemon = Daemon(binary, self.configuration, self.log)

    def configure(self, credentials, sign_as):
        url = self.loopback.url
        authority = f"outgoing: {{ca_file: {self.certificate}}}\n" if self.certificate else ""
        self.configuration.write_text(
            "callers: none\nlisten: 127.0.0.1:0\nadmin: {listen: []}\n"
            f"credentials: {self.loopback.files[credentials]}\n"
            f"sign_as: {sign_as}\ngoogle: {{iam_credentials: '{url}', keys: '{url}'}}\n"
            f"credentials_allowed_hosts: [127.0.0.1]\n{authority}"
            f"token: {{lifetime: {self.lifetime}s, backdate: 0s, client_margin: {MARGIN}s}}\n")

    def wait_for_renewals(self):
        """Until each known device has got another token that was signed since the requests were forgotten."""
        deadline = time.monotonic() + LONGEST
        while len({known(each) for each in self.loopback.recorded()} - {None}) < KNOWN:
            require(time.monotonic() < deadline, "the tokens of known devices were not renewed")
            time.sleep(0.2)

    def wait_for(self, text, times=1):
        deadline = time.monotonic() + LONGEST
        while self.lines(text) < times:
            require(time.monotonic() < deadline, f"the log does not say {text}: {self.log.read_text()}")
            time.sleep(0.02)

    def lines(self, text):
        return self.log.read_text().count(text)

    def said(self):
        """How often the log has each line, as level and message."""
        found = collections.Counter()
        for line in self.log.read_text().splitlines():
            matched = LINE.match(line)
            require(matched, f"the log has a line without a level: {line}")
            if matched[1] != "info" and matched[2] != "settings or files need attention":
                found[" ".join(matched.groups())] += 1
        return found


def known(request):
    """The known device whose token was signed by this request; None for another request."""
    if not request["path"].endswith(":signJwt") or request["status"] != 200:
        return None
    vehicle = json.loads(json.loads(request["body"])["payload"])["authorization"]["vehicleid"]
    return vehicle if vehicle.startswith("known-") else None


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


def stopped_for_a_minute(bench):
    """The same for so long that the tokens of known devices were to be renewed meanwhile."""
    began = time.monotonic()
    bench.loopback.process.send_signal(signal.SIGSTOP)
    bench.wait_for(ENDING)
    time.sleep(began + MINUTE - time.monotonic())
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
    "killed": killed, "stopped": stopped, "stopped_for_a_minute": stopped_for_a_minute, "interrupted": interrupted,
    "rotated": rotated, "switched": switched, "garbage": faulty("garbage"), "role_removed": faulty("role_removed"),
}


def run(bench, case):
    with bench.daemon, Load(bench.daemon, case) as load:
        # So that tokens are due for renewal while something happens for long.
        time.sleep(HEAD_START)
        bench.loopback.forget()
        CASES[case](bench)
        bench.wait_for(RESUMED, bench.lines(PAUSED))
        if case != "switched":
            bench.wait_for_renewals()
        time.sleep(0.3)
    calls = [each for each in bench.loopback.recorded() if each["path"].endswith(":signJwt")]
    require(bench.lines("ya29.") == 0, "an access token is in the log")
    return load.facts | {"lines": bench.said(), "versions": sorted({each["version"] for each in calls})}


def main():
    binary, case, *options = sys.argv[1:]
    with tempfile.TemporaryDirectory() as folder:
        certificate, key = certify(folder) if "--http2" in options else (None, None)
        secured = ["--certificate", certificate, "--key", key] if certificate else []
        with Loopback("--files", folder, "--stored", Path(folder, "keys.json"), *secured) as loopback:
            lifetime = LONG_LIFETIME if case == "stopped_for_a_minute" else LIFETIME
            return run(Bench(binary, folder, loopback, certificate, lifetime), case)


if __name__ == "__main__":
    report(main)
