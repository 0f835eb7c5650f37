"""Load while a daemon with an inherited socket is restarted repeatedly: no client is refused, no request is lost.

python socket_restart.py BINARY CREDENTIALS FOLDER CLIENTS RESTARTS
"""
import signal
import socket
import sys
import threading
import time
from types import SimpleNamespace

sys.dont_write_bytecode = True

from drain_client import Counts, KeepAliveClient  # noqa: E402
from outcome import report, require  # noqa: E402
from service_manager import LIMIT_SECONDS, Service  # noqa: E402

ANSWERS_BETWEEN = 500


def main():
    binary, credentials, folder, clients, restarts = sys.argv[1:]
    held = socket.create_server(("127.0.0.1", 0), backlog=4096)
    host, port = held.getsockname()
    command = [binary, "serve", "--credentials", credentials]
    # All clients have one address.
    open_to_all = {"TOKEN_PROVIDER_CALLERS": "none", "TOKEN_PROVIDER_HTTP_LOOPS": "2"}
    counts = Counts()
    deadline = time.monotonic() + LIMIT_SECONDS
    loads = [KeepAliveClient(SimpleNamespace(host=host, port=port), counts, number, deadline)
             for number in range(int(clients))]
    threads = [threading.Thread(target=load.run, daemon=True) for load in loads]
    service = Service(command, f"{folder}/daemon.log", sockets=[("http", held)], environment=open_to_all)
    with service:
        for thread in threads:
            thread.start()
        for _ in range(int(restarts)):
            wait_for_more_answers(counts, deadline)
            service.process.send_signal(signal.SIGTERM)
            require(service.process.wait(LIMIT_SECONDS) == 0, "the daemon did not end with 0")
            service.start()
        wait_for_more_answers(counts, deadline)
        for load in loads:
            load.deadline = 0
        for thread in threads:
            thread.join(LIMIT_SECONDS)
    return counts.facts()


def wait_for_more_answers(counts, deadline):
    """Waits for more answers than the previous daemon can have left unread: SIGTERM kills a daemon that is still starting."""
    wanted = counts.facts()["answered"] + ANSWERS_BETWEEN
    while counts.facts()["answered"] < wanted:
        require(time.monotonic() < deadline, f"too few answers: {counts.facts()}")
        time.sleep(0.01)


report(main)
