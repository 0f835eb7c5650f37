"""Requests that name their host twice, and requests of later versions of HTTP/1: same_hosts.py PORT TLS_PORT CA_FILE

Each case has its outcome, and every version is served.
"""
import sys

sys.dont_write_bytecode = True

from http2_connection import Connection, is_end, outcome  # noqa: E402
from outcome import report, require  # noqa: E402
from raw_http import AnswerReader, connect  # noqa: E402

PORT, TLS_PORT, AUTHORITY = int(sys.argv[1]), int(sys.argv[2]), sys.argv[3]

# Target, Host and whether they are the same (RFC 9110 section 4.2.3), over plain HTTP.
TARGETS = [
    ("http://localhost/healthz", "localhost", True),
    ("HTTP://LOCALHOST/healthz", "localhost", True),
    ("http://localhost:80/healthz", "LocalHost", True),
    ("http://localhost:/healthz", "localhost:80", True),
    ("http://[::1]:80/healthz", "[::1]", True),
    ("http://localhost/healthz", "localhost:443", False),
    ("http://localhost/healthz", "localhost:8080", False),
    ("http://localhost/healthz", "other", False),
]
# `:authority`, `host` and whether they are the same (RFC 9113 section 8.3.1), over https.
AUTHORITIES = [
    ("localhost", "localhost", True),
    ("localhost", "LOCALHOST", True),
    ("LocalHost:443", "localhost", True),
    ("localhost", "localhost:443", True),
    ("localhost", "localhost:80", False),
    ("localhost:444", "localhost", False),
    ("localhost", "other", False),
]


def by_target(target, host):
    return persists(f"GET {target} HTTP/1.1\r\nHost: {host}\r\n\r\n")


def persists(text):
    """Whether a request is answered with 200, twice on a connection."""
    with connect("127.0.0.1", PORT) as connection:
        answers = AnswerReader(connection)
        for _ in range(2):
            connection.sendall(text.encode())
            if answers.next().status != 200:
                return False
    return True


def by_authority(authority, host):
    connection = Connection(TLS_PORT, AUTHORITY)
    connection.ask(1, "/healthz", {":authority": authority, "host": host})
    return outcome(connection.until(is_end(1)), 1)["ok"]


def main():
    wrong = [case for case in TARGETS if by_target(*case[:2]) != case[2]]
    wrong += [case for case in AUTHORITIES if by_authority(*case[:2]) != case[2]]
    versions = [f"1.{minor}" for minor in range(1, 10)]
    unserved = [version for version in versions if not persists(f"GET /healthz HTTP/{version}\r\nHost: localhost\r\n\r\n")]
    require(not wrong and not unserved, f"other outcomes: {wrong}; versions that are not served: {unserved}")


report(main)
