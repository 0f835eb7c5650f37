"""Thousands of generated ids on every route, in queries and paths: an accepted one comes back byte for byte in the claim,
the same id gets the same token from every route, and no two ids share one.

python id_property.py HOST PORT COUNT SEED
"""
import json
import random
import sys
import unicodedata

sys.dont_write_bytecode = True

import id_rules  # noqa: E402
from id_routes import FAMILIES, held  # noqa: E402
from outcome import report, require  # noqa: E402
from raw_http import AnswerReader, connect, get  # noqa: E402

PIPELINED = 50
UNRESERVED = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~"
ALPHABETS = [
    "abcdefXYZ0189-_", " !\"$%&'()*+;<=>@[\\]^`{|}~.aB1", "àéîõüçñßøÅ\u1e69\u1ec7", "автоЯ", "東京都港区",
    "\uac00\ud55c", "\u0301\u0323\u0327aeqo", "\U0001f695\U0001f1e9\u200d\ufe0f", "\u202e\u2066\u200f\u061ca",
    "\uff0a\u2217\uff0f\uff0e", "\ue000\U000f0000\ufeff\u2028\xa0x", "\u212a\u2126\uf900\u1100\u1161k",
    "/:?,#\x00\r\n\x7f\x85a",
]
# Rewrites that a lenient server might take for the same id: each must be another id, or invalid.
NEIGHBOURS = [
    str.swapcase, lambda text: text + "\u200d", lambda text: unicodedata.normalize("NFD", text),
    lambda text: unicodedata.normalize("NFKC", text), lambda text: text.replace("+", " "), lambda text: text + "%20",
    lambda text: text.translate({ord("a"): "а", ord("*"): "\uff0a"}), str.casefold,
]


def main():
    host, port, count, seed = sys.argv[1], *map(int, sys.argv[2:])
    choose = random.Random(seed)
    asked = list(requests(choose, count))
    tokens = {}
    accepted, refused = set(), 0
    for (target, family, data), answer in zip(asked, exchange(host, port, [target for target, _, _ in asked])):
        expected = expected_claims(family, data)
        if expected is None:
            refused += 1
            require(answer.status == 400, f"{target}: status {answer.status}, expected a refusal")
            require(json.loads(answer.body)["code"] == "invalid_id", f"{target}: {answer.body!r}")
            continue
        require(answer.status == 200, f"{target}: status {answer.status}: {answer.body!r}")
        token, claims = held(answer)
        require(claims == expected, f"{target}: the claims are {ascii(claims)}, expected {ascii(expected)}")
        known = tokens.setdefault((FAMILIES.index(family), data), token)
        require(known == token, f"{target}: another request for the same id got another token")
        accepted.add(data)
    # Within a family only: two kinds may have equal claims, which give equal tokens within one second.
    for index in range(len(FAMILIES)):
        own = [token for (family, _), token in tokens.items() if family == index]
        require(len(own) > 50, f"only {len(own)} ids were accepted by {FAMILIES[index].targets[0]}")
        require(len(set(own)) == len(own), f"two ids share a token by {FAMILIES[index].targets[0]}")
    return {"ids": len(accepted), "tokens": len(tokens), "refused": refused, "requests": len(asked)}


def requests(choose, count):
    """Each id twice, by two equivalent requests with different encodings."""
    for number in range(count):
        family = FAMILIES[number % len(FAMILIES)]
        for data in generated(choose):
            for target in choose.sample(family.targets, 2):
                form = "query" if target.index("{}") > target.find("?") >= 0 else "path"
                yield target.format(encoded(choose, data, form)), family, data


def generated(choose):
    """An id from two alphabets, sometimes with forbidden characters, and its neighbours."""
    alphabets = choose.sample(ALPHABETS[:-1], 2) + (ALPHABETS[-1:] if choose.random() < 0.1 else [])
    length = choose.choice([1, 2, 3, 8, 20, 63, 64, 64, 65])
    text = "".join(choose.choice(choose.choice(alphabets)) for _ in range(length))
    if choose.random() < 0.8:
        text = unicodedata.normalize("NFC", text).strip()
    yield from (data for data in variants(choose, text) if data and id_rules.is_judged_alike(data))


def variants(choose, text):
    data = text.encode()
    neighbour = choose.choice(NEIGHBOURS)(text).encode()
    yield data
    if neighbour != data:
        yield neighbour
    if choose.random() < 0.1:
        broken = bytearray(data or b"a")
        broken[choose.randrange(len(broken))] = choose.randrange(256)
        yield bytes(broken)


def encoded(choose, data, form):
    """Percent-encodes in either case: all bytes that must be encoded, and some others."""
    bare = UNRESERVED + (b"!$'()*+;=:@/?" if form == "query" else b"!$'()*+;=:@&")
    return "".join(
        chr(byte) if byte in bare and choose.random() < 0.7 else choose.choice(["%%%02x", "%%%02X"]) % byte
        for byte in data)


def expected_claims(family, data):
    parts = [data] if family.before is None else data.split(b",")
    ids = (family.before or []) + [id_rules.identifier(part) for part in parts]
    if None in ids or len(set(ids)) < len(ids):
        return None
    return family.claims(*ids)


def exchange(host, port, targets):
    """The answers, in order, over one connection."""
    with connect(host, port) as connection:
        answers = AnswerReader(connection)
        for start in range(0, len(targets), PIPELINED):
            batch = targets[start:start + PIPELINED]
            connection.sendall(b"".join(map(get, batch)))
            for target in batch:
                answer = answers.next()
                require(answer is not None, f"{target}: the connection ended")
                yield answer


report(main)
