"""Every hostile bearer token, which must be refused without a reason, and valid ones, which must be accepted.

python hostile_tokens.py HOST PORT KEY_SERVER
"""
import json
import socket
import sys
import urllib.request

sys.dont_write_bytecode = True

import hostile_algorithms  # noqa: E402
import hostile_claims  # noqa: E402
import hostile_keys  # noqa: E402
import hostile_signatures  # noqa: E402
import hostile_structure  # noqa: E402
from outcome import Failure, report, require  # noqa: E402
from raw_http import AnswerReader, connect, get  # noqa: E402
from token_forge import Forge, compact  # noqa: E402

HOST, PORT, KEY_SERVER = sys.argv[1], int(sys.argv[2]), sys.argv[3]
TARGET = "/token?tripID=trip-1"
# One answer for all of them: a client must not learn which check refused its token.
DETAIL = "The credentials are not accepted; expected ones that are valid now."
CHALLENGE = 'Bearer realm="token-provider", error="invalid_token"'
TOO_LARGE = {413, 431}


def main():
    with urllib.request.urlopen(f"{KEY_SERVER}/private") as answer:
        forge = Forge("https://id.example.com", json.load(answer))
    trap = socket.create_server(("127.0.0.1", 0))
    url = f"http://127.0.0.1:{trap.getsockname()[1]}"
    require_valid(forge)
    counts = {"refused": 0, "too_large": 0}
    for what, token in hostile(forge, url):
        counts[refusal(what, token)] += 1
    require_valid(forge)
    trap.setblocking(False)
    try:
        raise Failure(f"the daemon followed an address in a token: {trap.accept()[1]}")
    except BlockingIOError:
        return counts | {"trap": url}


def hostile(forge, trap):
    for source in (hostile_algorithms, hostile_signatures, hostile_structure, hostile_claims):
        yield from source.tokens(forge)
    yield from hostile_keys.tokens(forge, trap)


def require_valid(forge):
    """Valid tokens of the same forge are accepted, so a hostile one is refused because of its change."""
    typed = forge.claims(iss=forge.issuer + "/typed")
    for what, token in {
        "RS256": forge.token(), "ES256": forge.token(family="ec"), "EdDSA": forge.token(family="ed"),
        "Ed25519": forge.token(forge.header("ed", alg="Ed25519"), family="ed"),
        "no kid and one key": forge.token(forge.header(kid=..., typ="at+jwt"), typed),
        "no kid and one key for its alg": forge.token(forge.header("ec", kid=...), family="ec"),
        "a long type": forge.token(forge.header(typ="application/AT+jwt"), typed),
        "an audience among others": forge.token(claims=forge.claims(aud=["x", "token-provider"])),
        "sixteen arrays": forge.token(claims=forge.claims(x=json.loads("[" * 15 + "]" * 15))),
        # RFC 7519, section 2: a NumericDate may have a fraction.
        "exp with a fraction": forge.token(claims=forge.claims(exp=forge.now + 3600.0)),
        "times with fractions": forge.token(claims=forge.claims(exp=forge.now + 3600.5, iat=forge.now - 0.5, nbf=1.5)),
        "an exponent": forge.token(claims=compact(forge.claims()).replace(
            f'"exp":{forge.now + 3600}', f'"exp":{(forge.now + 3600) / 1e9:.9f}0E+09')),
        "a foreign jku": forge.token(forge.header(jku="https://id.example.com/keys")),
    }.items():
        answer = ask(token)
        require(answer.status == 200, f"{what}: a valid token was answered {answer.status}: {answer.body!r}")


def refusal(what, token):
    answer = ask(token)
    require(answer is not None, f"{what}: not answered")
    if answer.status in TOO_LARGE:
        require(len(token) > 15_000, f"{what}: {len(token)} bytes were too many")
        return "too_large"
    require(answer.status == 401, f"{what}: status {answer.status}: {answer.body[:200]!r}")
    require(answer.fields.get("www-authenticate") == CHALLENGE, f"{what}: {answer.fields}")
    problem = json.loads(answer.body)
    expected = {"type": "about:blank", "title": "Unauthorized", "status": 401, "detail": DETAIL,
                "code": "invalid_credentials"}
    require(problem == expected, f"{what}: {problem}")
    return "refused"


def ask(token):
    with connect(HOST, PORT) as connection:
        try:
            connection.sendall(get(TARGET, fields=[f"Authorization: Bearer {token}"]))
        except ConnectionError:
            pass  # A head that is too large is answered before its end.
        return AnswerReader(connection).next()


report(main)
