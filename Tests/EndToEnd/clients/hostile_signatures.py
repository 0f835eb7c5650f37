"""Tokens with valid header and claims and an invalid signature: psychic, malleable, cut, padded or another's."""
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import padding
from cryptography.hazmat.primitives.asymmetric.utils import encode_dss_signature
from joserfc.jwk import ECKey, OKPKey, RSAKey

# The order of P-256's base point and of its field, and the order of Ed25519's base point.
N256 = 0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551
P256 = 0xFFFFFFFF00000001000000000000000000000000FFFFFFFFFFFFFFFFFFFFFFFF
L25519 = 2**252 + 27742317777372353535851937790883648493
OTHERS = {
    "ec": lambda: ECKey.generate_key("P-256"), "rsa": lambda: RSAKey.generate_key(2048),
    "ed": lambda: OKPKey.generate_key("Ed25519"),
}


def tokens(forge):
    for family, makers in {"ec": ecdsa, "rsa": rsa, "ed": eddsa}.items():
        for what, make in {**makers(forge), **any_family(forge, family)}.items():
            token = forge.token(family=family, sign=lambda signed, _: make(forge.signature(signed, family)))
            yield f"{family} signature: {what}", token
        yield f"{family} signature of another key", signed_by(forge, family, OTHERS[family]())
        first, second = forge.token(family=family), forge.token(claims=forge.claims(sub="user-2"), family=family)
        yield f"{family} signature of other claims", ".".join(second.split(".")[:2] + first.split(".")[2:])
        yield f"{family} signature of the header alone", forge.token(
            family=family, sign=lambda signed, name: forge.signature(signed.split(".")[0], name))
        yield f"{family} signature of the claims alone", forge.token(
            family=family, sign=lambda signed, name: forge.signature(signed.split(".")[1], name))


def signed_by(forge, family, key):
    own, forge.keys[family] = forge.keys[family], key
    try:
        return forge.token(forge.header(family, kid=own.kid), family=family)
    finally:
        forge.keys[family] = own


def any_family(forge, family):
    return {
        "empty": lambda right: b"",
        "one byte short": lambda right: right[:-1],
        "without its first byte": lambda right: right[1:],
        "a zero before it": lambda right: b"\0" + right,
        "a zero after it": lambda right: right + b"\0",
        "twice": lambda right: right + right,
        "half": lambda right: right[:len(right) // 2],
        "all zero": lambda right: bytes(len(right)),
        "all one": lambda right: b"\xff" * len(right),
        "its first bit flipped": lambda right: bytes([right[0] ^ 0x80]) + right[1:],
        "its last bit flipped": lambda right: right[:-1] + bytes([right[-1] ^ 1]),
        "reversed": lambda right: right[::-1],
        "four thousand bytes": lambda right: right + bytes(4000),
    }


def ecdsa(forge):
    def numbers(r, s):
        return lambda right: r.to_bytes(32, "big") + s.to_bytes(32, "big")

    def der(right):
        return encode_dss_signature(int.from_bytes(right[:32], "big"), int.from_bytes(right[32:], "big"))

    return {
        "r = s = 0": numbers(0, 0), "r = 0, s = 1": numbers(0, 1), "r = 1, s = 0": numbers(1, 0),
        "r = s = 1": numbers(1, 1), "r = s = n": numbers(N256, N256), "r = n, s = 1": numbers(N256, 1),
        "r = 1, s = n": numbers(1, N256), "r = n + 1": numbers(N256 + 1, 1), "s = n + 1": numbers(1, N256 + 1),
        "r = p": numbers(P256, 1), "r = n - 1, s = n - 1": numbers(N256 - 1, N256 - 1),
        "r = 0, s its own": lambda right: bytes(32) + right[32:],
        "s = 0, r its own": lambda right: right[:32] + bytes(32),
        "r and s exchanged": lambda right: right[32:] + right[:32],
        "DER": der, "DER of zeros": lambda right: encode_dss_signature(0, 0),
        "DER of ones": lambda right: encode_dss_signature(1, 1),
        "DER filled to 64 bytes": lambda right: encode_dss_signature(0, 0).ljust(64, b"\0"),
        "of P-384's length": lambda right: b"".join(half.rjust(48, b"\0") for half in (right[:32], right[32:])),
    }


def rsa(forge):
    key = forge.keys["rsa"].private_key
    modulus = key.public_key().public_numbers().n

    def number(value, length=256):
        return lambda right: value.to_bytes(length, "big")

    return {
        "0": number(0), "1": number(1), "n - 1": number(modulus - 1), "n": number(modulus),
        "n + 1": number(modulus + 1),
        "its own and n": lambda right: (int.from_bytes(right, "big") + modulus).to_bytes(257, "big"),
        "n less its own": lambda right: (modulus - int.from_bytes(right, "big")).to_bytes(256, "big"),
        "of no digest": lambda right: key.sign(bytes(32), padding.PKCS1v15(), hashes.SHA256()),
    }


def eddsa(forge):
    def malleable(right):
        return right[:32] + (int.from_bytes(right[32:], "little") + L25519).to_bytes(32, "little")

    identity = b"\x01" + bytes(31)
    return {
        "S + L": malleable, "R the identity, S = 0": lambda right: identity + bytes(32),
        "R of order two": lambda right: (2**255 - 20).to_bytes(32, "little") + bytes(32),
        "R not canonical": lambda right: (2**255 - 18).to_bytes(32, "little") + bytes(32),
        "S = L": lambda right: right[:32] + L25519.to_bytes(32, "little"),
    }
