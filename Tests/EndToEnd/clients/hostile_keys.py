"""Tokens that try to choose their own key: `kid` as a path, a query or a page; `jku`, `x5u`, `jwk` and `x5c`."""
import base64
import datetime
import hmac

from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.serialization import Encoding
from cryptography.x509.oid import NameOID
from joserfc.jwk import RSAKey

KIDS = {
    "a path": "../../../../../../dev/null", "an absolute path": "/dev/null", "a file URL": "file:///dev/null",
    "SQL": "' UNION SELECT 'secret' -- ", "SQL of a digest": "x' OR '1'='1", "a shell command": "$(touch /tmp/x)",
    "a pipe": "|/usr/bin/id", "LDAP": "*)(uid=*))(|(uid=*", "a template": "{{7*7}}", "a format": "%s%n%x",
    "ten kilobytes": "k" * 10_000, "empty": "", "an array": ["rsa-1"], "a number": 1, "null": None, "true": True,
    "an object": {"kid": "rsa-1"}, "upper case": "RSA-1", "a blank after it": "rsa-1 ", "a blank before it": " rsa-1",
    "a NUL after it": "rsa-1\0", "a beginning of it": "rsa-", "a line feed": "rsa-1\n", "unknown": "rsa-99",
    "wide digits": "rsa-\uff11", "an emoji": "\U0001f511", "its number alone": "1",
    "a URL": "http://169.254.169.254/latest/meta-data",
}


def tokens(forge, trap):
    """`trap` is the URL of a server that must not get a connection."""
    for what, kid in KIDS.items():
        yield f"kid is {what}", forge.token(forge.header(kid=kid))
    yield "no kid, signed by another key", forge.token(forge.header(kid=...), family="ec")
    for family in ("ec", "ed"):
        yield f"kid of the {family} key", forge.token(forge.header(kid=forge.keys[family].kid))
    for what, secret in {"an empty file": b"", "a NUL": b"\0", "the query's answer": b"secret"}.items():
        kid = KIDS["SQL"] if secret == b"secret" else KIDS["a path"]
        yield f"kid of {what}, HMAC", forge.token(
            forge.header(alg="HS256", kid=kid), sign=lambda signed, _: hmac.digest(secret, signed.encode(), "sha256"))
    yield from own_keys(forge, trap)
    yield from own_issuers(forge, trap)


def own_keys(forge, trap):
    own = RSAKey.generate_key(2048, {"kid": "own"})
    certificate = self_signed(own.private_key)
    members = {
        "jku": {"jku": f"{trap}/jku"}, "jku of a path": {"jku": forge.issuer + "/../jku"},
        "x5u": {"x5u": f"{trap}/x5u"},
        "jwk": {"jwk": own.as_dict(private=False)}, "jwk, private": {"jwk": own.as_dict(private=True)},
        "x5c": {"x5c": [certificate]}, "x5c of three": {"x5c": [certificate] * 3},
        "x5t": {"x5t": "AAAA", "x5t#S256": "AAAA"},
        "all of them": {
            "jku": f"{trap}/jku", "x5u": f"{trap}/x5u", "jwk": own.as_dict(private=False), "x5c": [certificate]},
        "jku, an array": {"jku": [f"{trap}/jku"]}, "jku of a file": {"jku": "file:///etc/passwd"},
        "a set of keys": {"keys": [own.as_dict(private=False)]},
        "a URL for the issuer": {"iss": trap, "jku": f"{trap}/jku"},
    }
    right, kids = forge.keys["rsa"], {"its own": "own", "ours": forge.keys["rsa"].kid, "none": ...}
    for what, more in members.items():
        for whose, kid in kids.items():
            header = forge.header(kid=kid, **more)
            forge.keys["rsa"] = own
            yield f"{what}, signed by its own key, kid {whose}", forge.token(header)
            forge.keys["rsa"] = right


def own_issuers(forge, trap):
    for what, issuer in {
        "the trap": trap, "a path of the trap": f"{trap}/realms/x", "the trap as user": f"{trap}@id.example.com",
    }.items():
        yield f"iss is {what}", forge.token(claims=forge.claims(iss=issuer))
        yield f"iss is {what}, kid unknown", forge.token(forge.header(kid="other"), forge.claims(iss=issuer))


def self_signed(key):
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "id.example.com")])
    now = datetime.datetime.now(datetime.timezone.utc)
    certificate = (
        x509.CertificateBuilder().subject_name(name).issuer_name(name).public_key(key.public_key())
        .serial_number(x509.random_serial_number()).not_valid_before(now).not_valid_after(now + datetime.timedelta(1))
        .sign(key, hashes.SHA256()))
    return base64.b64encode(certificate.public_bytes(Encoding.DER)).decode()
