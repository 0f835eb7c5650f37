"""Tokens that break RFC 7515: parts, base64url, JSON, extensions, nesting and size."""
import json
import string

from joserfc import jwe
from joserfc.jwk import RSAKey
from joserfc.jws import serialize_json

from token_forge import b64, compact

ALPHABET = string.ascii_uppercase + string.ascii_lowercase + string.digits + "-_"
NOT_OBJECTS = ["{", "}", "", " ", "null", "true", "1", '"x"', "[]", "[{}]", "{,}", '{"a"}', b"\x00{}",
              "{}".encode("utf-16")]
# Text after or before a valid object, or as a member in it.
AROUND = ["{}", "x", "//", "/**/", "\ufeff", "\0", ",", "}"]
MEMBERS = ['"a":NaN', '"a":Infinity', '"a":01', '"a":+1', '"a":.5', '"a":1.', '"a":0x1', '"a":"\\x41"', '"a":"\\ud800"',
           '"a":"\\udc00\\ud800"', '"a":1,', "'a':1", "a:1", '"a":"\n"', '"a":True', '"a":undefined', '"a":', '"a":"',
           b'"a":"\xff"', b'"a":"\xc0\xaf"', b'"a":"\xed\xa0\x80"', b'"a":"\xf4\x90\x80\x80"']


def tokens(forge):
    yield from parts(forge)
    yield from base64url(forge)
    yield from not_json(forge)
    yield from repeated(forge)
    yield from extensions(forge)
    yield from deep_and_huge(forge)
    yield from other_forms(forge)


def parts(forge):
    header, claims, signature = forge.token().split(".")
    for what, token in {
        "one part": header, "two parts": f"{header}.{claims}", "four parts": f"{header}.{claims}.{signature}.",
        "five parts": f"{header}.{claims}.{signature}.{claims}.{signature}", "two dots": "..", "one dot": ".",
        "a dot before it": f".{header}.{claims}.{signature}", "no header": f".{claims}.{signature}",
        "no claims": f"{header}..{signature}", "no signature": f"{header}.{claims}.", "a letter": "x",
        "claims and header exchanged": f"{claims}.{header}.{signature}",
        "two dots between": f"{header}..{claims}.{signature}",
        "a colon for a dot": f"{header}:{claims}:{signature}", "quotation marks": f'"{header}.{claims}.{signature}"',
        "another token after it": f"{header}.{claims}.{signature} {header}.{claims}.{signature}",
        "a comma and another": f"{header}.{claims}.{signature},{header}.{claims}.{signature}",
        "a scheme of its own": f"Bearer {header}.{claims}.{signature}",
    }.items():
        yield what, token


def base64url(forge):
    # Texts of a length that leaves unused bits, so that padding is possible.
    header = compact(forge.header()).ljust(100)
    claims = compact(forge.claims()).ljust(202)
    good = forge.token(header, claims).split(".")
    for index, name in enumerate(["header", "claims", "signature"]):
        part = good[index]

        def changed(text):
            return ".".join(good[:index] + [text] + good[index + 1:])

        yield f"{name} padded", changed(part + "=" * (-len(part) % 4))
        yield f"{name} with one = too many", changed(part + "=" * (-len(part) % 4 + 1))
        last = ALPHABET[ALPHABET.index(part[-1]) ^ 1]
        yield f"{name} with bits over", changed(part[:-1] + last)
        yield f"{name} with a blank in it", changed(part[:9] + " " + part[9:])
        yield f"{name} with a tab in it", changed(part[:9] + "\t" + part[9:])
        yield f"{name} with a letter too many", changed(part + "A" * (5 - len(part) % 4))
        yield f"{name} with a percent-encoding", changed("%" + f"{ord(part[0]):02X}" + part[1:])
        yield f"{name} with a character outside the alphabet", changed("!" + part[1:])
        standard = part.replace("-", "+").replace("_", "/")
        yield f"{name} in the standard alphabet", changed(standard if standard != part else "+" + part[1:])


def not_json(forge):
    for name, valid in {"header": forge.header(), "claims": forge.claims()}.items():
        text = compact(valid).encode()
        wrong = {repr(whole): whole for whole in NOT_OBJECTS}
        wrong |= {f"and {more!r} after it": text + more.encode() for more in AROUND}
        wrong |= {f"and {more!r} before it": more.encode() + text for more in AROUND}
        for member in MEMBERS:
            member = member if type(member) is bytes else member.encode()
            wrong[f"with {member!r}"] = text[:-1] + b"," + member + b"}"
        for what, whole in wrong.items():
            yield f"{name} {what}", forge.token(**{name: whole})


