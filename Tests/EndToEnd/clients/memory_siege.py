"""Attacks the memory of a daemon while another address asks it for tokens.

python memory_siege.py [--until-relief ADMIN_URL] PORT TLS_PORT ADDRESSES CONNECTIONS SECONDS ATTACK...

Each attack lasts so many seconds, and with --until-relief until enough was asked and the daemon has closed connections to keep to
its limits, on a machine however slow. It comes from so many addresses (127.0.1.1 and so on) with so many connections each. With
0 addresses it comes from 127.0.0.1 alone, in rounds of 50 ms. Meanwhile 127.0.0.1 asks a hundred times a second: on a kept
connection, on a new one, and every tenth time on a new one with TLS. A kept connection that was closed meanwhile is replaced, as
clients do. Prints for each attack how many requests were answered with 200, how long the slowest hundredth took, and how many
connections the attackers had.
"""
import collections
import multiprocessing
import os
import socket
import sys
import time
import urllib.request

sys.dont_write_bytecode = True

import memory_attacks  # noqa: E402
import outcome  # noqa: E402
from outcome import Failure, report, require  # noqa: E402
from raw_http import AnswerReader  # noqa: E402

ARGUMENTS, ADMIN = sys.argv[1:], None
if ARGUMENTS[0] == "--until-relief":
    _, ADMIN, *ARGUMENTS = ARGUMENTS
PORT, TLS_PORT, ADDRESSES, CONNECTIONS = (int(argument) for argument in ARGUMENTS[:4])
SECONDS, ATTACKS = float(ARGUMENTS[4]), ARGUMENTS[5:]
ADDRESSES_OF_A_PROCESS = 4
INTERVAL, PATIENCE = 0.01, outcome.PATIENCE if ADMIN else 5
LEAST_ASKED = 200
# So that the requests that are timed do not wait for the attackers' processor time.
NICENESS = 15


def main():
    return {attack: besiege(attack) for attack in ATTACKS}


def besiege(attack):
    addresses = [f"127.0.1.{number + 1}" for number in range(ADDRESSES)] or ["127.0.0.1"]
    starts = range(0, len(addresses), ADDRESSES_OF_A_PROCESS)
    groups = [addresses[start:start + ADDRESSES_OF_A_PROCESS] for start in starts]
    over, queue = multiprocessing.Event(), multiprocessing.Queue()
    attackers = [multiprocessing.Process(target=attacker, args=(attack, group, over, queue)) for group in groups]
    for process in attackers:
        process.start()
    try:
        durations, failures = ask()
    finally:
        over.set()
    counts = [queue.get() for _ in attackers]
    for process in attackers:
        process.join()
    by_kind = {kind: [duration for of, duration in durations if of == kind] for kind in ("kept", "new", "secure")}
    return {
        "asked": len(durations) + len(failures), "answered": len(durations), "failures": [f"{count} {failure}" for failure, count in collections.Counter(failures).most_common()],
        "p99_milliseconds": slowest_hundredth([duration for _, duration in durations]),
        "p99_of_kinds": {kind: slowest_hundredth(of_kind) for kind, of_kind in by_kind.items()},
        "connections": sum(most for most, _ in counts), "opened": sum(opened for _, opened in counts)}


def slowest_hundredth(durations):
    """In milliseconds; None where there are none."""
    return round(1000 * sorted(durations)[len(durations) * 99 // 100], 1) if durations else None


def attacker(attack, addresses, over, queue):
    os.nice(NICENESS)
    port = TLS_PORT if attack in memory_attacks.SECURE else PORT
    pause = 0 if ADDRESSES else memory_attacks.ROUND_SECONDS
    queue.put(memory_attacks.hold(attack, port, addresses, CONNECTIONS, over.is_set, pause))


def ask():
    """Kind and duration of each request that was answered with 200, and what became of the others."""
    durations, failures, kept, number = [], [], None, 0
    first = time.monotonic()
    while time.monotonic() < first + SECONDS or not is_enough(number, first):
        number, began = number + 1, time.monotonic()
        kind = "kept" if number % 2 else "new" if number % 10 else "secure"
        try:
            if kind == "kept":
                kept = ask_kept(kept)
            else:
                with connect(kind == "secure") as fresh:
                    answer(fresh)
            durations.append((kind, time.monotonic() - began))
        except (OSError, Failure) as failure:
            failures.append(f"{kind}: {failure or type(failure).__name__}")
            kept = None if kind == "kept" else kept
        time.sleep(max(0, began + INTERVAL - time.monotonic()))
    return durations, failures


def ask_kept(kept):
    """Asks on a connection that was open, or on a new one if it is closed by now; the connection."""
    if kept:
        try:
            answer(kept)
            return kept
        except (OSError, Failure):
            kept.close()
    kept = connect()
    answer(kept)
    return kept


def is_enough(asked, first):
    """Whether the siege may end: seldom looked at, since it takes a request of its own."""
    if ADMIN is None:
        return True
    if asked < LEAST_ASKED or asked % 50:
        return False
    require(time.monotonic() < first + PATIENCE, f"nothing was closed in {PATIENCE} s")
    with urllib.request.urlopen(f"{ADMIN}/metrics", timeout=PATIENCE) as metrics:
        lines = metrics.read().decode().splitlines()
    return any(line.startswith("token_provider_memory_relief_total") and not line.endswith(" 0") for line in lines)


def connect(is_secure=False):
    connection = socket.create_connection(("127.0.0.1", TLS_PORT if is_secure else PORT), timeout=PATIENCE)
    return memory_attacks.tls().wrap_socket(connection, server_hostname="localhost") if is_secure else connection


def answer(connection):
    connection.sendall(memory_attacks.REQUEST)
    answer = AnswerReader(connection).next()
    if answer is None:
        raise Failure("closed")
    if answer.status != 200:
        raise Failure(str(answer.status))


report(main)
