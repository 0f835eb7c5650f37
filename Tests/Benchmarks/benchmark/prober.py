"""One client that asks, waits for the answer, thinks for a random while, and asks again."""
import contextlib
import gc
import os
import random
import time

from .http_connection import HTTPConnection, request_bytes
from .unmeasured import Unmeasured

LONGEST_THINK = 0.002


def settle(seconds):
    time.sleep(seconds)


def latencies(port, path, seconds):
    """Sorted round-trip times in milliseconds.

    The think time is random; otherwise each request would arrive at the same moment of the server's work.
    """
    think = random.Random(1)
    request = request_bytes(path)
    times = []
    with HTTPConnection(port) as connection, undisturbed():
        deadline = time.perf_counter() + seconds
        while time.perf_counter() < deadline:
            time.sleep(think.uniform(0, LONGEST_THINK))
            begun = time.perf_counter()
            answer = connection.exchange(request)
            times.append((time.perf_counter() - begun) * 1000)
            if answer.status != 200:
                raise Unmeasured(f"the server answered {answer.status} to a cached id")
    return sorted(times)


def percentile(times, percent):
    return times[min(len(times) - 1, len(times) * percent // 100)]


@contextlib.contextmanager
def undisturbed():
    """Runs before the load generator on their common core, if the system allows it, and without garbage collection:
    the measured wait is that of the server."""
    gc.disable()
    try:
        with contextlib.suppress(PermissionError):
            os.sched_setscheduler(0, os.SCHED_FIFO | os.SCHED_RESET_ON_FORK, os.sched_param(1))
        yield
    finally:
        with contextlib.suppress(PermissionError):
            os.sched_setscheduler(0, os.SCHED_OTHER, os.sched_param(0))
        gc.enable()
