"""Verifies a token with PyJWT, algorithm and audience pinned, and compares every field.

python verify_pyjwt.py PUBLIC_KEY_PEM TOKEN KIND ID ACCOUNT KEYID NOW [--lifetime S] [--backdate S] [--within S]
"""
import sys
from pathlib import Path

sys.dont_write_bytecode = True

import jwt  # noqa: E402

import token_contract  # noqa: E402
from outcome import Failure, report  # noqa: E402

REQUIRED = ["iss", "sub", "aud", "iat", "exp"]


def main():
    expected = token_contract.arguments()
    key = Path(expected.public_key).read_text()
    try:
        claims = verified(expected.token, key, expected)
    except jwt.PyJWTError as error:
        raise Failure(f"PyJWT refused the token: {error}") from error
    token_contract.check_claims(claims, expected)
    token_contract.check_header(jwt.get_unverified_header(expected.token), expected)
    require_refusal(key, expected)
    return {"verifier": f"PyJWT {jwt.__version__}", "claims": token_contract.check(expected.token, expected)}


def verified(token, key, expected):
    return jwt.decode(
        token, key, algorithms=["RS256"], audience=expected.audience, issuer=expected.account,
        options={"require": REQUIRED, "strict_aud": True})


def require_refusal(key, expected):
    try:
        verified(token_contract.with_broken_signature(expected.token), key, expected)
    except jwt.InvalidSignatureError:
        return
    raise Failure("PyJWT accepted a broken signature, so its acceptance of the token proves nothing")


report(main)