def repeated(forge):
    header, claims = compact(forge.header()), compact(forge.claims())
    for what, extra in {"alg, none first": '"alg":"none",', "alg, the same": '"alg":"RS256",', "kid": '"kid":"ed-1",',
                        "typ": '"typ":"JWT",', "an escaped alg": '"\\u0061lg":"none",',
                        "an unknown member": '"a":1,"a":1,'}.items():
        yield f"header with {what} twice", forge.token(header="{" + extra + header[1:])
        yield f"header with {what} twice, last", forge.token(header=header[:-1] + "," + extra[:-1] + "}")
    for what, extra in {"exp": '"exp":1,', "iss": '"iss":"x",', "aud": '"aud":"x",', "sub": '"sub":"admin",',
                        "an escaped exp": '"\\u0065xp":1,', "nbf": '"nbf":1,"nbf":2,', "trips": '"trips":["x"],',
                        "one inside": '"x":{"a":1,"a":2},'}.items():
        yield f"claims with {what} twice", forge.token(claims="{" + extra + claims[1:])
        yield f"claims with {what} twice, last", forge.token(claims=claims[:-1] + "," + extra[:-1] + "}")


def extensions(forge):
    for what, changes in {
        "crit of exp": {"crit": ["exp"], "exp": 1}, "crit empty": {"crit": []}, "crit no array": {"crit": "exp"},
        "crit null": {"crit": None}, "crit unknown": {"crit": ["x"], "x": 1}, "crit of alg": {"crit": ["alg"]},
        "b64 false": {"b64": False}, "b64 true": {"b64": True}, "b64 and crit": {"b64": False, "crit": ["b64"]},
        "b64 true and crit": {"b64": True, "crit": ["b64"]},
    }.items():
        yield what, forge.token(forge.header(**changes))
    header = b64(compact(forge.header(b64=False, crit=["b64"])))
    plain = compact(forge.claims()).replace(".", "\\u002e")
    yield "claims that are not encoded", f"{header}.{plain}." + b64(forge.signature(f"{header}.{plain}"))


def deep_and_huge(forge):
    header, claims = compact(forge.header()), compact(forge.claims())
    for depth in (17, 100, 1000, 3000):
        arrays, objects = "[" * depth + "]" * depth, '{"x":' * depth + "1" + "}" * depth
        for what, nested in {"arrays": arrays, "objects": objects}.items():
            yield f"claims with {depth} {what}", forge.token(claims=f'{claims[:-1]},"x":{nested}}}')
            yield f"header with {depth} {what}", forge.token(header=f'{header[:-1]},"x":{nested}}}')
    yield "arrays that never end", forge.token(claims="[" * 6000)
    for size in (12_300, 16_000, 24_000, 60_000, 300_000):
        yield f"{size} bytes of claims", forge.token(claims=forge.claims(x="x" * size))
    yield "twenty thousand dots", "." * 15_000
    yield "nothing but letters", "A" * 16_000


def other_forms(forge):
    claims = compact(forge.claims()).encode()
    key = forge.keys["rsa"]
    flat = serialize_json({"protected": {"alg": "RS256"}, "header": {"kid": key.kid}}, claims, key, ["RS256"])
    yield "JSON, flattened", json.dumps(flat, separators=(",", ":"))
    general = serialize_json([{"protected": {"alg": "RS256"}, "header": {"kid": key.kid}}], claims, key, ["RS256"])
    yield "JSON, general", json.dumps(general, separators=(",", ":"))
    yield "JSON in base64url", b64(json.dumps(general))
    public = key.as_dict(private=False)
    recipient = RSAKey.import_key({name: public[name] for name in ("kty", "n", "e")})
    for what, plaintext in {"claims": claims, "a JWT": forge.token().encode()}.items():
        yield f"JWE of {what}", jwe.encrypt_compact({"alg": "RSA-OAEP", "enc": "A256GCM"}, plaintext, recipient)
    yield "JWS in a JWS", forge.token(header=forge.header(cty="JWT"), claims=forge.token())
    yield "JWS in a JWS, as text", forge.token(claims=json.dumps(forge.token()))
    yield "JWS in a member", forge.token(claims={"jwt": forge.token()})
    yield "SAML", b64('<saml:Assertion xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion"/>')
    yield "an API key's beginning", "tpk_" + forge.token()
    yield "an unknown API key", "tpk_" + "A" * 43
