"""Makes a session cookie with PyJWT, in the form that Firebase documents.

python session_cookie.py PRIVATE_KEY_PEM KID CLAIMS

CLAIMS is a JSON object that changes the usual claims; null removes one.
"""
import json
import sys
import time
from pathlib import Path

sys.dont_write_bytecode = True

import jwt  # noqa: E402

from outcome import report  # noqa: E402

PROJECT = "my-fleet"


def main():
    path, key_id, changes = sys.argv[1:]
    now = int(time.time())
    # firebase.google.com/docs/auth/admin/manage-cookies
    claims = {
        "iss": f"https://session.firebase.google.com/{PROJECT}", "aud": PROJECT, "auth_time": now - 60, "user_id": "a1b2c3",
        "sub": "a1b2c3", "iat": now - 30, "exp": now + 86_400, "vehicle": "vehicle-1",
        "firebase": {"identities": {}, "sign_in_provider": "custom"},
    } | json.loads(changes)
    claims = {name: value for name, value in claims.items() if value is not None}
    return {"token": jwt.encode(claims, Path(path).read_text(), "RS256", {"kid": key_id})}


report(main)
