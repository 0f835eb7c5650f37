"""The shapes of an answer (FleetEngineContract.md, "What clients read"): its members, and the form of its times."""
import time

import token_contract
from outcome import require

VEHICLE_KINDS = {"driver", "untrusted_delivery_driver", "trusted_delivery_driver"}

# format: names of the token in a rider's answer, in a driver's, and the meaning of each time
SHAPES = {
    "sdk": (
        {"TRIP_TOKEN_KEY"}, {"TRIP_TOKEN_KEY", "VEHICLE_TOKEN_KEY"}, {"TOKEN_EXPIRATION": "expiry in s"}),
    "on_demand": (
        {"jwt", "token"}, {"jwt", "token"},
        {"creationTimestamp": "creation in ms", "expirationTimestamp": "expiry in ms"}),
    "last_mile": (
        {"token"}, {"token"},
        {"creation_timestamp_ms": "creation in ms", "expiration_timestamp_ms": "expiry in ms"}),
    "javascript": ({"token"}, {"token"}, {"expiresInSeconds": "s left"}),
    "android": ({"ServiceToken"}, {"VehicleServiceToken"}, {"TokenExpiryMs": "expiry in ms"}),
}

# No error may hold any of these: the samples ignore the status.
EVERY_NAME = {name for riders, drivers, times in SHAPES.values() for name in riders | drivers | set(times)}


def check(what, body, shape, kind, margin):
    """Exactly the members of the shape, the signed times in them; returns the token."""
    riders, drivers, times = SHAPES[shape]
    names = drivers if kind in VEHICLE_KINDS else riders
    require(set(body) == names | set(times), f"{what}: the members are {sorted(body)}")
    tokens = {body[name] for name in names}
    require(len(tokens) == 1, f"{what}: the token's names hold different tokens")
    token = tokens.pop()
    _, claims, _ = token_contract.parts(token)
    for name, meaning in times.items():
        check_time(f"{what}: {name}", body[name], meaning, claims, margin)
    return token


def check_time(what, value, meaning, claims, margin):
    require(type(value) is int, f"{what} is {value!r}, expected an integer")
    expiry = claims["exp"] - margin
    require(expiry > time.time(), f"{what}: the expiry in the answer has passed")
    if meaning == "s left":
        require(abs(time.time() + value - expiry) < 60, f"{what} is {value}, expected the seconds until {expiry}")
        return
    exact = {"expiry in s": expiry, "expiry in ms": expiry * 1000, "creation in ms": claims["iat"] * 1000}[meaning]
    require(value == exact, f"{what} is {value}, expected {exact}")
