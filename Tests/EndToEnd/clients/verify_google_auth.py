"""Verifies a token with Google's own library and with `openssl dgst`, and compares every field.

python verify_google_auth.py PUBLIC_KEY_PEM TOKEN KIND ID ACCOUNT KEYID NOW [--lifetime S] [--backdate S] [--within S]
"""
import subprocess
import sys
import tempfile
from pathlib import Path

sys.dont_write_bytecode = True

import google.auth  # noqa: E402
import google.auth.exceptions  # noqa: E402
import google.auth.jwt  # noqa: E402

import token_contract  # noqa: E402
from outcome import Failure, report, require  # noqa: E402


def main():
    expected = token_contract.arguments()
    key = Path(expected.public_key).read_bytes()
    broken = token_contract.with_broken_signature(expected.token)
    claims = verified_by_google(expected.token, key, expected)
    require(not accepted_by_google(broken, key, expected), "google-auth accepted a broken signature")
    token_contract.check_claims(dict(claims), expected)
    require(accepted_by_openssl(expected.token, expected.public_key), "openssl dgst refused the signature")
    require(not accepted_by_openssl(broken, expected.public_key), "openssl dgst accepted a broken signature")
    return {
        "verifiers": [f"google-auth {google.auth.__version__}", "openssl dgst -sha256 -verify"],
        "claims": token_contract.check(expected.token, expected),
    }


def verified_by_google(token, key, expected):
    # A mapping makes the library look the key up by the token's `kid`, as it does with Google's own certificates.
    try:
        return google.auth.jwt.decode(token, certs={expected.key_id: key}, audience=expected.audience)
    except (google.auth.exceptions.GoogleAuthError, ValueError) as error:
        raise Failure(f"google-auth refused the token: {error}") from error


def accepted_by_google(token, key, expected):
    try:
        verified_by_google(token, key, expected)
    except Failure:
        return False
    return True


def accepted_by_openssl(token, public_key):
    signed, _, signature = token.rpartition(".")
    with tempfile.NamedTemporaryFile() as file:
        file.write(token_contract.decoded(signature))
        file.flush()
        done = subprocess.run(
            ["openssl", "dgst", "-sha256", "-verify", public_key, "-signature", file.name],
            input=signed.encode(), capture_output=True)
    return done.returncode == 0 and done.stdout.strip() == b"Verified OK"


report(main)
