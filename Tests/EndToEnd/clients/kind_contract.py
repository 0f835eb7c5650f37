"""Every kind by every form of request: checks the shape of the answer, and each claim of the token against the table of
FleetEngineContract.md, "Kinds of tokens", verified by PyJWT. Wildcard kinds are requested with an API key.

python kind_contract.py BASE_URL KINDS_JSON [API_KEY] (a file: kind -> public_key, account, key_id, audience, …)
"""
import http.client
import json
import sys
import time
import urllib.parse
from pathlib import Path
from types import SimpleNamespace

sys.dont_write_bytecode = True

import answer_checks  # noqa: E402
import answer_shapes  # noqa: E402
import pyjwt_verifier  # noqa: E402
from outcome import PATIENCE, Failure, report, require  # noqa: E402

# Seconds that the whole run may take, since a token may have been signed at its start.
WITHIN = 60

# kind, its private claims, the queries of /token that request it, the paths after /token that do
REQUESTS = [
    ("consumer", {"tripid": "trip-1"}, ["tripID=trip-1"], ["consumer/trip-1", "consumer?tripID=trip-1"]),
    ("driver", {"vehicleid": "car-1"}, ["vehicleID=car-1"], ["driver/car-1", "driver?vehicleID=car-1"]),
    ("untrusted_delivery_driver", {"deliveryvehicleid": "van-1"}, ["deliveryVehicleID=van-1"],
     ["delivery_driver/van-1", "untrusted_delivery_driver/van-1", "delivery_driver?deliveryVehicleID=van-1"]),
    ("trusted_delivery_driver", {"deliveryvehicleid": "van-1"}, [],
     ["trusted_delivery_driver/van-1", "trusted_delivery_driver?deliveryVehicleID=van-1"]),
    ("trusted_delivery_driver", {"deliveryvehicleid": "van-1", "taskid": "task-1"},
     ["deliveryVehicleID=van-1&taskID=task-1", "taskID=task-1&deliveryVehicleID=van-1"],
     ["trusted_delivery_driver/van-1?taskID=task-1", "trusted_delivery_driver?taskID=task-1&deliveryVehicleID=van-1"]),
    ("delivery_consumer", {"trackingid": "parcel-1"}, ["trackingID=parcel-1"],
     ["delivery_consumer/parcel-1", "delivery_consumer?trackingID=parcel-1"]),
    ("delivery_consumer", {"taskid": "task-1"}, ["taskID=task-1"], ["delivery_consumer?taskID=task-1"]),
    ("task_batch", {"taskids": ["task-1", "task-2"]}, ["taskIDs=task-1,task-2", "taskIDs=task-1%2Ctask-2"],
     ["task_batch/task-1,task-2", "task_batch/task-1%2Ctask-2", "task_batch?taskIDs=task-1,task-2"]),
    ("task_batch", {"taskids": ["task-1"]}, ["taskIDs=task-1"], ["task_batch/task-1"]),
]
DELIVERIES = {"taskid": "*", "trackingid": "*", "deliveryvehicleid": "*"}
# The same for wildcard kinds.
WILDCARDS = [
    ("server", {"tripid": "*", "vehicleid": "*"}, [], ["server"]),
    ("delivery_server", DELIVERIES, [], ["delivery_server"]),
    ("delivery_fleet_reader", DELIVERIES, [], ["delivery_fleet_reader"]),
    ("fleet_reader", DELIVERIES | {"tripid": "*", "vehicleid": "*"}, [], ["fleet_reader"]),
]


def main():
    address = urllib.parse.urlsplit(sys.argv[1])
    kinds = json.loads(Path(sys.argv[2]).read_text())
    key = sys.argv[3] if len(sys.argv) > 3 else None
    asker = Asker(http.client.HTTPConnection(address.hostname, address.port, timeout=PATIENCE), kinds, key)
    for kind, authorization, queries, paths in WILDCARDS if key else REQUESTS:
        default = "on_demand" if kind in ("consumer", "driver", "server") else "last_mile"
        for target, shape in targets(queries, paths, default):
            asker.ask(target, kind, authorization, shape)
    return {"answers": asker.answers}


def targets(queries, paths, default):
    """Every request with the shape of its answer: the default one, and each by its name."""
    for query in queries:
        yield f"/token?{query}", "sdk"
    for path in paths:
        route, _, query = path.partition("?")
        yield f"/token/{path}", default
        yield f"/token/{route}/" + (f"?{query}" if query else ""), default
        for name in answer_shapes.SHAPES:
            yield f"/token/{name}/{path}", name
    for name in answer_shapes.SHAPES:
        for target in [f"/token?{query}" for query in queries] + [f"/token/{path}" for path in paths]:
            yield f"{target}{'&' if '?' in target else '?'}format={name}", name


class Asker:
    """Asks for tokens of all kinds and counts the answers of each."""

    def __init__(self, connection, kinds, key):
        self.connection = connection
        self.fields = {"Authorization": f"Bearer {key}"} if key else {}
        self.kinds = kinds
        self.keys = {kind: Path(settings["public_key"]).read_text() for kind, settings in kinds.items()}
        self.now = int(time.time())
        self.answers = {}

    def ask(self, target, kind, authorization, shape):
        self.connection.request("GET", target, headers=self.fields)
        answer = self.connection.getresponse()
        answer.content = answer.read()
        require(answer.status == 200, f"{target}: status {answer.status}: {answer.content[:200]!r}")
        answer_checks.check_fields(target, answer, "application/json")
        settings = self.kinds[kind]
        body = answer_checks.json_object(target, answer)
        token = answer_shapes.check(target, body, shape, kind, settings["client_margin"])
        expected = SimpleNamespace(**settings, authorization=authorization, now=self.now, within=WITHIN)
        try:
            pyjwt_verifier.check(token, self.keys[kind], expected)
        except Failure as failure:
            raise Failure(f"{target}: {failure}") from failure
        self.answers[kind] = self.answers.get(kind, 0) + 1


report(main)
