"""Repeated kill -9 under load: every token that a client received has its record, and the chain is unbroken.

python audit_crash.py DAEMON CONFIG API_KEY ROUNDS
"""
import pathlib
import random
import signal
import subprocess
import sys

sys.dont_write_bytecode = True

from audited_load import Load, require_recorded  # noqa: E402
from daemon_process import Daemon  # noqa: E402
from outcome import report, require  # noqa: E402

DAEMON, CONFIG, KEY, ROUNDS = sys.argv[1], pathlib.Path(sys.argv[2]), sys.argv[3], int(sys.argv[4])


def main():
    audit_file = CONFIG.parent / "audit"
    received = []
    # The seed makes failures as repeatable as two processes allow.
    chance = random.Random(4)
    for number in range(ROUNDS):
        with Daemon(DAEMON, CONFIG, CONFIG.parent / "daemon.log") as daemon:
            load = Load(daemon, [f"Authorization: Bearer {KEY}"], f"round-{number}")
            load.wait_for(chance.randint(1, 300))
            daemon.end(signal.SIGKILL)
            received += load.end()
            # On a busy disk a record may take longer than the daemon lets a request wait.
            require(set(load.statuses) <= {200, 503}, f"answers: {load.statuses}")
        recorded = require_recorded(received, [audit_file])
        verdict = subprocess.run([DAEMON, "audit", "verify", audit_file], capture_output=True, text=True)
        require(verdict.returncode == 0 or b"\n" != audit_file.read_bytes()[-1:], f"round {number}: {verdict.stdout}")
    with Daemon(DAEMON, CONFIG, CONFIG.parent / "daemon.log") as daemon:
        require(daemon.end() == 0, "the last daemon did not end in order")
    return {"received": len(received), "recorded": recorded}


report(main)
