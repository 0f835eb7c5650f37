"""What Google's published client samples do: keep a token until its expiry without a margin, and ignore the status.

A stand-in for Fleet Engine checks each token that is used and refuses one whose signed `exp` has passed.
"""
import argparse
import json
import time
import urllib.error
import urllib.parse
import urllib.request

import token_contract
from outcome import Failure, require

TOKEN_KEY = {"tripID": "TRIP_TOKEN_KEY", "vehicleID": "VEHICLE_TOKEN_KEY"}
EXPIRY_KEY = "TOKEN_EXPIRATION"
USE_EVERY_SECONDS = 0.1
FETCH_SECONDS = 10


def arguments():
    parser = argparse.ArgumentParser()
    parser.add_argument("base", metavar="BASE_URL", help="as in http://127.0.0.1:8080, without a path")
    parser.add_argument("parameter", metavar="tripID|vehicleID", choices=list(TOKEN_KEY))
    parser.add_argument("id", metavar="ID")
    parser.add_argument("seconds", metavar="SECONDS", type=float)
    return parser.parse_args()


class SampleClient:
    """`expires` turns the number that was served into the time, in epoch seconds, until which the token is kept."""

    def __init__(self, url, token_key, expires):
        self.url = url
        self.token_key = token_key
        self.expires = expires
        self.token = None
        self.kept_until = 0.0
        self.fetches = 0
        # No proxy from the environment: the sample talks to the address it was given.
        self.opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))

    def current_token(self):
        if self.token is None or time.time() >= self.kept_until:
            self.fetch()
        return self.token

    def fetch(self):
        self.fetches += 1
        body = self.body()
        try:
            answer = json.loads(body)
        except ValueError as error:
            raise Failure(f"the answer is not JSON, and the sample ends here: {body[:200]!r}") from error
        require(type(answer) is dict, "the answer is not a JSON object: the Objective-C sample crashes on it")
        require(type(answer.get(self.token_key)) is str, f"the answer has no string {self.token_key}: {list(answer)}")
        require(type(answer.get(EXPIRY_KEY)) is int, f"{EXPIRY_KEY} is not an integer: {answer.get(EXPIRY_KEY)!r}")
        self.token = answer[self.token_key]
        self.kept_until = self.expires(answer[EXPIRY_KEY])

    def body(self):
        try:
            with self.opener.open(self.url, timeout=FETCH_SECONDS) as answer:
                return answer.read()
        except urllib.error.HTTPError as error:
            return error.read()  # the samples ignore the status


def run(expires, suffix=""):
    """Uses a token every 100 ms for as long as asked and returns the counts."""
    options = arguments()
    query = f"{options.parameter}={urllib.parse.quote(options.id, safe='')}{suffix}"
    client = SampleClient(f"{options.base.rstrip('/')}/token?{query}", TOKEN_KEY[options.parameter], expires)
    end = time.monotonic() + options.seconds
    uses, tokens, least = 0, set(), float("inf")
    while time.monotonic() < end:
        token = client.current_token()
        least = min(least, fleet_engine(token, options))
        uses += 1
        tokens.add(token)
        time.sleep(USE_EVERY_SECONDS)
    return {"fetches": client.fetches, "uses": uses, "tokens": len(tokens), "least_seconds_left": round(least, 3)}


def fleet_engine(token, options):
    """The token's remaining lifetime in seconds; an expired token, or one for another id, fails."""
    _, claims, _ = token_contract.parts(token)
    left = claims["exp"] - time.time()
    require(left > 0, f"an expired token was used: its exp passed {-left:.3f} s ago")
    claim = "tripid" if options.parameter == "tripID" else "vehicleid"
    require(claims["authorization"] == {claim: options.id}, f"the token is for {claims['authorization']}")
    return left
