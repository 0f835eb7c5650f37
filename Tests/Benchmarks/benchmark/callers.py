"""Authenticated callers: by tokens of an issuer, or by the API key of a server."""
import json

from . import issuer
from .command import output
from .issuer import Issuer

DISPATCH = {"groups": ["dispatch"]}
# The limiter works, but no load from few principals ever reaches its limit.
NO_LIMIT = {"principal_rate": 1_000_000, "principal_burst": 1_000_000}


class Callers:
    """The part of a daemon's configuration that authenticates callers, and their credentials."""

    def __init__(self, bench):
        self.bench = bench
        self.issuer = Issuer(bench)
        made = json.loads(output([bench.binary, "api-key", "new", "back-end", "--json"]))
        self.api_key = f"Bearer {made['key']}"
        self.key_file = bench.directory / "api-keys"
        self.key_file.write_text(made["line"] + "\n")
        self.key_file.chmod(0o600)

    def settings(self, **limits):
        return {
            "callers": None,
            "issuers": [{
                "issuer": issuer.NAME, "audiences": [issuer.AUDIENCE], "algorithms": ["RS256"],
                "keys": str(self.issuer.key_set)}],
            "api_keys": {"file": str(self.key_file)},
            "rules": [
                {"name": "riders", "kinds": ["consumer"], "issuers": [issuer.NAME],
                 "ids": {"tripID": {"claim": "trips"}}},
                {"name": "dispatch", "kinds": ["consumer"], "issuers": [issuer.NAME],
                 "claims": [{"claim": "groups", "contains": "dispatch"}], "ids": {"tripID": "any"}},
                {"name": "back-end", "kinds": ["consumer"], "api_keys": ["back-end"], "ids": {"tripID": "any"}},
            ],
            "limits": NO_LIMIT | limits,
        }

    def dispatchers(self, count):
        """Tokens for every trip, each of a different caller."""
        return self.issuer.bearers(count, lambda _: DISPATCH)

    def riders(self, count):
        """Tokens that each allow only the warmed trip of their number."""
        return self.issuer.bearers(count, lambda number: {"trips": [f"cached-{number:04}"]})


def lines(bench, name, values):
    """A file for the load generator, a value of Authorization on each line."""
    file = bench.directory / name
    file.write_text("\n".join(values) + "\n")
    return file
