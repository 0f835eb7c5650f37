"""Tokens with a false signature algorithm: `alg` in every wrong form, and public keys used as secrets."""
import hashlib
import hmac
import json

from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec, padding
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from joserfc import jws
from joserfc.jwk import OctKey, RSAKey

from token_forge import b64

NONE = ["none", "None", "NONE", "nOnE", "noNE", "none ", "none\u0000", "n\u00f6ne"]
MALFORMED = {
    "missing": ..., "null": None, "a number": 256, "an array": ["RS256"], "an object": {"RS256": 1}, "true": True,
    "empty": "", "lower case": "rs256", "mixed case": "Rs256", "a space after it": "RS256 ",
    "a space before it": " RS256", "a NUL after it": "RS256\u0000", "wide digits": "RS\uff12\uff15\uff16",
    "the old name": "SHA256withRSA", "a URI": "http://www.w3.org/2001/04/xmldsig-more#rsa-sha256",
    "of encryption": "RSA-OAEP", "direct": "dir", "two": "RS256,none", "RS1": "RS1", "ES256K": "ES256K",
}


def tokens(forge):
    valid = forge.token()
    for alg in NONE:
        header = forge.header(alg=alg)
        yield f"alg {alg!r}, no signature", forge.signing_input(header, forge.claims()) + "."
        yield f"alg {alg!r}, a signature", forge.signing_input(header, forge.claims()) + "." + valid.split(".")[2]
    for what, alg in MALFORMED.items():
        yield f"alg is {what}", forge.token(forge.header(alg=alg))
    yield from of_another_family(forge)
    yield from by_public_keys(forge)


def of_another_family(forge):
    for family, alg in [("rsa", "ES256"), ("rsa", "EdDSA"), ("ec", "RS256"), ("ec", "EdDSA"), ("ed", "RS256"),
                        ("ed", "ES256"), ("ec", "ES384"), ("ec", "ES512"), ("ec", "Ed25519"), ("ed", "Ed448")]:
        yield f"alg {alg}, key {family}", forge.token(forge.header(family, alg=alg), family=family)
    for alg in ["RS384", "RS512", "PS256", "PS384", "PS512"]:
        key = RSAKey.import_key(forge.keys["rsa"].as_dict(private=True) | {"alg": alg})
        header = forge.header(alg=alg)
        yield f"a valid {alg}, which is not configured", jws.serialize_compact(
            header, json.dumps(forge.claims()).encode(), key, [alg])
    for what, sign in {"RS512": pkcs1(hashes.SHA512()), "RS1": pkcs1(hashes.SHA1()), "PS256": pss}.items():
        yield f"alg RS256, signed as {what}", forge.token(sign=lambda signed, _: sign(forge, signed))
    own = forge.keys["ec"].private_key
    yield "alg ES256, signed over SHA-512", forge.token(
        family="ec", sign=lambda signed, _: own.sign(signed.encode(), ec.ECDSA(hashes.SHA512())))


def pkcs1(digest):
    return lambda forge, signed: forge.keys["rsa"].private_key.sign(signed.encode(), padding.PKCS1v15(), digest)


def pss(forge, signed):
    scheme = padding.PSS(padding.MGF1(hashes.SHA256()), 32)
    return forge.keys["rsa"].private_key.sign(signed.encode(), scheme, hashes.SHA256())


def by_public_keys(forge):
    for name, secret in secrets(forge):
        for alg, digest in [("HS256", hashlib.sha256), ("HS384", hashlib.sha384), ("HS512", hashlib.sha512)]:
            family = name.split()[0]
            yield f"{alg} with {name}", forge.token(
                forge.header(family, alg=alg), sign=lambda signed, _: hmac.digest(secret, signed.encode(), digest))
    key = OctKey.import_key(b"0" * 32)
    yield "a valid HS256 of a key of its own", jws.serialize_compact(
        {"alg": "HS256"}, json.dumps(forge.claims()).encode(), key, ["HS256"])
    # RS256 in the header, HMAC in fact.
    pem = public(forge, "rsa", Encoding.PEM, PublicFormat.SubjectPublicKeyInfo)
    yield "alg RS256, an HMAC in fact", forge.token(sign=lambda signed, _: hmac.digest(pem, signed.encode(), "sha256"))


def public(forge, family, encoding, form):
    return forge.keys[family].public_key.public_bytes(encoding, form)


def secrets(forge):
    for family in ("rsa", "ec", "ed"):
        pem = public(forge, family, Encoding.PEM, PublicFormat.SubjectPublicKeyInfo)
        yield f"{family} PEM", pem
        yield f"{family} PEM without the last line feed", pem.rstrip(b"\n")
        yield f"{family} DER", public(forge, family, Encoding.DER, PublicFormat.SubjectPublicKeyInfo)
        jwk = forge.keys[family].as_dict(private=False)
        yield f"{family} JWK", json.dumps(jwk, separators=(",", ":")).encode()
        yield f"{family} JWK as it is served", json.dumps(jwk).encode()
    yield "rsa PKCS#1 PEM", public(forge, "rsa", Encoding.PEM, PublicFormat.PKCS1)
    yield "rsa PKCS#1 DER", public(forge, "rsa", Encoding.DER, PublicFormat.PKCS1)
    yield "rsa modulus", forge.keys["rsa"].as_dict(private=False)["n"].encode()
    yield "rsa no secret", b""
    yield "ec point", public(forge, "ec", Encoding.X962, PublicFormat.UncompressedPoint)
    yield "ed point", public(forge, "ed", Encoding.Raw, PublicFormat.Raw)
    yield "rsa key id", b64(forge.keys["rsa"].kid).encode()
