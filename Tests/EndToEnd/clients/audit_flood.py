"""One address sends refused requests on several connections without pause, while a caller at another gets tokens.

python audit_flood.py HOST PORT API_KEY REQUESTS
"""
import collections
import sys
import threading

sys.dont_write_bytecode = True

from outcome import report, require  # noqa: E402
from raw_http import AnswerReader, connect, get  # noqa: E402

HOST, PORT, KEY, REQUESTS = sys.argv[1], int(sys.argv[2]), sys.argv[3], int(sys.argv[4])
CONNECTIONS, BATCH = 4, 50


def flood(statuses):
    request = get("/token?tripID=flooded", fields=["X-Forwarded-For: 203.0.113.7"])
    with connect(HOST, PORT) as connection:
        answers = AnswerReader(connection)
        for _ in range(REQUESTS // CONNECTIONS // BATCH):
            connection.sendall(request * BATCH)
            for _ in range(BATCH):
                statuses.append(answers.next().status)


def main():
    statuses, served = [], collections.Counter()
    threads = [threading.Thread(target=flood, args=(statuses,), daemon=True) for _ in range(CONNECTIONS)]
    for thread in threads:
        thread.start()
    fields = ["X-Forwarded-For: 203.0.113.8", f"Authorization: Bearer {KEY}"]
    with connect(HOST, PORT) as connection:
        answers = AnswerReader(connection)
        number = 0
        while number < 20 or any(thread.is_alive() for thread in threads) and number < 150:
            connection.sendall(get(f"/token?tripID=served-{number}", fields=fields))
            served[answers.next().status] += 1
            number += 1
    for thread in threads:
        thread.join(60)
    require(len(statuses) == REQUESTS, f"{len(statuses)} of {REQUESTS} requests were answered")
    return {"flood": collections.Counter(map(str, statuses)), "served": {str(key): served[key] for key in served}}


report(main)
