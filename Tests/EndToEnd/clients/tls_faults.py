"""Sends a TLS server everything that a client must not, or may, send: tls_faults.py PORT VERSION

Prints the number of cases, and those with an unexpected outcome. After each, another client is served.
"""
import sys
from concurrent.futures import ThreadPoolExecutor

sys.dont_write_bytecode = True

import tls12_cases  # noqa: E402
import tls13_cases  # noqa: E402
from outcome import report  # noqa: E402
from tls12_client import Client as OldClient  # noqa: E402
from tls13_client import Client  # noqa: E402

PORT = int(sys.argv[1])
CONNECT, CASES = {"1.2": (OldClient, tls12_cases.cases), "1.3": (Client, tls13_cases.cases)}[sys.argv[2]]


def wrong(case):
    """The outcome of a case if it is unexpected."""
    name, expected, work = case
    outcome = CONNECT(PORT).outcome(work)
    if outcome not in expected.split():
        return f"{name}: {outcome}, expected {expected}"
    served = CONNECT(PORT).outcome(lambda client: (client.complete_handshake(), client.ask())[-1])
    return None if served == "answered" else f"after {name}: {served}"


def main():
    every = list(CASES())
    with ThreadPoolExecutor(8) as pool:
        failures = [failure for failure in pool.map(wrong, every) if failure]
    return {"cases": len(every), "wrong": failures}


report(main)
