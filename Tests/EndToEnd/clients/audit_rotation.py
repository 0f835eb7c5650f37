"""Repeated renaming of the audit file and SIGHUP under load: no record is lost, and the chain continues.

python audit_rotation.py DAEMON CONFIG API_KEY ROTATIONS
"""
import pathlib
import signal
import sys
import time

sys.dont_write_bytecode = True

from audited_load import Load, require_recorded  # noqa: E402
from daemon_process import Daemon  # noqa: E402
from outcome import PATIENCE, report, require  # noqa: E402

DAEMON, CONFIG, KEY, ROTATIONS = sys.argv[1], pathlib.Path(sys.argv[2]), sys.argv[3], int(sys.argv[4])


def main():
    audit_file = CONFIG.parent / "audit"
    renamed = []
    with Daemon(DAEMON, CONFIG, CONFIG.parent / "daemon.log") as daemon:
        load = Load(daemon, [f"Authorization: Bearer {KEY}"], "rotation")
        for number in range(ROTATIONS):
            load.wait_for(len(load.received) + 100)
            renamed.append(audit_file.rename(audit_file.with_name(f"audit.{number}")))
            # Until SIGHUP the daemon writes to the renamed file.
            load.wait_for(len(load.received) + 20)
            daemon.process.send_signal(signal.SIGHUP)
            wait_for(audit_file, daemon)
        load.wait_for(len(load.received) + 100)
        received = load.end()
        require(set(load.statuses) == {200}, f"answers: {load.statuses}")
        require(daemon.end() == 0, "the daemon did not end in order")
    recorded = require_recorded(received, [*renamed, audit_file])
    require(all(path.stat().st_size for path in renamed), "a file is empty")
    return {"received": len(received), "recorded": recorded, "files": [path.name for path in [*renamed, audit_file]]}


def wait_for(audit_file, daemon):
    deadline = time.monotonic() + PATIENCE
    while not (audit_file.exists() and audit_file.stat().st_size):
        require(daemon.process.poll() is None, "SIGHUP ended the daemon")
        require(time.monotonic() < deadline, "no new file was begun after SIGHUP")
        time.sleep(0.002)


report(main)
