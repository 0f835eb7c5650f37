"""Many requests on one raw connection: how many answers come, in which order, how long, and when it ends.

python pipelined.py HOST PORT
"""
import json
import socket
import sys

sys.dont_write_bytecode = True

import token_contract  # noqa: E402
from outcome import PATIENCE, Failure, report, require  # noqa: E402
from raw_http import AnswerReader, connect, get  # noqa: E402

MANY = 50


def main():
    host, port = sys.argv[1], int(sys.argv[2])
    facts = {}
    for case in CASES:
        with connect(host, port) as connection:
            try:
                facts[case.__name__] = case(connection, AnswerReader(connection))
            except Failure as failure:
                raise Failure(f"{case.__name__}: {failure}") from failure
            except TimeoutError as error:
                raise Failure(f"{case.__name__}: no answer, or no end of the connection, within {PATIENCE} s") from error
    return {"answers": facts}


def trip(number, **options):
    return get(f"/token?tripID=pipelined-{number}", **options)


def require_trip(answer, number):
    require(answer is not None, f"the connection ended before answer {number}")
    require(answer.status == 200, f"answer {number} has status {answer.status}")
    _, claims, _ = token_contract.parts(json.loads(answer.body)["TRIP_TOKEN_KEY"])
    held = claims["authorization"]
    require(held == {"tripid": f"pipelined-{number}"}, f"answer {number} is out of order: it is for {held}")


def require_trips(answers, numbers):
    for number in numbers:
        require_trip(answers.next(), number)
    return len(numbers)


def one_segment(connection, answers):
    connection.sendall(b"".join(trip(number) for number in range(MANY)))
    return require_trips(answers, range(MANY))


def byte_by_byte(connection, answers):
    for byte in b"".join(trip(number) for number in range(3)):
        connection.sendall(bytes([byte]))
    return require_trips(answers, range(3))


def split_everywhere(connection, answers):
    """One request cut in two at each of its bytes in turn."""
    request = trip(0)
    for cut in range(1, len(request)):
        connection.sendall(request[:cut])
        connection.sendall(request[cut:])
        require_trip(answers.next(), 0)
    return len(request) - 1


def half_closed(connection, answers):
    connection.sendall(trip(0))
    connection.shutdown(socket.SHUT_WR)
    require_trip(answers.next(), 0)
    answers.require_end()
    return 1


def many_half_closed(connection, answers):
    connection.sendall(b"".join(trip(number) for number in range(MANY)))
    connection.shutdown(socket.SHUT_WR)
    count = require_trips(answers, range(MANY))
    answers.require_end()
    return count


def heads_between(connection, answers):
    """A HEAD has the length of its GET and no body, or the next answer would be read from the wrong byte."""
    connection.sendall(b"".join(trip(n // 2, method=("GET", "HEAD")[n % 2]) for n in range(MANY)))
    for number in range(MANY // 2):
        whole = answers.next()
        require_trip(whole, number)
        head = answers.next(to_head=True)
        require(head is not None and head.status == 200, f"HEAD {number} was not answered")
        require(head.fields["content-length"] == whole.fields["content-length"], f"HEAD {number} has another length")
    return MANY


def old_version(connection, answers):
    connection.sendall(trip(0, version="1.0"))
    require_trip(answers.next(), 0)
    answers.require_end()
    return 1


def old_version_kept_alive(connection, answers):
    for number in range(3):
        connection.sendall(trip(number, version="1.0", fields=["Connection: keep-alive"]))
        answer = answers.next()
        require_trip(answer, number)
        require(answer.fields.get("connection", "").lower() == "keep-alive", "a keep-alive HTTP/1.0 connection must say so")
    connection.sendall(trip(3, version="1.0"))
    require_trip(answers.next(), 3)
    answers.require_end()
    return 4


def close_in_the_middle(connection, answers):
    """RFC 9112, 9.6: after `Connection: close` nothing more is answered, and the answer says close."""
    connection.sendall(trip(0) + trip(1, fields=["Connection: close"]) + trip(2))
    require_trip(answers.next(), 0)
    last = answers.next()
    require_trip(last, 1)
    require(last.closes, "the last answer does not say that the connection closes")
    answers.require_end()
    return 2


def error_in_the_middle(connection, answers):
    connection.sendall(trip(0) + b"GET /token?tripID=a HTTP/1.1\r\nHost : localhost\r\n\r\n" + trip(1))
    require_trip(answers.next(), 0)
    refusal = answers.next()
    require(refusal is not None and refusal.status == 400 and refusal.closes, f"expected a closing 400, not {refusal}")
    answers.require_end()
    return 2


def request_inside_a_body(connection, answers):
    """What a GET carries as its body is never read as a request; whether the connection goes on is the server's."""
    hidden = get("/unknown")
    connection.sendall(trip(0, fields=[f"Content-Length: {len(hidden)}"]) + hidden + trip(1))
    first = answers.next()
    require(first is not None, "the request with a body was not answered")
    if first.status == 200:
        require_trip(first, 0)
    else:
        require(first.status in (400, 413) and first.closes, f"the request with a body was answered {first.status}")
    if first.closes:
        answers.require_end()
        return 1
    require_trip(answers.next(), 1)
    return 2


CASES = [
    one_segment, byte_by_byte, split_everywhere, half_closed, many_half_closed, heads_between, old_version,
    old_version_kept_alive, close_in_the_middle, error_in_the_middle, request_inside_a_body,
]

report(main)
