"""Valid and invalid bearer tokens: signed with an issuer's real keys, over any bytes."""
import base64
import json
import time

from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec, padding
from cryptography.hazmat.primitives.asymmetric.utils import decode_dss_signature
from joserfc.jwk import ECKey, OKPKey, RSAKey

AUDIENCE = "token-provider"
KINDS = {"rsa": (RSAKey, "RS256"), "ec": (ECKey, "ES256"), "ed": (OKPKey, "EdDSA")}


def b64(data):
    data = data.encode() if type(data) is str else data
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def compact(value):
    return value if type(value) in (str, bytes) else json.dumps(value, separators=(",", ":"))


class Forge:
    def __init__(self, issuer, private):
        self.issuer = issuer
        self.keys = {family: KINDS[family][0].import_key(jwk) for family, jwk in private.items()}
        self.now = int(time.time())

    def header(self, family="rsa", **changes):
        header = {"alg": KINDS[family][1], "typ": "JWT", "kid": self.keys[family].kid}
        return changed(header, changes)

    def claims(self, **changes):
        claims = {"iss": self.issuer, "sub": "user-1", "aud": AUDIENCE, "iat": self.now, "exp": self.now + 3600,
                  "trips": ["trip-1"]}
        return changed(claims, changes)

    def signing_input(self, header, claims):
        return f"{b64(compact(header))}.{b64(compact(claims))}"

    def token(self, header=None, claims=None, family="rsa", sign=None):
        """A token of any header and claims, objects or text; its signature is valid for the key of the family."""
        header = self.header(family) if header is None else header
        claims = self.claims() if claims is None else claims
        signed = self.signing_input(header, claims)
        return f"{signed}.{b64((sign or self.signature)(signed, family))}"

    def signature(self, signed, family="rsa"):
        key = self.keys[family].private_key
        if family == "rsa":
            return key.sign(signed.encode(), padding.PKCS1v15(), hashes.SHA256())
        if family == "ec":
            r, s = decode_dss_signature(key.sign(signed.encode(), ec.ECDSA(hashes.SHA256())))
            return r.to_bytes(32, "big") + s.to_bytes(32, "big")
        return key.sign(signed.encode())


def changed(members, changes):
    """The members with others in their place; those that become `...` are left out."""
    return {name: value for name, value in (members | changes).items() if value is not ...}
