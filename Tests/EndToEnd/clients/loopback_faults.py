"""The faults of the loopback server: which requests they change, and how.

A fault is an object with `fault`, one of FAULTS, and optionally
  path      a text that the request's path must contain (any path),
  requests  how many requests it changes before it ends (until cleared),
  percent   the share of the matching requests, at even distances (100): 1 is every hundredth, 0.1 every thousandth,
and what the fault itself needs, with its default in parentheses:
  milliseconds   of slow (1000),
  status         of server_error (500),
  seconds        of clock_off (3600), short_lived (2), and Retry-After of too_many_requests and unavailable (none),
  flavor         of wrong_flavor (Other); empty for no header,
  type           of wrong_content_type (text/html),
  part           of echoed (Authorization),
  claim, value   of changed_claim (aud, https://example.com/).

Of several faults of one name that apply to a request, the last one counts: slow by 50 ms, then by 500 ms for 1 percent.
"""
import json
import threading

FAULTS = {
    "slow": "waits before the answer",
    "never": "keeps the connection open and never answers",
    "dropped": "closes the connection without an answer",
    "cut_off": "closes the connection in the middle of the body",
    "garbage": "answers with bytes that are not JSON",
    "wrong_flavor": "answers with another Metadata-Flavor, or none",
    "wrong_content_type": "answers with another Content-Type",
    "clock_off": "shifts Date",
    "too_many_requests": "429 RESOURCE_EXHAUSTED, with Retry-After if it has seconds",
    "permission_denied": "403 IAM_PERMISSION_DENIED",
    "service_disabled": "403 SERVICE_DISABLED",
    "server_error": "an error of the server",
    "unavailable": "503 UNAVAILABLE, with Retry-After if it has seconds",
    "echoed": "400, with a part of the request in the message: a header, or a member of the form or the JSON object",
    "expired_token": "401 ACCESS_TOKEN_EXPIRED for every access token",
    "short_lived": "issues access tokens that live for a few seconds",
    "text_lifetime": "writes expires_in as a string",
    "changed_claim": "changes a claim of what signJwt signs",
    "extra_claim": "adds a claim to what signJwt signs",
    "wrong_signature": "flips a bit of the signature",
    "wrong_key": "publishes another account's keys under the ids of the right ones",
    "unknown_kid": "names a key that is not published",
    "wrong_algorithm": "names RS512 in the header of what signJwt signs",
    "role_removed": "treats every caller as without roles/iam.serviceAccountTokenCreator",
    "account_missing": "treats every service account as missing: 403 from IAM, 404 for its keys",
}


class Fault:
    def __init__(self, description):
        if not isinstance(description, dict) or description.get("fault") not in FAULTS:
            raise ValueError(f"A fault is an object whose fault is one of {', '.join(FAULTS)}.")
        self.description = description
        self.name = description["fault"]
        self.path = description.get("path", "")
        self.left = description.get("requests")
        self.distance = max(1, round(100 / description.get("percent", 100)))
        self.matched = 0
        self.applied = 0

    def applies(self, path):
        """Counts a request, and decides whether the fault changes it."""
        if self.path not in path or self.left == 0:
            return False
        self.matched += 1
        if self.matched % self.distance:
            return False
        self.applied += 1
        if self.left is not None:
            self.left -= 1
        return True


class Faults:
    """The faults in force; setting them replaces all earlier ones."""

    def __init__(self):
        self.lock = threading.Lock()
        self.active = []
        self.cleared = threading.Event()

    def set(self, body):
        value = json.loads(body or b"[]")
        made = [Fault(each) for each in (value if isinstance(value, list) else [value])]
        with self.lock:
            # Requests that are never answered end with the faults that held them.
            self.cleared.set()
            self.cleared = threading.Event()
            self.active = made

    def of(self, path):
        """What changes this request: from the fault's name to its description, and what ends its waiting."""
        with self.lock:
            found = {fault.name: fault.description for fault in self.active if fault.applies(path)}
            return found, self.cleared

    def facts(self):
        with self.lock:
            return [fault.description | {"applied": fault.applied} for fault in self.active]
