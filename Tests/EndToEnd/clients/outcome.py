"""How a client reports: one JSON object on standard output; on failure a sentence on standard error and status 1."""
import json
import sys


# Seconds for what must come, on a machine however slow: only what never comes takes so long.
PATIENCE = 600


class Failure(Exception):
    """What was wrong, in a sentence."""


def require(condition, sentence):
    if not condition:
        raise Failure(sentence)


def report(work):
    """Runs `work`, which returns facts to print, if any, and ends the process."""
    try:
        facts = work()
    except Failure as failure:
        print(json.dumps({"failure": str(failure)}))
        sys.exit(str(failure))
    except OSError as error:
        print(json.dumps({"failure": f"connection: {error}"}))
        sys.exit(f"The connection failed: {error}.")
    print(json.dumps(facts or {}))
