"""Each row of FleetEngineContract.md, "What clients read": that client's request, sent as it sends it, and the answer read as it reads it.

python published_clients.py HOST PORT          (CORS on for client_fields.ORIGIN, the client margin a minute)
"""
import json
import sys
from dataclasses import dataclass
from typing import Callable

sys.dont_write_bytecode = True

import answer_shapes  # noqa: E402
import client_readers as read  # noqa: E402
import token_contract  # noqa: E402
from client_fields import ANDROID, BROWSER, DART, IOS, OKHTTP, ORIGIN, REACT_NATIVE  # noqa: E402
from outcome import Failure, report, require  # noqa: E402
from raw_http import AnswerReader, connect, get  # noqa: E402

MARGIN_MS = 60_000
YEAR_MS = 31_536_000_000


@dataclass
class Row:
    """A published client. `{}` in its target is the id; the claim None means that the client is refused by design.

    `keeps`: the client calculates an expiry that is much too late, whatever it is sent.
    """
    name: str
    target: str
    fields: list
    claim: str | None
    reader: Callable
    keeps: bool = False


SDK, SDK_DRIVER = ("TRIP_TOKEN_KEY", "TOKEN_EXPIRATION"), ("VEHICLE_TOKEN_KEY", "TOKEN_EXPIRATION")
ON_DEMAND = ("jwt", "creationTimestamp", "expirationTimestamp")
LAST_MILE = ("token", "creation_timestamp_ms", "expiration_timestamp_ms")
RELATIVE = "&expiration=relative"

ROWS = [
    Row("Google's sample, Swift, consumer", "/token?tripID={}", IOS, "tripid", read.absolute(*SDK, 1000)),
    Row("Google's sample, Swift, driver", "/token?vehicleID={}", IOS, "vehicleid", read.absolute(*SDK_DRIVER, 1000)),
    Row("Google's sample, Objective-C, consumer", "/token?tripID={}" + RELATIVE, IOS, "tripid", read.relative(*SDK)),
    Row("Google's sample, Objective-C, driver", "/token?vehicleID={}" + RELATIVE, IOS, "vehicleid",
        read.relative(*SDK_DRIVER)),
    Row("on-demand iOS, Swift and Objective-C, consumer", "/token/consumer/{}", IOS, "tripid",
        read.absolute("jwt", "expirationTimestamp")),
    Row("on-demand iOS, Swift, driver", "/token/driver/{}", IOS, "vehicleid",
        read.absolute("jwt", "expirationTimestamp")),
    # It keeps the token until it is restarted. No answer of this route could suit it and the other clients.
    Row("on-demand iOS, Objective-C, driver", "/token/driver/{}", IOS, "vehicleid",
        read.relative("jwt", "expirationTimestamp"), keeps=True),
    Row("on-demand Android, Java and Kotlin, consumer", "/token/consumer/{}", OKHTTP, "tripid",
        read.android_on_demand),
    Row("on-demand Android, Java and Kotlin, driver", "/token/driver/{}", OKHTTP, "vehicleid", read.android_on_demand),
    Row("on-demand React web", "/token/consumer/{}", BROWSER, "tripid", read.react_web),
    Row("last-mile iOS, driver", "/token/delivery_driver/{}", IOS, "deliveryvehicleid", read.ios_last_mile),
    Row("last-mile Android, driver", "/token/delivery_driver/{}", ANDROID, "deliveryvehicleid",
        read.token_only("token")),
    Row("last-mile web, shipment tracking", "/token/delivery_consumer/{}", BROWSER, "trackingid", read.web_last_mile),
    # The token opens the whole fleet, and the client sends no credentials.
    Row("last-mile web, fleet tracking", "/token/fleet_reader", BROWSER, None, read.web_last_mile),
    Row("React Native driver SDK, its example", "/token/driver/{}", REACT_NATIVE, "vehicleid", read.jwt_or_token),
    Row("React Native driver SDK, its migration guide", "/token/driver/{}", REACT_NATIVE, "vehicleid",
        read.token_only("token")),
    Row("React Native driver SDK, last mile", "/token/delivery_driver/{}", REACT_NATIVE, "deliveryvehicleid",
        read.jwt_or_token),
    Row("Flutter driver, on demand", "/token/driver/{}", DART, "vehicleid", read.dart(*ON_DEMAND)),
    Row("Flutter driver, on demand, trailing slash", "/token/driver/{}/", DART, "vehicleid", read.dart(*ON_DEMAND)),
    Row("Flutter driver, last mile", "/token/delivery_driver/{}", DART, "deliveryvehicleid", read.dart(*LAST_MILE)),
    Row("Flutter driver, last mile, trailing slash", "/token/delivery_driver/{}/", DART, "deliveryvehicleid",
        read.dart(*LAST_MILE)),
    Row("JavaScript authTokenFetcher, trip", "/token?tripID={}&format=javascript", BROWSER, "tripid",
        read.javascript_fetcher),
    Row("JavaScript authTokenFetcher, shipment", "/token/javascript/delivery_consumer/{}", BROWSER, "trackingid",
        read.javascript_fetcher),
    # Its base URL is `…/token/android/consumer` or `…/token/android/driver`; it adds a slash and the id.
    Row("Android documentation, consumer", "/token/android/consumer/{}", ANDROID, "tripid",
        read.android_documentation("ServiceToken")),
    Row("Android documentation, driver", "/token/android/driver/{}", ANDROID, "vehicleid",
        read.android_documentation("VehicleServiceToken")),
    Row("older third-party client, vehicleId", "/token?vehicleId={}", OKHTTP, "vehicleid",
        read.absolute(*SDK_DRIVER, 1000)),
    Row("older third-party client, tripId", "/token?tripId={}", OKHTTP, "tripid", read.absolute(*SDK, 1000)),
]


