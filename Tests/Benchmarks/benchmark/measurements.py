"""The measurements by the name that `--only` takes, in the order in which they run."""
from . import (
    address_memory, audit_trail, cached_ids, cold_callers, consoles, fairness, flood, growth, http2, idle_connections,
    key_timing, known_callers, metrics, new_ids, remote, scaling, start, starvation, tls, verified_batches, visits)

ALL = {
    "start": start.measure,
    "new": new_ids.measure,
    "batched": new_ids.measure_batched,
    "separate": new_ids.measure_separate,
    "verified": verified_batches.measure,
    "visits": visits.measure,
    "scaling": scaling.measure,
    "fairness": fairness.measure,
    "starvation": starvation.measure,
    "cached": cached_ids.measure,
    "logged": cached_ids.measure_logged,
    "http2": http2.measure,
    "http2tls": http2.measure_secure,
    "remote": remote.measure,
    "idle": idle_connections.measure,
    "growth": growth.measure,
    "callers": known_callers.measure,
    "verify": cold_callers.measure,
    "audit": audit_trail.measure,
    "metrics": metrics.measure,
    "consoles": consoles.measure,
    "limits": address_memory.measure,
    "flood": flood.measure,
    "tls": tls.measure,
    "timing": key_timing.measure,
}
