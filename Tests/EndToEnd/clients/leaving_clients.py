"""Clients that leave once the back end was asked about them, one after the other.

python leaving_clients.py HOST PORT BACK_END_PORT COUNT PATH KEY [AUDIT OUTCOME]

PATH has {} for a number. Each sends a request and resets its connection when the back end has its question, or reads the answer if
one comes before. The next comes when the back end has answered, and if AUDIT is given, when that file has one more record
of OUTCOME. Prints how many were `asked` about, and the `statuses` of the others.
"""
import collections
import json
import select
import socket
import struct
import sys
import time
import urllib.request

LONGEST = 20


def seen(port):
    with urllib.request.urlopen(f"http://127.0.0.1:{port}/seen") as answer:
        facts = json.load(answer)
    return len(facts["questions"]), facts["active"]


def wait(condition):
    deadline = time.monotonic() + LONGEST
    while not condition():
        if time.monotonic() > deadline:
            return False
        time.sleep(0.005)
    return True


def main():
    host, port, back_end, count, path, key, *audit = sys.argv[1:]
    asked, statuses, is_recorded = 0, collections.Counter(), True

    def records():
        with open(audit[0]) as file:
            return sum(f'"outcome":"{audit[1]}"' in line for line in file)

    for number in range(int(count)):
        before, _ = seen(back_end)
        recorded = records() if audit else 0
        with socket.create_connection((host, int(port))) as client:
            # A reset: after a mere FIN the client may still read the answer.
            client.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            client.sendall(
                f"GET {path.format(number)} HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer {key}\r\n\r\n".encode())
            is_answered = False

            def has_come():
                nonlocal is_answered
                is_answered = bool(select.select([client], [], [], 0)[0])
                return is_answered or seen(back_end)[0] > before

            if not wait(has_come):
                sys.exit("neither a question nor an answer comes")
            if is_answered:
                statuses[client.recv(4096).split()[1].decode()] += 1
                continue
        asked += 1
        if not wait(lambda: seen(back_end)[1] == 0):
            sys.exit("the back end does not answer")
        if audit and not wait(lambda: records() > recorded):
            is_recorded = False
            break
    print(json.dumps({"asked": asked, "statuses": statuses, "recorded": is_recorded}))


main()
