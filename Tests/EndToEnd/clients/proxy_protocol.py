"""A load balancer that starts each connection with the PROXY protocol, and peers that do not.

python proxy_protocol.py HOST PORT API_KEY
"""
import ipaddress
import sys

sys.dont_write_bytecode = True

from outcome import report, require  # noqa: E402
from raw_http import AnswerReader, connect, get  # noqa: E402

HOST, PORT, KEY = sys.argv[1], int(sys.argv[2]), sys.argv[3]
SIGNATURE = b"\r\n\r\n\0\r\nQUIT\n"
FORWARDED = "X-Forwarded-For: 203.0.113.99"
REQUEST = get("/token?tripID=trip-1", fields=[FORWARDED])
KNOWN = get("/token?tripID=trip-1", fields=[f"Authorization: Bearer {KEY}", FORWARDED])


def main():
    line = b"PROXY TCP4 203.0.113.9 127.0.0.1 1 2\r\n"
    for head in header("203.0.113.7"), header("203.0.113.8"), header("2001:db8::7"), line:
        found = [status(head) for _ in range(4)]
        require(found == [401, 401, 401, 429], f"{head}: {found}")
    require(status(header("203.0.113.7"), KNOWN) == 200, "a known caller was refused")
    for head in b"", line.replace(b"4", b"5", 1), header("203.0.113.9", b"\x31"):
        require(status(head) == "closed", f"{head} was accepted")


def header(source, version=b"\x21"):
    address = ipaddress.ip_address(source)
    family = b"\x11" if address.version == 4 else b"\x21"
    body = address.packed * 2 + b"\x10\x01\x10\x02"
    return SIGNATURE + version + family + len(body).to_bytes(2, "big") + body


def status(head, request=REQUEST):
    with connect(HOST, PORT) as connection:
        connection.sendall(head + request)
        try:
            answer = AnswerReader(connection).next()
        except ConnectionError:
            return "closed"
    return answer.status if answer else "closed"


report(main)
