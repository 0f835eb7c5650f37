"""Verifies a token with PyJWT, with algorithm and audience pinned, and compares every field.

python verify_pyjwt.py PUBLIC_KEY_PEM TOKEN KIND ID ACCOUNT KEYID NOW [--lifetime S] [--backdate S] [--within S]
"""
import sys
from pathlib import Path

sys.dont_write_bytecode = True

import jwt  # noqa: E402

import pyjwt_verifier  # noqa: E402
import token_contract  # noqa: E402
from outcome import report  # noqa: E402


def main():
    expected = token_contract.arguments()
    key = Path(expected.public_key).read_text()
    return {"verifier": f"PyJWT {jwt.__version__}", "claims": pyjwt_verifier.check(expected.token, key, expected)}


report(main)
