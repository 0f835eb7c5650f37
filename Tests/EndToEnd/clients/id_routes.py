"""Every place of a request that can hold an id, in queries and paths, and the claims of a token for it."""
import json
from dataclasses import dataclass
from typing import Callable

import token_contract
from outcome import require


@dataclass
class Family:
    """Requests that ask for the same token: `{}` is the id, and the claims are those of a token for it."""
    claims: Callable
    queries: list
    paths: list
    # The ids before it in a list; None if the id is not in a list.
    before: list | None = None

    @property
    def targets(self):
        return self.queries + self.paths


def query(*spellings, more=""):
    return [f"/token?{spelling}={{}}{more}" for spelling in spellings]


def path(*routes):
    return [f"/token/{route}/{{}}" for route in routes] + [f"/token/{route}/{{}}/" for route in routes]


def spelled(first, *rest):
    """An id's name in its four spellings: tripID, tripId, tripid, trip_id."""
    words = [first, *rest]
    camel = first + "".join(word.capitalize() for word in rest)
    last = {"id": "ID", "ids": "IDs"}[rest[-1]]
    capitals = first + "".join(word.capitalize() for word in rest[:-1]) + last
    return [capitals, camel, "".join(words), "_".join(words)]


VEHICLE, TASK = spelled("delivery", "vehicle", "id"), spelled("task", "id")

FAMILIES = [
    Family(lambda id: {"tripid": id}, query(*spelled("trip", "id")),
           path("consumer", "android/consumer", "sdk/consumer") + ["/token/consumer?tripID={}"]),
    Family(lambda id: {"vehicleid": id}, query(*spelled("vehicle", "id")),
           path("driver", "android/driver", "last_mile/driver") + ["/token/driver?vehicleID={}"]),
    Family(lambda id: {"deliveryvehicleid": id}, query(*VEHICLE), path("delivery_driver", "untrusted_delivery_driver")),
    Family(lambda id: {"deliveryvehicleid": id}, [],
           path("trusted_delivery_driver") + ["/token/trusted_delivery_driver?deliveryVehicleID={}"]),
    Family(lambda id: {"deliveryvehicleid": id, "taskid": "task-1"}, query(*VEHICLE, more="&taskID=task-1"),
           ["/token/trusted_delivery_driver/{}?taskID=task-1"]),
    Family(lambda id: {"deliveryvehicleid": "van-1", "taskid": id},
           [target.replace("?", "?deliveryVehicleID=van-1&") for target in query(*TASK)],
           ["/token/trusted_delivery_driver/van-1?taskID={}", "/token/trusted_delivery_driver/van-1/?taskID={}"]),
    Family(lambda id: {"trackingid": id}, query(*spelled("tracking", "id")),
           path("delivery_consumer", "javascript/delivery_consumer")),
    Family(lambda id: {"taskid": id}, query(*TASK), ["/token/delivery_consumer?taskID={}"]),
    Family(lambda *ids: {"taskids": list(ids)}, query(*spelled("task", "ids")), path("task_batch"), before=[]),
    Family(lambda *ids: {"taskids": list(ids)}, ["/token?taskIDs=first,{}"],
           ["/token/task_batch/first%2C{}", "/token/task_batch/first,{}/"], before=["first"]),
]


def held(answer):
    """The token of an answer of any shape, and its private claims."""
    tokens = {value for value in json.loads(answer.body).values() if type(value) is str}
    require(len(tokens) == 1, f"not one token: {answer.body[:80]!r}")
    token = tokens.pop()
    return token, token_contract.json_object(token.split(".")[1], "claim set")["authorization"]
