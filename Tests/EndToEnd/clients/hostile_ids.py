"""Every hostile id of the table on every route, in queries and paths, with its exact outcome.

python hostile_ids.py HOST PORT
"""
import json
import sys

sys.dont_write_bytecode = True

import answer_shapes  # noqa: E402
from hostile_id_table import ACCEPTED, COMMA, LISTS, PATHS, REFUSED, UNPARSED  # noqa: E402
from id_routes import FAMILIES, held  # noqa: E402
from outcome import report, require  # noqa: E402
from raw_http import AnswerReader, connect, get  # noqa: E402

HOST, PORT = sys.argv[1], int(sys.argv[2])
PIPELINED = 20


def main():
    exchanges = list(cases())
    with connect(HOST, PORT) as connection:
        answers = AnswerReader(connection)
        for start in range(0, len(exchanges), PIPELINED):
            batch = exchanges[start:start + PIPELINED]
            connection.sendall(b"".join(get(target) for _, target, _ in batch))
            for what, target, check in batch:
                check(f"{what}: {target[:120]}", answers.next())
    closed = [unparsed(target, junk) for target in ("/token?tripID=", "/token/driver/") for junk in UNPARSED]
    return {"requests": len(exchanges) + len(closed)}


def cases():
    for family in FAMILIES:
        for target in family.targets:
            yield from alone(family, target)
            if family.before is not None:
                yield from lists(family, target)
            else:
                yield COMMA[0], target.format(COMMA[1]), refusal(COMMA[2])
    for target, status, code in PATHS:
        yield "a path", target, problem(status, code)


def alone(family, target):
    before = family.before or []
    for what, sent, identifier in ACCEPTED:
        yield what, target.format(sent), token(family.claims(*before, identifier))
    for what, sent, words in REFUSED:
        yield what, target.format(sent), refusal(words)


def lists(family, target):
    for what, sent, expected in LISTS:
        if type(expected) is str and "501" not in expected:
            yield what, target.format(sent), refusal(expected)
        elif not family.before:
            check = refusal(expected) if type(expected) is str else token(family.claims(*expected))
            yield what, target.format(sent), check


def token(claims):
    def check(what, answer):
        require(answer is not None and answer.status == 200, f"{what}: expected a token, not {answer}")
        _, got = held(answer)
        require(got == claims, f"{what}: the claims are {ascii(got)}, expected {ascii(claims)}")

    return check


def refusal(words):
    return problem(400, "invalid_id", words)


def problem(status, code, words=""):
    def check(what, answer):
        require(answer is not None, f"{what}: not answered")
        require(answer.status == status, f"{what}: status {answer.status}, expected {status}: {answer.body[:200]!r}")
        body = json.loads(answer.body)
        require(body["code"] == code, f"{what}: code {body['code']}, expected {code}")
        require(words in body["detail"], f"{what}: the detail is {body['detail']!r}, expected {words!r}")
        require(answer_shapes.EVERY_NAME.isdisjoint(body), f"{what}: the members are {sorted(body)}")
        # Only visible ASCII of the id is repeated, so nothing in the message can affect a terminal.
        require(answer.body.isascii() and answer.body.decode().isprintable(), f"{what}: {answer.body!r}")

    return check


def unparsed(target, junk):
    with connect(HOST, PORT) as connection:
        connection.sendall(b"GET " + target.encode() + junk + b" HTTP/1.1\r\nHost: localhost\r\n\r\n" + get("/healthz"))
        answers = AnswerReader(connection)
        answer = answers.next()
        what = f"{target} {junk!r}"
        require(answer is not None and answer.status == 400 and answer.closes, f"{what}: expected a last 400: {answer}")
        code = json.loads(answer.body)["code"]
        require(code in ("malformed_target", "malformed_request_line"), f"{what}: code {code}")
        problem(400, code)(what, answer)
        answers.require_end()


report(main)
