"""Tokens with unknown kids, or none, and random signatures, on parallel connections; all are refused.

python unknown_keys.py HOST PORT KEY_SERVER named|unnamed
"""
import collections
import concurrent.futures
import json
import os
import sys
import urllib.request

sys.dont_write_bytecode = True

from outcome import report, require  # noqa: E402
from raw_http import AnswerReader, connect, get  # noqa: E402
from token_forge import Forge  # noqa: E402

HOST, PORT, KEY_SERVER, NAMED = sys.argv[1], int(sys.argv[2]), sys.argv[3], sys.argv[4] == "named"
CONNECTIONS, TOKENS = 8, 50


def main():
    with urllib.request.urlopen(f"{KEY_SERVER}/private") as answer:
        forge = Forge(KEY_SERVER, json.load(answer))
    with concurrent.futures.ThreadPoolExecutor(CONNECTIONS) as pool:
        counts = sum(pool.map(lambda number: refused(forge, number), range(CONNECTIONS)), collections.Counter())
    require(counts == {401: CONNECTIONS * TOKENS}, f"answers: {counts}")


def refused(forge, number):
    counts = collections.Counter()
    with connect(HOST, PORT) as connection:
        answers = AnswerReader(connection)
        for index in range(TOKENS):
            header = forge.header(kid=f"{number}-{index}" if NAMED else ...)
            token = forge.token(header, sign=lambda *_: os.urandom(256))
            connection.sendall(get("/token?tripID=trip-1", fields=[f"Authorization: Bearer {token}"]))
            counts[answers.next().status] += 1
    return counts


report(main)
