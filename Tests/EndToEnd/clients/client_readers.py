"""How each published client reads an answer: its members, types and units, and what it fails on.

A reader takes the bytes of a body and returns the token and its expiry as the client reads it, in milliseconds of the
epoch (None if it reads none). A body that the client cannot use is a Failure.
"""
import json
import re
import time

from outcome import Failure, require


def now_ms():
    return time.time() * 1000


def members(body):
    """A JSON object; numbers with a fraction or an exponent fit no Swift Int, Java long or Dart int."""
    def refuse(number):
        raise Failure(f"the number {number} is not written as an integer")

    try:
        value = json.loads(body.decode("utf-8"), parse_float=refuse, parse_constant=refuse)
    except ValueError as error:
        raise Failure(f"not JSON: {body[:80]!r}") from error
    require(type(value) is dict, "the root is not a JSON object: the Objective-C sample crashes on it")
    return value


def member(values, name, kind):
    require(name in values, f"{name} is missing: {sorted(values)}")
    require(type(values[name]) is kind, f"{name} is {values[name]!r}, expected {kind.__name__}")
    return values[name]


def absolute(token_name, expiry_name, unit=1):
    """A token, and its expiry since the epoch in `unit` milliseconds."""
    def read(body):
        values = members(body)
        return member(values, token_name, str), member(values, expiry_name, int) * unit

    return read


def relative(token_name, expiry_name):
    """A token, and the seconds until its expiry."""
    def read(body):
        values = members(body)
        return member(values, token_name, str), now_ms() + member(values, expiry_name, int) * 1000

    return read


def android_on_demand(body):
    """Gson's long for all times, and the token treated as expired ten minutes early."""
    values = members(body)
    member(values, "creationTimestamp", int)
    end = member(values, "expirationTimestamp", int)
    require(end - 600_000 > now_ms(), "the app would ask again for every call")
    return member(values, "jwt", str), end


def react_web(body):
    """Hands `expirationTimestamp - Date.now()` to the SDK."""
    values = members(body)
    end = member(values, "expirationTimestamp", int)
    require(end - now_ms() > 0, "the SDK would get an expiry in the past")
    return member(values, "jwt", str), end


def ios_last_mile(body):
    """JSONDecoder with convertFromSnakeCase and millisecondsSince1970: two names that become one collide."""
    values = {}
    for name, value in members(body).items():
        first, *rest = name.split("_")
        camel = first + "".join(word.capitalize() for word in rest)
        require(camel not in values, f"two members become {camel}")
        values[camel] = value
    require(member(values, "creationTimestampMs", int) < now_ms(), "created in the future")
    return member(values, "token", str), member(values, "expirationTimestampMs", int)


def token_only(name):
    """A token whose expiry the client does not read."""
    return lambda body: (member(members(body), name, str), None)


def web_last_mile(body):
    values = members(body)
    end = member(values, "expiration_timestamp_ms", int)
    require((end - now_ms()) // 1000 >= 0, "Auth token already expired")
    return member(values, "token", str), end


def jwt_or_token(body):
    values = members(body)
    tokens = {member(values, name, str) for name in ("jwt", "token") if name in values}
    require(len(tokens) == 1, f"expected one token under jwt or token: {sorted(values)}")
    return tokens.pop(), None


def dart(token_name, creation_name, expiry_name):
    """`as int` throws on anything that is written with a point or an exponent."""
    def read(body):
        values = members(body)
        for name in (creation_name, expiry_name):
            require(re.search(rb'"%s":\s*[0-9]{13}[,}]' % name.encode(), body), f"{name} is not a Dart int: {body!r}")
        return member(values, token_name, str), values[expiry_name]

    return read


def javascript_fetcher(body):
    """The SDK fetches again a minute before the expiry, so less than that would be a request for every call."""
    values = members(body)
    seconds = member(values, "expiresInSeconds", int)
    require(seconds > 60, f"expiresInSeconds is {seconds}")
    return member(values, "token", str), now_ms() + seconds * 1000


def android_documentation(token_name):
    """The members as the documentation's sample reads them, less ten minutes."""
    def read(body):
        token, end = absolute(token_name, "TokenExpiryMs")(body)
        require(end - 600_000 > now_ms(), "the app would ask again for every call")
        return token, end

    return read
