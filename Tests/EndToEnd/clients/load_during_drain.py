"""Load while the server is stopped: every request it accepted must get its whole answer.

python load_during_drain.py HOST PORT CONNECTIONS --terminate PID [--mode keepalive|queued] [--after ANSWERS]

keepalive: CONNECTIONS clients send requests without pause; after ANSWERS answers the server gets SIGTERM; each client goes
           on, reconnecting after `Connection: close`, until its connection is refused.
queued:    the server is halted (SIGSTOP), CONNECTIONS clients connect and send, so that all wait in the accept queue;
           it gets SIGTERM and SIGCONT, and must still answer every one of them.
"""
import argparse
import os
import signal
import sys
import threading
import time

sys.dont_write_bytecode = True

from drain_client import Counts, KeepAliveClient, path  # noqa: E402
from outcome import report, require  # noqa: E402
from raw_http import AnswerReader, Truncated, connect, get  # noqa: E402

LIMIT_SECONDS = 600


def main():
    options = arguments()
    return queued(options) if options.mode == "queued" else kept_alive(options)


def arguments():
    parser = argparse.ArgumentParser()
    parser.add_argument("host", metavar="HOST")
    parser.add_argument("port", metavar="PORT", type=int)
    parser.add_argument("connections", metavar="CONNECTIONS", type=int)
    parser.add_argument("--terminate", metavar="PID", type=int, required=True)
    parser.add_argument("--mode", choices=["keepalive", "queued"], default="keepalive")
    parser.add_argument("--after", metavar="ANSWERS", type=int, default=2000)
    return parser.parse_args()


def kept_alive(options):
    counts = Counts(when_answered=options.after, then=lambda: os.kill(options.terminate, signal.SIGTERM))
    deadline = time.monotonic() + LIMIT_SECONDS
    clients = [KeepAliveClient(options, counts, number, deadline) for number in range(options.connections)]
    threads = [threading.Thread(target=client.run, daemon=True) for client in clients]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(LIMIT_SECONDS + 15)
    facts = counts.facts()
    require(facts["answered"] >= options.after, f"only {facts['answered']} answers within {LIMIT_SECONDS} s: {facts}")
    require(facts["refused"] == options.connections,
            f"after the stop {facts['refused']} of {options.connections} clients were refused: {facts}")
    return facts


def queued(options):
    os.kill(options.terminate, signal.SIGSTOP)
    try:
        waiting = [connect(options.host, options.port, LIMIT_SECONDS) for _ in range(options.connections)]
        for number, connection in enumerate(waiting):
            connection.sendall(get(path(number)))
        os.kill(options.terminate, signal.SIGTERM)
    finally:
        os.kill(options.terminate, signal.SIGCONT)
    counts = Counts()
    for connection in waiting:
        counts.add("sent")
        counts.add(outcome(connection))
    try:
        connect(options.host, options.port).close()
    except ConnectionRefusedError:
        counts.add("refused")
    return counts.facts()


def outcome(connection):
    with connection:
        try:
            answer = AnswerReader(connection).next()
        except Truncated:
            return "lost_truncated"
        except (ConnectionError, TimeoutError):
            return "lost_fresh"
    if answer is None:
        return "lost_fresh"
    return "answered" if answer.status == 200 else "answered_otherwise"


report(main)
