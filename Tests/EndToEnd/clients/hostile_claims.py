"""Tokens with a valid signature and invalid claims or type: times, audience, issuer and `typ`."""
import unicodedata

from token_forge import AUDIENCE, compact

INVALID_TIMES = {
    "a text": '"{}"', "an exponent too high": "{}e3", "no integer part": ".5", "no fraction": "{}.", "negative": "-1",
    "a negative fraction": "-0.5",
    "2 to the 63": "9223372036854775808", "2 to the 64": "18446744073709551616", "much more": "1844674407370955{}",
    "1e400": "1e400", "-1e400": "-1e400", "thirty digits": "9" * 30, "null": "null", "true": "true", "an array": "[{}]",
    "an object": '{{"s":{}}}', "beyond the year 9999": "253402300800", "milliseconds": "{}000", "an empty text": '""',
    "minus two to the 63": "-9223372036854775808", "less than that": "-9223372036854775809",
    "a date": '"2099-01-01T00:00:00Z"',
}


def tokens(forge):
    yield from times(forge)
    yield from audiences(forge)
    yield from issuers(forge)
    yield from types(forge)


def times(forge):
    claims = compact(forge.claims())
    for name, right in {"exp": forge.now + 3600, "nbf": forge.now, "iat": forge.now}.items():
        for what, form in INVALID_TIMES.items():
            text = claims.replace(f'"{name}":{right}', f'"{name}":{form.format(right)}')
            if name == "nbf":
                text = f'{claims[:-1]},"nbf":{form.format(right)}}}'
            yield f"{name} is {what}", forge.token(claims=text)
    for seconds in (61, 3600, 10**9):
        yield f"expired {seconds} s ago", forge.token(claims=forge.claims(exp=forge.now - seconds))
        yield f"not before {seconds + 60} s from now", forge.token(claims=forge.claims(nbf=forge.now + seconds + 60))
        yield f"issued {seconds + 60} s from now", forge.token(claims=forge.claims(iat=forge.now + seconds + 60))
    yield "no exp", forge.token(claims=forge.claims(exp=...))
    yield "exp is 0", forge.token(claims=forge.claims(exp=0))
    yield "Exp for exp", forge.token(claims=forge.claims(exp=..., Exp=forge.now + 3600))
    yield "expires_in for exp", forge.token(claims=forge.claims(exp=..., expires_in=3600))


def audiences(forge):
    for what, audience in {
        "missing": ..., "null": None, "a number": 1, "true": True, "an object": {"aud": AUDIENCE}, "empty": "",
        "no one": [], "an empty one": [""], "a beginning of it": AUDIENCE[:-1], "an end of it": AUDIENCE[1:],
        "it and more": AUDIENCE + "2", "more and it": "x" + AUDIENCE, "upper case": AUDIENCE.upper(),
        "a blank after it": AUDIENCE + " ", "a blank before it": " " + AUDIENCE, "a slash after it": AUDIENCE + "/",
        "a NUL after it": AUDIENCE + "\0", "others": ["a", "b"], "a number among them": [AUDIENCE, 1],
        "null among them": [None, AUDIENCE], "one inside another": [[AUDIENCE]], "commas": f"a,{AUDIENCE}",
        "blanks": f"a {AUDIENCE}", "a wildcard": "*", "wide letters": AUDIENCE.replace("-", "\uff0d"),
        "a thousand others": [f"a{number}" for number in range(1000)],
    }.items():
        yield f"aud is {what}", forge.token(claims=forge.claims(aud=audience))


def issuers(forge):
    right = forge.issuer
    scheme, rest = right.split("://")
    for what, issuer in {
        "missing": ..., "null": None, "a number": 1, "an array": [right], "an object": {"iss": right}, "empty": "",
        "upper case": right.upper(), "an upper-case scheme": f"{scheme.upper()}://{rest}",
        "a slash after it": right + "/",
        "two slashes after it": right + "//", "a blank after it": right + " ", "a blank before it": " " + right,
        "a line feed after it": right + "\n", "a NUL after it": right + "\0", "a beginning of it": right[:-1],
        "it and more": right + ".evil.example", "it as a user": f"{scheme}://{rest}@evil.example",
        "a fragment after it": right + "#", "a query after it": right + "?",
        "percent-encoded": right.replace("e", "%65", 1),
        "a dot segment": right + "/.", "a last dot": right + ".", "its port": right + ":443",
        "wide letters": unicodedata.normalize("NFKC", right).replace("e", "\uff45"), "no scheme": rest,
        "a zero-width blank": right + "\u200b", "an array of two": [right, right],
        "ten kilobytes": right + "x" * 10_000,
        "Google": "https://accounts.google.com",
    }.items():
        yield f"iss is {what}", forge.token(claims=forge.claims(iss=issuer))


def types(forge):
    """Tokens of the issuer that requires the type at+jwt."""
    for what, type_ in {
        "missing": ..., "JWT": "JWT", "null": None, "a number": 1, "an array": ["at+jwt"],
        "a blank after it": "at+jwt ",
        "more after it": "at+jwtx", "another's": "dpop+jwt", "empty": "", "a prefix of another": "text/at+jwt",
        "application alone": "application/", "twice the prefix": "application/application/at+jwt",
    }.items():
        claims = forge.claims(iss=forge.issuer + "/typed")
        yield f"typ is {what}", forge.token(forge.header(typ=type_), claims)
