"""One check for each fault of the loopback server, named as the fault: it occurs, and a client sees it."""
import email.utils
import http.client
import json
import time

import loopback_accounts as names
from loopback_client import expect, expect_error, KEYS
from loopback_keys import opened
from outcome import require


def slow(client):
    client.faults({"fault": "slow", "milliseconds": 2000, "requests": 1})
    took = [elapsed(client), elapsed(client)]
    require(took[0] >= 2 > took[1], f"slow: the requests took {took} seconds")


def elapsed(client):
    start = time.monotonic()
    client.metadata("email")
    return time.monotonic() - start


def never(client):
    client.faults({"fault": "never"})
    try:
        client.ask("GET", "/", timeout=0.3)
    except TimeoutError:
        return
    require(False, "never: an answer came")


def dropped(client):
    client.faults({"fault": "dropped"})
    try:
        client.metadata("email")
    except http.client.RemoteDisconnected:
        return
    require(False, "dropped: an answer came")


def cut_off(client):
    client.faults({"fault": "cut_off"})
    try:
        client.metadata("email")
    except http.client.IncompleteRead as broken:
        require(broken.partial and broken.expected, "cut_off: the body does not end in its middle")
        return
    require(False, "cut_off: the body is whole")


def garbage(client):
    client.faults({"fault": "garbage"})
    status, _, body = client.metadata()
    require(status == 200 and b"\x00\xff" in body, f"garbage: {body}")


def wrong_flavor(client):
    for flavor, seen in (("Other", "Other"), ("", None)):
        client.faults({"fault": "wrong_flavor", "flavor": flavor})
        headers = client.metadata()[1]
        require(headers.get("Metadata-Flavor") == seen, f"wrong_flavor: {headers.get('Metadata-Flavor')}")


def wrong_content_type(client):
    client.faults({"fault": "wrong_content_type"})
    require(client.metadata()[1].get_content_type() == "text/html", "wrong_content_type: the type is right")


def clock_off(client):
    client.faults({"fault": "clock_off", "seconds": -120})
    date = email.utils.parsedate_to_datetime(client.metadata()[1]["Date"]).timestamp()
    require(abs(date - time.time() + 120) < 60, f"clock_off: {date - time.time()} seconds")


def too_many_requests(client):
    token = client.access_token()
    for fault, seen in (({}, None), ({"seconds": 7}, "7")):
        client.faults({"fault": "too_many_requests", "path": ":signJwt"} | fault)
        answer = client.sign(token=token)
        expect_error(answer, 429, "RESOURCE_EXHAUSTED", "RATE_LIMIT_EXCEEDED")
        require(answer[1]["Retry-After"] == seen, f"too_many_requests: Retry-After is {answer[1]['Retry-After']}")


def permission_denied(client):
    client.faults({"fault": "permission_denied", "path": ":signJwt"})
    expect_error(client.sign(), 403, "PERMISSION_DENIED", "IAM_PERMISSION_DENIED")


def service_disabled(client):
    client.faults({"fault": "service_disabled", "path": ":signJwt"})
    expect_error(client.sign(), 403, "PERMISSION_DENIED", "SERVICE_DISABLED")


def server_error(client):
    client.faults({"fault": "server_error", "path": ":signJwt"})
    expect_error(client.sign(), 500, "INTERNAL", None)


def unavailable(client):
    client.faults({"fault": "unavailable", "path": ":signJwt", "seconds": 3})
    answer = client.sign()
    expect_error(answer, 503, "UNAVAILABLE", None)
    require(answer[1]["Retry-After"] == "3", "unavailable: Retry-After is missing")


def echoed(client):
    client.faults({"fault": "echoed", "part": "refresh_token"})
    expect(client.grant("/token", grant_type="refresh_token", refresh_token="quoted"), 400, "Bad value: quoted")
    client.faults({"fault": "echoed"})
    expect(client.call("signJwt", {}, token="quoted"), 400, "Bad value: Bearer quoted")


def expired_token(client):
    client.faults({"fault": "expired_token", "path": ":signJwt"})
    expect_error(client.sign(), 401, "UNAUTHENTICATED", "ACCESS_TOKEN_EXPIRED")


def short_lived(client):
    client.faults({"fault": "short_lived", "seconds": 1})
    answer = json.loads(client.metadata()[2])
    require(answer["expires_in"] == 1, f"short_lived: {answer['expires_in']}")
    expect(client.sign(token=answer["access_token"]), 200)
    time.sleep(1.1)
    expect_error(client.sign(token=answer["access_token"]), 401, "UNAUTHENTICATED", "ACCESS_TOKEN_EXPIRED")


def text_lifetime(client):
    client.faults({"fault": "text_lifetime"})
    require(json.loads(client.metadata()[2])["expires_in"] == "3599", "text_lifetime: expires_in is a number")


def changed_claim(client):
    client.faults({"fault": "changed_claim", "claim": "sub", "value": "somebody"})
    require(opened(client.signed())[1]["sub"] == "somebody", "changed_claim: the claim is unchanged")


def extra_claim(client):
    client.faults({"fault": "extra_claim"})
    require("added" in opened(client.signed())[1], "extra_claim: there is none")


def wrong_signature(client):
    client.faults({"fault": "wrong_signature"})
    expect_error(client.trip(client.signed()), 401, "UNAUTHENTICATED", "ACCESS_TOKEN_TYPE_UNSUPPORTED")


def wrong_key(client):
    before = json.loads(client.ask("GET", KEYS + names.DRIVER)[2])["keys"][0]
    client.faults({"fault": "wrong_key"})
    after = json.loads(client.ask("GET", KEYS + names.DRIVER)[2])["keys"][0]
    require(after["kid"] == before["kid"] and after["n"] != before["n"], "wrong_key: the right key is published")


def unknown_kid(client):
    client.faults({"fault": "unknown_kid"})
    answer = json.loads(client.sign()[2])
    require(opened(answer["signedJwt"])[0]["kid"] == answer["keyId"], "unknown_kid: header and keyId differ")
    require(answer["keyId"] not in client.keys(), "unknown_kid: the key is published")


def wrong_algorithm(client):
    client.faults({"fault": "wrong_algorithm"})
    require(opened(client.signed())[0]["alg"] == "RS512", "wrong_algorithm: the algorithm is right")


def role_removed(client):
    client.faults({"fault": "role_removed"})
    expect_error(client.sign(), 403, "PERMISSION_DENIED", "IAM_PERMISSION_DENIED")
    expect(client.ask("GET", KEYS + names.DRIVER), 200)


def account_missing(client):
    client.faults({"fault": "account_missing"})
    expect_error(client.sign(), 403, "PERMISSION_DENIED", "IAM_PERMISSION_DENIED")
    expect(client.ask("GET", KEYS + names.DRIVER), 404)


FAULTS = [
    slow, never, dropped, cut_off, garbage, wrong_flavor, wrong_content_type, clock_off, too_many_requests,
    permission_denied, service_disabled, server_error, unavailable, echoed, expired_token, short_lived, text_lifetime,
    changed_claim, extra_claim, wrong_signature, wrong_key, unknown_kid, wrong_algorithm, role_removed, account_missing,
]
