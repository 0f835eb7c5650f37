"""Every way to request a token: 401 without credentials and with wrong ones, a token with valid ones.

python choke_point.py HOST PORT API_KEY EXPIRED_TOKEN FORMATS KINDS, of which the last two are lists with commas: the
names of all formats, and of the kinds that name no id.
"""
import json
import sys

sys.dont_write_bytecode = True

from id_routes import FAMILIES  # noqa: E402
from outcome import report, require  # noqa: E402
from raw_http import AnswerReader, connect, get  # noqa: E402

HOST, PORT, KEY, EXPIRED = sys.argv[1], int(sys.argv[2]), sys.argv[3], sys.argv[4]
FORMATS, WILDCARDS = sys.argv[5].split(","), sys.argv[6].split(",")
# An unauthenticated caller does not learn that a request is invalid.
WRONG_TARGETS = ["/token", "/token/", "/token?", "/token/consumer", "/token/unknown/x", "/token/consumer/a/b",
                 "/token//",
                 "/token?tripID=*", "/token?tripID=a&tripID=b", "/token?colour=red", "/token?format=xml&tripID=a",
                 "/token/server?tripID=a", "/token?tripID=a&vehicleID=b", "/token?taskIDs=*", "/token/server/x",
                 f"/token?tripID=a&access_token={KEY}", f"/token?tripID=a&key={KEY}"]
CHALLENGE = 'Bearer realm="token-provider"'
MISSING = {"nothing": [], "a cookie": [f"Cookie: token={KEY}"], "a forwarded address": ["X-Forwarded-For: 127.0.0.1"],
           "a proxy's headers": ["X-Forwarded-User: admin", "X-Remote-User: admin", "X-Original-URL: /healthz"],
           "credentials for a proxy": [f"Proxy-Authorization: Bearer {KEY}"],
           "Basic": ["Authorization: Basic dXNlcjpwYXNz"], "no scheme": [f"Authorization: {KEY}"],
           "another scheme": [f"Authorization: DPoP {KEY}"], "a digest": ["Authorization: Digest a=b"]}
WRONG = {name: [f"Authorization: {value}"] for name, value in {
    "a word": "Bearer x", "no token": "Bearer", "an expired token": f"Bearer {EXPIRED}",
    "another key": "Bearer tpk_" + "A" * 43,
    "a key with a letter changed": f"Bearer {KEY[:-2]}{'AB'[KEY[-2] == 'A']}{KEY[-1]}", "a comma": f"Bearer {KEY},",
    "quotation marks": f'Bearer "{KEY}"', "two tokens": f"Bearer {KEY} {KEY}",
}.items()} | {
    "another key in its header": ["X-API-Key: tpk_" + "A" * 43], "a token in the key's header": [f"X-API-Key: {EXPIRED}"],
}


def main():
    targets = [target.format("trip-1") for family in FAMILIES for target in family.targets]
    targets += [f"{target}{'&' if '?' in target else '?'}format={name}" for target in targets[::3] for name in FORMATS
                if "format" not in target]
    for kind in WILDCARDS:
        targets += [f"/token/{kind}", f"/token/{kind}/", *(f"/token/{name}/{kind}" for name in FORMATS),
                    *(f"/token/{kind}?format={name}" for name in FORMATS)]
    refused = 0
    for method in ("GET", "HEAD"):
        for credentials, challenge in [(MISSING, CHALLENGE), (WRONG, CHALLENGE + ', error="invalid_token"')]:
            for what, fields in credentials.items():
                refused += require_refusals(method, targets + WRONG_TARGETS, what, fields, challenge)
    for target, answer in exchange("GET", targets, [f"Authorization: Bearer {KEY}"]):
        require(answer.status == 200 and b"eyJ" in answer.body, f"{target}: {answer.status} {answer.body!r}")
    return {"targets": len(targets), "refused": refused}


def require_refusals(method, targets, what, fields, challenge):
    for target, answer in exchange(method, targets, fields):
        place = f"{method} {target} with {what}"
        require(answer.status == 401, f"{place}: {answer.status} {answer.body!r}")
        require(answer.fields.get("www-authenticate") == challenge, f"{place}: {answer.fields}")
        if method == "GET":
            code = "unauthenticated" if challenge == CHALLENGE else "invalid_credentials"
            require(json.loads(answer.body)["code"] == code, f"{place}: {answer.body}")
    return len(targets)


def exchange(method, targets, fields):
    with connect(HOST, PORT) as connection:
        answers = AnswerReader(connection)
        for start in range(0, len(targets), 20):
            batch = targets[start:start + 20]
            connection.sendall(b"".join(get(target, method, fields=fields) for target in batch))
            for target in batch:
                answer = answers.next(to_head=method == "HEAD")
                require(answer is not None, f"{method} {target}: not answered")
                yield target, answer


report(main)
