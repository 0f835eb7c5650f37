"""Signatures in flight share a few connections of HTTP/2, which are kept, with a server that offers it.

python keyless_http2.py DAEMON
"""
import collections
import sys
import tempfile
import threading
from pathlib import Path

sys.dont_write_bytecode = True

import loopback_accounts as names  # noqa: E402
from daemon_process import Daemon  # noqa: E402
from keyless_load import ask  # noqa: E402
from loopback_certificate import certify  # noqa: E402
from loopback_process import Loopback  # noqa: E402
from outcome import report, require  # noqa: E402
from raw_http import connect  # noqa: E402

WAVES, DEVICES = 3, 96


def wave(daemon, number, statuses):
    """Devices that ask for new tokens at the same time."""
    def device(index):
        with connect(daemon.host, daemon.port) as connection:
            statuses[ask(connection, f"wave-{number}-{index}").status] += 1
    threads = [threading.Thread(target=device, args=[index]) for index in range(DEVICES)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


def most_at_once(calls, seconds):
    """The most calls in flight on one connection: each takes these seconds."""
    def is_meanwhile(one, other):
        return one["connection"] == other["connection"] and one["at"] <= other["at"] < one["at"] + seconds
    return max(sum(is_meanwhile(one, other) for other in calls) for one in calls)


def main():
    with tempfile.TemporaryDirectory() as folder:
        certificate, key = certify(folder)
        with Loopback("--files", folder, "--certificate", certificate, "--key", key) as loopback:
            config = Path(folder, "token-provider.yaml")
            config.write_text(
                f"callers: none\nlisten: 127.0.0.1:0\ncredentials: {loopback.files['authorized_user']}\n"
                f"sign_as: {names.DRIVER}\ngoogle: {{iam_credentials: '{loopback.url}', keys: '{loopback.url}'}}\n"
                f"credentials_allowed_hosts: [127.0.0.1]\noutgoing: {{ca_file: {certificate}}}\n")
            statuses = collections.Counter()
            with Daemon(sys.argv[1], config, Path(folder, "daemon.log")) as daemon:
                loopback.faults({"fault": "slow", "milliseconds": 500, "path": ":signJwt"})
                for number in range(WAVES):
                    wave(daemon, number, statuses)
            calls = [each for each in loopback.recorded() if each["path"].endswith(":signJwt")]
    require(len(calls) == WAVES * DEVICES, f"{len(calls)} calls where {WAVES * DEVICES} were expected")
    return {
        "statuses": statuses, "versions": sorted({each["version"] for each in calls}),
        "connections": len({each["connection"] for each in calls}), "most_at_once": most_at_once(calls, 0.5),
    }


if __name__ == "__main__":
    report(main)
