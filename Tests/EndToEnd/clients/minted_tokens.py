"""Tokens from the command line: each verified by PyJWT with the key of the JWK set that its `kid` names, and compared
field by field with its row of the table in FleetEngineContract.md, "Kinds of tokens".

python minted_tokens.py JWK_SET TOKENS_JSON          (files; the latter a list of token, row, ids, account, key_id, …)
"""
import json
import sys
from pathlib import Path
from types import SimpleNamespace

sys.dont_write_bytecode = True

import jwt  # noqa: E402

import pyjwt_verifier  # noqa: E402
from outcome import Failure, report, require  # noqa: E402

ONE, SOME = "one id", "a list of ids"
DELIVERIES = {"taskid": "*", "trackingid": "*", "deliveryvehicleid": "*"}

# If a kind has several forms, the plus sign separates the kind from the form.
ROWS = {
    "consumer": {"tripid": ONE},
    "driver": {"vehicleid": ONE},
    "server": {"tripid": "*", "vehicleid": "*"},
    "untrusted_delivery_driver": {"deliveryvehicleid": ONE},
    "trusted_delivery_driver": {"deliveryvehicleid": ONE},
    "trusted_delivery_driver+task": {"deliveryvehicleid": ONE, "taskid": ONE},
    "delivery_consumer": {"trackingid": ONE},
    "delivery_consumer+task": {"taskid": ONE},
    "task_batch": {"taskids": SOME},
    "task_batch+all": {"taskids": ["*"]},
    "delivery_server": DELIVERIES,
    "delivery_fleet_reader": DELIVERIES,
    "fleet_reader": {"tripid": "*", "vehicleid": "*", **DELIVERIES},
}


def main():
    keys = jwt.PyJWKSet.from_json(Path(sys.argv[1]).read_text()).keys
    tokens = json.loads(Path(sys.argv[2]).read_text())
    for settings in tokens:
        try:
            check(SimpleNamespace(**settings), keys)
        except Failure as failure:
            raise Failure(f"{settings['row']} {settings['ids']}: {failure}") from failure
    return {"rows": sorted({settings["row"] for settings in tokens}), "all": sorted(ROWS)}


def check(expected, keys):
    key_id = jwt.get_unverified_header(expected.token)["kid"]
    named = [key for key in keys if key.key_id == key_id]
    require(len(named) == 1, f"{len(named)} keys of the set have the kid {key_id!r}, expected one")
    require(named[0].algorithm_name == "RS256", f"the key is for {named[0].algorithm_name!r}, expected RS256")
    expected.authorization = authorization(expected.row, list(expected.ids))
    pyjwt_verifier.check(expected.token, named[0], expected)


def authorization(row, ids):
    claims = {name: (ids.pop(0) if value == ONE else value) for name, value in ROWS[row].items()}
    claims = {name: (list(ids) if value == SOME else value) for name, value in claims.items()}
    require(SOME in ROWS[row].values() or not ids, f"more ids were given than the row holds: {ids}")
    return claims


report(main)
