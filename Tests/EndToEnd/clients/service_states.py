"""What the daemon reports to the service manager from its start to its end.

python service_states.py BINARY CREDENTIALS FOLDER NAME

Starts it with NOTIFY_SOCKET=NAME and a watchdog, waits for watchdog messages, reloads and stops it; prints the reported states.
"""
import pathlib
import signal
import sys
import time

sys.dont_write_bytecode = True

from outcome import report, require  # noqa: E402
from service_manager import NotifySocket, Service  # noqa: E402


def main():
    binary, credentials, folder, name = sys.argv[1:]
    notify = NotifySocket(name)
    watched = {"WATCHDOG_USEC": "200000", "TOKEN_PROVIDER_CALLERS": "none"}
    command = [binary, "serve", "--listen", "127.0.0.1:0", "--credentials", credentials]
    with Service(command, f"{folder}/daemon.log", notify=notify, environment=watched) as service:
        started = notify.until("READY")
        lives = [notify.until("WATCHDOG")[-1] for _ in range(3)]
        before = time.monotonic_ns() // 1000
        service.process.send_signal(signal.SIGHUP)
        reloading = notify.until("RELOADING")[-1]
        require(before <= int(reloading["MONOTONIC_USEC"]) <= time.monotonic_ns() // 1000, f"not now: {reloading}")
        reloaded = notify.until("READY")[-1]
        pathlib.Path(credentials).rename(f"{credentials}.away")
        service.process.send_signal(signal.SIGHUP)
        notify.until("RELOADING")
        refused = notify.until("READY")[-1]
        service.process.send_signal(signal.SIGTERM)
        stopping = notify.until("STOPPING")[-1]
        return {
            "ready": started[-1]["STATUS"], "lives": [life["STATUS"] for life in lives],
            "reloaded": reloaded["STATUS"], "refused": refused["STATUS"], "stopping": stopping["STATUS"], "status": service.process.wait(),
        }


report(main)
