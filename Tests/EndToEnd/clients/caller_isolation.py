"""One caller's trips, requested by that caller, by another, without credentials and with invalid ones: in every order,
and in parallel.

python caller_isolation.py HOST PORT TOKEN OTHER_TOKEN

TOKEN is for trip-0 to trip-199, OTHER_TOKEN for none of them.
"""
import concurrent.futures
import itertools
import sys

sys.dont_write_bytecode = True

from outcome import report, require  # noqa: E402
from raw_http import AnswerReader, connect, get  # noqa: E402

HOST, PORT, TOKEN, OTHER = sys.argv[1], int(sys.argv[2]), sys.argv[3], sys.argv[4]
CALLERS = {"mine": (TOKEN, 200), "other": (OTHER, 403), "anonymous": (None, 401), "invalid": ("x.y.z", 401)}
THREADS, ROUNDS = 16, 200


def main():
    orders = list(itertools.permutations(CALLERS))
    for number, order in enumerate(orders):
        with connect(HOST, PORT) as shared:
            answers = AnswerReader(shared)
            # Twice over one connection: the second time the token is cached.
            for name in order + order:
                check(shared, answers, name, number)
        for name in order:
            with connect(HOST, PORT) as connection:
                check(connection, AnswerReader(connection), name, number)
    with concurrent.futures.ThreadPoolExecutor(THREADS) as pool:
        asked = sum(pool.map(at_once, range(THREADS)))
    return {"orders": len(orders), "at_once": asked}


def at_once(thread):
    """Every thread is one caller on one connection, and all request the same trips, which are not cached yet."""
    name = list(CALLERS)[thread % len(CALLERS)]
    with connect(HOST, PORT) as connection:
        answers = AnswerReader(connection)
        for number in range(ROUNDS):
            check(connection, answers, name, 100 + number % 100)
    return ROUNDS


def check(connection, answers, name, trip):
    token, status = CALLERS[name]
    fields = [f"Authorization: Bearer {token}"] if token else []
    connection.sendall(get(f"/token?tripID=trip-{trip}", fields=fields))
    answer = answers.next()
    require(answer.status == status, f"{name}, trip-{trip}: {answer.status} {answer.body!r}")
    require((b"eyJ" in answer.body) == (status == 200), f"{name}, trip-{trip}: {answer.body!r}")


report(main)
