"""One keep-alive client of load_during_drain.py, and the counts that all of them share."""
import collections
import select
import socket
import threading
import time

from raw_http import AnswerReader, Truncated, connect, get

NAMES = (
    "sent", "answered", "answered_otherwise", "answered_after_stop", "closed_idle", "refused",
    # A whole request was sent and no whole answer came: on a connection's first request, on a later one where not a
    # byte came back (RFC 9112, 9.3.1 lets clients repeat those), or in the middle of the answer.
    "lost_fresh", "lost_reused", "lost_truncated",
)


def path(number):
    return f"/token?tripID=drain-{number}"


class Counts:
    """Counts from all clients; calls `then` once, at the given number of answers."""

    def __init__(self, when_answered=None, then=None):
        self.lock = threading.Lock()
        self.values = collections.Counter()
        self.when_answered = when_answered
        self.then = then
        self.stopped = False

    def add(self, name):
        with self.lock:
            self.values[name] += 1
            if name == "answered" and self.stopped:
                self.values["answered_after_stop"] += 1
            if self.values["answered"] == self.when_answered and not self.stopped:
                self.stopped = True
                self.then()

    def facts(self):
        with self.lock:
            facts = {name: self.values[name] for name in NAMES}
        return facts | {"lost": sum(count for name, count in facts.items() if name.startswith("lost"))}


class KeepAliveClient:
    def __init__(self, options, counts, number, deadline):
        self.options = options
        self.counts = counts
        self.request = get(path(number))
        self.deadline = deadline

    def run(self):
        """Sends requests until the server refuses a connection after its stop, or the deadline has passed."""
        while time.monotonic() < self.deadline:
            try:
                connection = connect(self.options.host, self.options.port)
            except ConnectionRefusedError:
                self.counts.add("refused")
                return
            except OSError:
                continue  # reset while it waited in the queue, before anything was sent
            with connection:
                self.ask_until_closed(connection)

    def ask_until_closed(self, connection):
        answers = AnswerReader(connection)
        fresh = True
        while time.monotonic() < self.deadline:
            if not fresh and already_closed(connection):
                self.counts.add("closed_idle")
                return
            self.counts.add("sent")
            result, goes_on = self.ask(connection, answers, fresh)
            self.counts.add(result)
            if not goes_on:
                return
            fresh = False

    def ask(self, connection, answers, fresh):
        """The result of one request, and whether the connection stays open."""
        lost = "lost_fresh" if fresh else "lost_reused"
        try:
            connection.sendall(self.request)
            answer = answers.next()
        except Truncated:
            return "lost_truncated", False
        except (ConnectionError, TimeoutError):
            return ("lost_truncated" if answers.buffer else lost), False
        if answer is None:
            return lost, False
        return ("answered" if answer.status == 200 else "answered_otherwise"), not answer.closes


def already_closed(connection):
    """Whether the server has already closed its side: a client that checks before a request loses nothing."""
    readable = select.poll()
    readable.register(connection, select.POLLIN)
    if not readable.poll(0):
        return False
    try:
        return connection.recv(1, socket.MSG_PEEK) == b""
    except ConnectionError:
        return True
