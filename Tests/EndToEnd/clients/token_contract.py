"""What a Fleet Engine token holds, field by field: key sets, types and values, read from the token's own bytes.

Sources: RFC 7515 and 7519 for the form; Google's "JSON Web Tokens" page of Fleet Engine for header and claims; AIP-4111
for the span between `iat` and `exp`.
"""
import argparse
import base64
import json
import re

from outcome import Failure, require

PRIVATE_CLAIM = {"consumer": "tripid", "driver": "vehicleid"}


def arguments():
    parser = argparse.ArgumentParser()
    parser.add_argument("public_key", metavar="PUBLIC_KEY_PEM", help="a file")
    parser.add_argument("token", metavar="TOKEN")
    parser.add_argument("kind", metavar="KIND", choices=list(PRIVATE_CLAIM))
    parser.add_argument("id", metavar="ID")
    parser.add_argument("account", metavar="ACCOUNT")
    parser.add_argument("key_id", metavar="KEYID")
    parser.add_argument("now", metavar="NOW", type=int, help="epoch seconds, taken before the token was asked for")
    parser.add_argument("--audience", default="https://fleetengine.googleapis.com/")
    parser.add_argument("--lifetime", type=int, default=3600)
    parser.add_argument("--backdate", type=int, default=300)
    parser.add_argument("--within", type=int, default=5, help="seconds after NOW in which the token was made")
    expected = parser.parse_args()
    expected.authorization = {PRIVATE_CLAIM[expected.kind]: expected.id}
    return expected


def parts(token):
    """Header, claims and signature of a compact JWS, strictly decoded."""
    segments = token.split(".")
    require(len(segments) == 3, f"the token has {len(segments)} segments, expected 3")
    return json_object(segments[0], "header"), json_object(segments[1], "claim set"), decoded(segments[2])


def decoded(segment):
    require(re.fullmatch(r"[A-Za-z0-9_-]+", segment), "a segment is not base64url without padding (RFC 7515, 2)")
    data = base64.urlsafe_b64decode(segment + "=" * (-len(segment) % 4))
    require(base64.urlsafe_b64encode(data).rstrip(b"=").decode() == segment, "a segment is not canonical base64url")
    return data


def json_object(segment, name):
    def unique(pairs):
        keys = [key for key, _ in pairs]
        require(len(keys) == len(set(keys)), f"a member of the {name} is repeated: {keys}")
        return dict(pairs)

    try:
        value = json.loads(decoded(segment).decode("utf-8"), object_pairs_hook=unique)
    except ValueError as error:
        raise Failure(f"the {name} is not JSON: {error}") from error
    require(type(value) is dict, f"the {name} is not a JSON object")
    return value


def check_header(header, expected):
    require(header == {"alg": "RS256", "typ": "JWT", "kid": expected.key_id}, f"the header is {header}")


def check_claims(claims, expected):
    require(set(claims) == {"iss", "sub", "aud", "iat", "exp", "authorization"}, f"the claims are {sorted(claims)}")
    for name in ("iss", "sub"):
        require(claims[name] == expected.account, f"{name} is {claims[name]!r}, expected {expected.account!r}")
    require(claims["aud"] == expected.audience, f"aud is {claims['aud']!r}, expected {expected.audience!r}")
    require(claims["authorization"] == expected.authorization,
            f"authorization is {claims['authorization']!r}, expected {expected.authorization!r}")
    check_times(claims, expected)


def check_times(claims, expected):
    for name in ("iat", "exp"):
        require(type(claims[name]) is int, f"{name} is {claims[name]!r}, expected an integer (NumericDate)")
    span = claims["exp"] - claims["iat"]
    require(span == expected.lifetime, f"exp - iat is {span}, expected {expected.lifetime}")
    earliest = expected.now - expected.backdate
    require(earliest <= claims["iat"] <= earliest + expected.within,
            f"iat is {claims['iat']}, expected {earliest} to {earliest + expected.within}")


def check(token, expected):
    """Every field, independently of any library; returns the claims."""
    header, claims, _ = parts(token)
    check_header(header, expected)
    check_claims(claims, expected)
    return claims


def with_broken_signature(token):
    """The same token with one bit of its signature flipped: every correct verifier refuses it."""
    signed, _, signature = token.rpartition(".")
    data = bytearray(decoded(signature))
    data[len(data) // 2] ^= 1
    return signed + "." + base64.urlsafe_b64encode(bytes(data)).rstrip(b"=").decode()
