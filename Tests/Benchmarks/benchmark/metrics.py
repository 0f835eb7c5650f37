"""The cost of monitoring: cached ids while `/metrics` is scraped, against a daemon without an admin listener.

Counting itself cannot be turned off, so both include it.
"""
from . import polled_admin
from .unmeasured import Unmeasured

# Fifteen times as often as in config/kubernetes.
PAUSE_SECONDS = 1


def measure(bench):
    return polled_admin.measure(
        bench, "scraped each second", lambda: [scrape], PAUSE_SECONDS, 0.97, "one scrape")


def scrape(connection):
    answer = connection.get("/metrics")
    if answer.status != 200 or b"token_provider_mints_total" not in answer.body:
        raise Unmeasured(f"the admin listener answered {answer.status}: {answer.body[:100]!r}")
