"""A client with an unknown key that leaves while its issuer's keys are fetched, which its token caused.

python leaving_for_keys.py HOST PORT KEY_SERVER
"""
import json
import os
import socket
import struct
import sys
import time
import urllib.request

sys.dont_write_bytecode = True

from outcome import PATIENCE, report, require  # noqa: E402
from raw_http import AnswerReader, connect, get  # noqa: E402
from token_forge import Forge  # noqa: E402

HOST, PORT, KEY_SERVER = sys.argv[1], int(sys.argv[2]), sys.argv[3]


def ask(path, data=None):
    with urllib.request.urlopen(KEY_SERVER + path, data) as answer:
        return json.load(answer)


def main():
    forge = Forge(KEY_SERVER, ask("/private"))
    token = forge.token(forge.header(kid="unknown"), sign=lambda *_: os.urandom(256))
    before = ask("/counts")["/jwks"]
    ask("/hold", b"")
    with connect(HOST, PORT) as client:
        client.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        client.sendall(get("/token?tripID=trip-1", fields=[f"Authorization: Bearer {token}"]))
        end = time.monotonic() + PATIENCE
        while ask("/counts")["/jwks"] == before:
            require(time.monotonic() < end, "no keys are fetched")
    # The one event loop has seen the reset before it reads this.
    with connect(HOST, PORT) as other:
        other.sendall(get("/healthz"))
        require(AnswerReader(other).next().status == 200, "the daemon is not alive")
    ask("/release", b"")


report(main)
