"""What an answer must carry: its headers, its JSON, and in an error nothing that looks like a token."""
import email.utils
import json
import time

import token_contract
from outcome import Failure, require

TOKEN_KEYS = {"tripid": {"TRIP_TOKEN_KEY"}, "vehicleid": {"VEHICLE_TOKEN_KEY", "TRIP_TOKEN_KEY"}}
EXPIRY_KEY = "TOKEN_EXPIRATION"
PROBLEM_MEMBERS = {"type", "title", "status", "detail", "code"}
LONGEST_LIFE = 3600


def token(claim, identifier, relative=False):
    """A check for an answer that carries a token with exactly this private claim."""
    def check(what, method, answer):
        require(answer.status == 200, f"{what}: status {answer.status}, expected 200: {answer.content[:200]!r}")
        check_fields(what, answer, "application/json")
        if method != "HEAD":
            check_token_body(what, json_object(what, answer), claim, identifier, relative)
        check_length(what, method, answer)

    return check


def check_token_body(what, body, claim, identifier, relative):
    require(set(body) == TOKEN_KEYS[claim] | {EXPIRY_KEY}, f"{what}: the members are {sorted(body)}")
    tokens = {body[key] for key in TOKEN_KEYS[claim]}
    require(len(tokens) == 1, f"{what}: the token names hold different tokens")
    _, claims, _ = token_contract.parts(tokens.pop())
    require(claims["authorization"] == {claim: identifier}, f"{what}: authorization is {claims['authorization']}")
    expiry = body[EXPIRY_KEY]
    require(type(expiry) is int, f"{what}: {EXPIRY_KEY} is {expiry!r}, expected an integer")
    end = expiry + time.time() if relative else expiry
    require(time.time() < end <= claims["exp"] + 1, f"{what}: {EXPIRY_KEY} {expiry} is not before exp {claims['exp']}")
    require(not relative or 0 < expiry <= LONGEST_LIFE, f"{what}: {EXPIRY_KEY} {expiry} is not relative")


def problem(status, words):
    """A check for RFC 9457 problem details."""
    def check(what, method, answer):
        require(answer.status == status, f"{what}: status {answer.status}, expected {status}")
        check_fields(what, answer, "application/problem+json")
        check_length(what, method, answer)
        if status == 405:
            allowed = {name.strip() for name in (answer.getheader("Allow") or "").split(",")}
            require({"GET", "HEAD"} <= allowed, f"{what}: Allow is {answer.getheader('Allow')!r}")
        if method != "HEAD":
            check_problem_body(what, json_object(what, answer), status, words)

    return check


def check_problem_body(what, body, status, words):
    require(PROBLEM_MEMBERS <= set(body), f"{what}: the members are {sorted(body)}")
    require(body["status"] == status, f"{what}: the member status is {body['status']!r}")
    for member in PROBLEM_MEMBERS - {"status"}:
        require(type(body[member]) is str and body[member], f"{what}: the member {member} is {body[member]!r}")
    for word in words:
        require(word in body["detail"], f"{what}: the detail does not name {word!r}: {body['detail']!r}")
    text = json.dumps(body)
    for forbidden in ("TOKEN_KEY", EXPIRY_KEY, "eyJ"):
        require(forbidden not in text, f"{what}: an error holds {forbidden}")


def health(what, method, answer):
    require(answer.status == 200, f"{what}: status {answer.status}, expected 200")
    if method != "HEAD":
        require(answer.content.strip() == b"ok", f"{what}: the body is {answer.content!r}, expected ok")
    check_length(what, method, answer)


def check_fields(what, answer, content_type):
    expected = {"Content-Type": content_type, "Cache-Control": "no-store", "X-Content-Type-Options": "nosniff"}
    for name, value in expected.items():
        require(answer.getheader(name) == value, f"{what}: {name} is {answer.getheader(name)!r}, expected {value!r}")
    check_date(what, answer)


def check_date(what, answer):
    date = answer.getheader("Date") or ""
    try:
        seconds = email.utils.parsedate_to_datetime(date).timestamp()
    except ValueError as error:
        raise Failure(f"{what}: Date is {date!r}, expected an HTTP-date") from error
    require(email.utils.formatdate(seconds, usegmt=True) == date, f"{what}: Date is {date!r}, expected IMF-fixdate")
    require(abs(seconds - time.time()) < 60, f"{what}: Date is {date!r}, which is not now")


def check_length(what, method, answer):
    length = answer.getheader("Content-Length") or ""
    require(length.isdigit(), f"{what}: Content-Length is {length!r}")
    if method == "HEAD":
        require(int(length) > 0 and answer.content == b"", f"{what}: a HEAD was answered with a body or without length")
    else:
        require(int(length) == len(answer.content), f"{what}: Content-Length {length}, body {len(answer.content)}")


def json_object(what, answer):
    try:
        value = json.loads(answer.content)
    except ValueError as error:
        raise Failure(f"{what}: the body is not JSON: {answer.content[:200]!r}") from error
    require(type(value) is dict, f"{what}: the body is not a JSON object")
    return value