def main():
    connection = connect(sys.argv[1], int(sys.argv[2]))
    answers = AnswerReader(connection)

    def ask(target, fields, method="GET"):
        connection.sendall(get(target, method=method, fields=fields))
        answer = answers.next()
        require(answer is not None, f"{target}: not answered")
        return answer

    for row in ROWS:
        try:
            use(row, ask)
            refuse(row, ask)
        except Failure as failure:
            raise Failure(f"{row.name}: {failure}") from failure
    return {
        "served": [row.name for row in ROWS if row.claim is not None],
        "refused by design": [row.name for row in ROWS if row.claim is None],
    }


def use(row, ask):
    """The client gets what it can use. It requests twice, like one that fetches at every location update."""
    if row.claim is None:
        return require_no_token(row, ask(row.target, row.fields), 403)
    identifier = f"id-of-{row.claim}"
    first, second = (ask(row.target.format(identifier), row.fields) for _ in range(2))
    require(first.status == 200, f"status {first.status}: {first.body!r}")
    require("content-encoding" not in first.fields, "the answer is compressed")
    require_readable(row, first)
    token, end = row.reader(first.body)
    require(row.reader(second.body)[0] == token, "the same id got another token at once")
    _, claims, _ = token_contract.parts(token)
    require(claims["authorization"] == {row.claim: identifier}, f"the token is for {claims['authorization']}")
    if end is None:
        return
    if row.keeps:
        return require(end > claims["exp"] * 1000 + YEAR_MS, f"the client reads the expiry {end}, so it is served after all")
    signed = claims["exp"] * 1000 - MARGIN_MS
    # Seconds from now (a float) are as exact as the second in which they were sent.
    require(abs(end - signed) <= (2000 if type(end) is float else 0), f"the expiry is {end}, expected {signed}")
    require(end > read.now_ms(), "the expiry in the answer has passed")


def refuse(row, ask):
    """No error can be taken for a token or an expiry, whether or not the client checks the status."""
    target = row.target.format("%2A")
    wrong = f"{target}{'&' if '?' in target else '?'}colour=red"
    if row.claim is not None:
        require_no_token(row, ask(target, row.fields), 400)
        require_no_token(row, ask(wrong, row.fields), 400)
    require_no_token(row, ask(row.target.format("a"), row.fields, method="POST"), 405)


def require_no_token(row, answer, status):
    require(answer.status == status, f"status {answer.status}, expected {status}: {answer.body!r}")
    require_readable(row, answer)
    body = json.loads(answer.body)
    require(type(body) is dict, "the error is not a JSON object")
    require(answer_shapes.EVERY_NAME.isdisjoint(body), f"the error's members are {sorted(body)}")
    require(b"eyJ" not in answer.body, "the error holds a token")
    try:
        row.reader(answer.body)
    except Failure:
        return
    raise Failure("the client would take the error for a token")


def require_readable(row, answer):
    """Only the page of the allowed origin may read the answer."""
    allowed = answer.fields.get("access-control-allow-origin")
    require(allowed == (ORIGIN if row.fields is BROWSER else None), f"Access-Control-Allow-Origin is {allowed}")


report(main)
