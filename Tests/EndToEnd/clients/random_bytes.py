"""Connections that send random bytes, almost valid requests and floods.

Each answer must be HTTP, and the server must keep running.

python random_bytes.py HOST PORT N [--seed S] [--threads T]
"""
import argparse
import collections
import socket
import sys
import threading

sys.dont_write_bytecode = True

from nonsense import blob  # noqa: E402
from outcome import Failure, report, require  # noqa: E402
from raw_http import AnswerReader, Truncated, connect, get  # noqa: E402

ALLOWED_SERVER_ERRORS = {501, 505}
TIMEOUT_SECONDS = 600
HEAD_END = b"\r\n\r\n"


def main():
    options = arguments()
    histogram, endings, failures = collections.Counter(), collections.Counter(), []
    numbers = iter(range(options.count))
    lock = threading.Lock()

    def work():
        while not failures:
            with lock:
                number = next(numbers, None)
            if number is None:
                return
            try:
                seen, ending = attack(options, number)
            except (Failure, OSError) as failure:
                failures.append(f"connection {number} of seed {options.seed}: {failure}")
                return
            with lock:
                histogram.update(seen)
                endings[ending] += 1

    threads = [threading.Thread(target=work) for _ in range(options.threads)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if failures:
        raise Failure(failures[0])
    require_alive(options)
    return {
        "answered": endings["answered"], "unanswered": endings["unanswered"], "reset": endings["reset"],
        "answers": {str(status): histogram[status] for status in sorted(histogram)}}


def arguments():
    parser = argparse.ArgumentParser()
    parser.add_argument("host", metavar="HOST")
    parser.add_argument("port", metavar="PORT", type=int)
    parser.add_argument("count", metavar="N", type=int)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--threads", type=int, default=16)
    return parser.parse_args()


def attack(options, number):
    """Sends one blob, half-closes, and reads to the end; returns the statuses and how the connection ended."""
    data = blob(options.seed, number)
    with connect(options.host, options.port, TIMEOUT_SECONDS) as connection:
        try:
            connection.sendall(data)
            connection.shutdown(socket.SHUT_WR)
        except TimeoutError:
            raise
        except OSError:
            pass  # refused midway or already closed; the answer may still be readable
        return statuses(connection, data)


def statuses(connection, data):
    answers, seen = AnswerReader(connection), []
    try:
        while (answer := answers.next()) is not None:
            require(answer.status < 500 or answer.status in ALLOWED_SERVER_ERRORS,
                    f"status {answer.status} was answered to {data[:200]!r}")
            seen.append(answer.status)
    except ConnectionResetError:
        # Data was still in flight when the server closed: TCP answers with a reset, which is not a malformed answer.
        return seen, "answered" if seen else "reset"
    except TimeoutError as error:
        raise Failure(f"the connection stayed open for {TIMEOUT_SECONDS} s after {data[:200]!r}") from error
    except Truncated as failure:
        raise Failure(f"{failure}, after {data[:200]!r}") from failure
    # A whole head must be answered; empty lines before it do not belong to it (RFC 9112 section 2.2).
    require(seen or HEAD_END not in data.lstrip(b"\r\n"), f"no answer was given to {data[:200]!r}")
    return seen, "answered" if seen else "unanswered"


def require_alive(options):
    with connect(options.host, options.port) as connection:
        connection.sendall(get("/healthz"))
        answer = AnswerReader(connection).next()
    require(answer is not None and answer.status == 200, "/healthz did not answer 200 afterwards")


report(main)
