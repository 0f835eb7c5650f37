"""RSA keys and RS256 tokens of the loopback server: OpenSSL makes the keys, `cryptography` signs where it is installed.

Without `cryptography`, Python's integers sign, at a tenth of its rate.
"""
import base64
import hashlib
import json
import subprocess

try:
    from cryptography.hazmat.primitives import hashes, serialization
    from cryptography.hazmat.primitives.asymmetric import padding
except ImportError:
    serialization = None

# RFC 8017 section 9.2, note 1: the DigestInfo of SHA-256.
SHA256_PREFIX = bytes.fromhex("3031300d060960864801650304020105000420")


class BadToken(Exception):
    """Why a token is refused, in a sentence."""


def encoded(data):
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def decoded(text):
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))


class Key:
    """An RSA-2048 key and the id under which its public half is published."""

    def __init__(self, pem=None):
        self.pem = pem or openssl(["genpkey", "-algorithm", "RSA", "-pkeyopt", "rsa_keygen_bits:2048"]).decode()
        der = openssl(["rsa", "-traditional", "-outform", "DER"], self.pem.encode())
        _, self.modulus, self.exponent, _, self.p, self.q, self.dp, self.dq, self.inverse = integers(der)
        self.native = serialization and serialization.load_pem_private_key(self.pem.encode(), None)
        self.size = (self.modulus.bit_length() + 7) // 8
        self.id = hashlib.sha1(self.modulus.to_bytes(self.size, "big")).hexdigest()

    def sign(self, message):
        if self.native:
            return self.native.sign(message, padding.PKCS1v15(), hashes.SHA256())
        value = int.from_bytes(self.padded(message), "big")
        first = pow(value % self.p, self.dp, self.p)
        second = pow(value % self.q, self.dq, self.q)
        number = second + self.q * (self.inverse * (first - second) % self.p)
        return number.to_bytes(self.size, "big")

    def verifies(self, message, signature):
        value = int.from_bytes(signature, "big")
        if len(signature) != self.size or value >= self.modulus:
            return False
        return pow(value, self.exponent, self.modulus).to_bytes(self.size, "big") == self.padded(message)

    def padded(self, message):
        """EMSA-PKCS1-v1_5 (RFC 8017 section 9.2)."""
        info = SHA256_PREFIX + hashlib.sha256(message).digest()
        return b"\x00\x01" + b"\xff" * (self.size - len(info) - 3) + b"\x00" + info

    def jwk(self):
        return {
            "kty": "RSA", "alg": "RS256", "use": "sig", "kid": self.id,
            "n": encoded(self.modulus.to_bytes(self.size, "big")), "e": encoded(self.exponent.to_bytes(3, "big")),
        }


def openssl(arguments, content=b""):
    return subprocess.run(["openssl", *arguments], input=content, capture_output=True, check=True).stdout


def integers(der):
    """The integers of a DER sequence: RSAPrivateKey (RFC 8017 appendix A.1.2)."""
    found = []
    _, at, end = header(der, 0)
    while at < end:
        tag, at, past = header(der, at)
        if tag != 2:
            raise ValueError("The private key has a member that is not an integer.")
        found.append(int.from_bytes(der[at:past], "big"))
        at = past
    return found


def header(der, at):
    """The tag at an offset, and where its content begins and ends."""
    tag, length, at = der[at], der[at + 1], at + 2
    if length & 0x80:
        count = length & 0x7F
        length, at = int.from_bytes(der[at:at + count], "big"), at + count
    return tag, at, at + length


def signed(claims, key, **changes):
    """A compact JWS (RFC 7515); `changes` replace members of its header."""
    head = {"alg": "RS256", "typ": "JWT", "kid": key.id} | changes
    parts = [encoded(json.dumps(part, separators=(",", ":")).encode()) for part in (head, claims)]
    message = ".".join(parts)
    return f"{message}.{encoded(key.sign(message.encode()))}"


def opened(token):
    """Header, claims, signed text and signature of a compact JWS."""
    try:
        head, claims, signature = token.split(".")
        opened_head, opened_claims = json.loads(decoded(head)), json.loads(decoded(claims))
        if not (isinstance(opened_head, dict) and isinstance(opened_claims, dict)):
            raise ValueError("not objects")
        return opened_head, opened_claims, f"{head}.{claims}".encode(), decoded(signature)
    except ValueError as error:
        raise BadToken("not a compact JWS of two JSON objects") from error


def verified(token, keys, now, leeway=0):
    """The claims of an RS256 token that one of the keys signed, and that has not expired."""
    head, claims, message, signature = opened(token)
    if head.get("alg") != "RS256":
        raise BadToken("the algorithm is not RS256")
    named = [key for key in keys if key.id == head.get("kid")] if "kid" in head else keys
    if not any(key.verifies(message, signature) for key in named):
        raise BadToken("the signature does not match a key of the issuer")
    times = [claims.get("iat"), claims.get("exp")]
    if any(type(moment) is not int for moment in times):
        raise BadToken("iat and exp must be integers")
    if times[0] > now + leeway:
        raise BadToken("iat is in the future")
    if times[1] <= now:
        raise BadToken("the token expired")
    return claims
