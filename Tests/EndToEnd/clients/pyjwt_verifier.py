"""Verifies a token with PyJWT, with algorithm, audience and issuer pinned, and compares every field."""
import jwt

import token_contract
from outcome import Failure

REQUIRED = ["iss", "sub", "aud", "iat", "exp"]


def check(token, key, expected):
    """Verifies by a PEM key and compares header and claims; returns the claims."""
    try:
        claims = verified(token, key, expected)
    except jwt.PyJWTError as error:
        raise Failure(f"PyJWT refused the token: {error}") from error
    token_contract.check_claims(claims, expected)
    token_contract.check_header(jwt.get_unverified_header(token), expected)
    require_refusal(token, key, expected)
    return token_contract.check(token, expected)


def verified(token, key, expected):
    return jwt.decode(
        token, key, algorithms=["RS256"], audience=expected.audience, issuer=expected.account,
        options={"require": REQUIRED, "strict_aud": True})


def require_refusal(token, key, expected):
    try:
        verified(token_contract.with_broken_signature(token), key, expected)
    except jwt.InvalidSignatureError:
        return
    raise Failure("PyJWT accepted a broken signature, so its acceptance of the token proves nothing")
