"""Whether the time of an answer reveals how much of an API key is right."""
import random
import string
import time

from . import prober, welch
from .callers import Callers
from .daemon import Daemon
from .figure import Figure, at_most
from .http_connection import HTTPConnection, request_bytes
from .unmeasured import Unmeasured
from .warmed_ids import ONE

FULL_RUNS, QUICK_RUNS = 300_000, 60_000
WARM_UP_RUNS = 2000
LARGEST_T = 4.5
FIRST, LAST, SHORT = "wrong first", "wrong last", "too short"
PREFIX = len("Bearer tpk_")


def measure(bench):
    runs = QUICK_RUNS if bench.quick else FULL_RUNS
    callers = Callers(bench)
    with Daemon(bench, callers.settings()) as daemon, HTTPConnection(daemon.port) as connection:
        times(connection, wrong_keys(callers.api_key), WARM_UP_RUNS)
        found = times(connection, wrong_keys(callers.api_key), runs)
    return [
        Figure("API key, first byte wrong or last: Welch's |t|", "",
               [abs(welch.t(*welch.cropped(found[FIRST], found[LAST])))], at_most(LARGEST_T),
               note=f"{len(found[FIRST]):,} and {len(found[LAST]):,} answers, the slowest quarter left out"),
        Figure("API key, last byte wrong or missing: Welch's |t|", "",
               [abs(welch.t(*welch.cropped(found[SHORT], found[LAST])))], None,
               note="an answer without a digest, to show what this measurement can detect"),
    ]


def wrong_keys(key):
    """The valid key with one character of its random part changed, or one too few."""
    return {
        FIRST: key[:PREFIX] + another(key[PREFIX]) + key[PREFIX + 1:],
        LAST: key[:-1] + another(key[-1]),
        SHORT: key[:-1],
    }


def another(character):
    return random.choice((string.ascii_letters + string.digits).replace(character, ""))


def times(connection, keys, runs):
    """The nanoseconds that each answer took, by the names of the keys, which are used in random order."""
    requests = {name: request_bytes(ONE, key) for name, key in keys.items()}
    names = random.choices(list(keys), k=runs)
    found = {name: [] for name in keys}
    with prober.undisturbed():
        for name in names:
            begun = time.perf_counter_ns()
            answer = connection.exchange(requests[name])
            found[name].append(time.perf_counter_ns() - begun)
            if answer.status != 401:
                raise Unmeasured(f"the server answered {answer.status} to a wrong API key")
    return found
