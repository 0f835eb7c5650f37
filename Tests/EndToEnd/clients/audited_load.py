"""Clients that request tokens as fast as they can and note each token they got, as an audit log does."""
import collections
import hashlib
import json
import threading

from outcome import require
from raw_http import AnswerReader, Malformed, Truncated, connect, get


def fingerprint(token):
    return hashlib.sha256(token.encode()).digest()[:16].hex()


class Load:
    """Threads that send requests until they are stopped or the daemon is gone; each id is requested three times."""

    def __init__(self, daemon, fields, name, threads=8):
        self.daemon, self.fields, self.name = daemon, fields, name
        self.lock = threading.Lock()
        self.received, self.statuses = [], collections.Counter()
        self.ends = False
        self.threads = [threading.Thread(target=self.run, args=(number,), daemon=True) for number in range(threads)]
        for thread in self.threads:
            thread.start()

    def run(self, thread):
        try:
            with connect(self.daemon.host, self.daemon.port) as connection:
                answers = AnswerReader(connection)
                number = 0
                while not self.ends:
                    trip = f"{self.name}-{thread}-{number - number % 3}"
                    connection.sendall(get(f"/token?tripID={trip}", fields=self.fields))
                    answer = answers.next()
                    if answer is None:
                        return
                    self.note(answer)
                    number += 1
        except (ConnectionError, TimeoutError, Truncated, Malformed):
            return

    def note(self, answer):
        body = json.loads(answer.body)
        with self.lock:
            self.statuses[answer.status] += 1
            if answer.status == 200:
                self.received.append((answer.fields["x-request-id"], fingerprint(body["TRIP_TOKEN_KEY"])))

    def wait_for(self, answers):
        """Waits until so many tokens were received."""
        while len(self.received) < answers:
            require(any(thread.is_alive() for thread in self.threads), f"no client gets answers: {self.statuses}")
            self.threads[0].join(0.002)

    def end(self):
        self.ends = True
        for thread in self.threads:
            thread.join(30)
        return self.received


def records(paths):
    """The tokens in the records of audit files, by request; an incomplete last line is skipped."""
    found = {}
    for path in paths:
        for line in path.read_bytes().split(b"\n")[:-1]:
            record = json.loads(line)
            if "token" in record:
                require(record["outcome"] in ("minted", "reused"), f"a token in a record of {record['outcome']}")
                found[record["request_id"]] = record["token"]
    return found


def require_recorded(received, paths):
    """Every token that a client got has its record."""
    found = records(paths)
    for request, token in received:
        require(request in found, f"the token of request {request} has no record among {len(found)}")
        require(found[request] == token, f"the record of request {request} is of another token")
    return len(found)
