"""From a request to an answer of the loopback server: which service it is for, and which faults change the answer."""
import collections
import email.utils
import json
import threading
import time
import urllib.parse

import loopback_accounts
import loopback_apis as apis
import loopback_aws
import loopback_grants as grants
from loopback_answers import api_error, of_json, of_text, permission_denied, refuse_api, Refused, service_disabled
from loopback_faults import Faults

KEPT_REQUESTS = 20_000


class Request:
    """A request as it arrived, with the faults that change its answer."""

    def __init__(self, handler):
        self.method, self.target, self.version = handler.command, handler.path, handler.request_version
        self.path, _, self.query = handler.path.partition("?")
        self.headers = [(name.lower(), value) for name, value in handler.headers.items()]
        self.text = handler.rfile.read(int(handler.headers.get("Content-Length", 0))).decode("utf-8", "replace")
        self.faults, self.notes = {}, {}

    def header(self, name):
        """The value of a header that occurs once; None otherwise."""
        values = [value for each, value in self.headers if each == name]
        return values[0] if len(values) == 1 else None

    def form(self):
        if self.method != "POST" or "application/x-www-form-urlencoded" not in (self.header("content-type") or ""):
            grants.refuse_grant("invalid_request", "A POST of application/x-www-form-urlencoded is expected.")
        pairs = urllib.parse.parse_qsl(self.text, keep_blank_values=True)
        if len(dict(pairs)) != len(pairs):
            grants.refuse_grant("invalid_request", "A parameter occurs twice.")
        return dict(pairs)

    def json(self):
        try:
            value = json.loads(self.text)
        except ValueError:
            value = None
        if not isinstance(value, dict) or "application/json" not in (self.header("content-type") or ""):
            refuse_api(400, "Invalid JSON payload received: a JSON object in application/json is expected.")
        return value

    def record(self, peer, accounts):
        scheme, _, token = (self.header("authorization") or "").partition(" ")
        if scheme == "Bearer":
            self.notes["token_of"] = accounts.principal_of(token)
        return {
            "at": time.time(), "version": self.version, "connection": peer[1], "method": self.method,
            "path": self.target, "headers": [list(pair) for pair in self.headers], "body": self.text,
            "faults": sorted(self.faults), "notes": self.notes, "status": None,
        }


class State:
    """What the server knows, beyond a connection."""

    def __init__(self, base, stored, key_lifetime):
        self.base, self.key_lifetime = base, key_lifetime
        self.accounts = loopback_accounts.Accounts(stored)
        self.instance = loopback_aws.InstanceMetadata()
        self.faults = Faults()
        self.requests = collections.deque(maxlen=KEPT_REQUESTS)
        self.lock = threading.Lock()

    def answer(self, request):
        """The answer with the faults that replace or change it."""
        try:
            answer = replaced(request) or route(self, request)
        except Refused as refusal:
            answer = refusal.answer
        faults = request.faults
        if request.path.startswith("/computeMetadata/"):
            # A metadata server says so with errors too.
            answer.headers.setdefault("Metadata-Flavor", "Google")
        if "garbage" in faults:
            answer.body = b"\x00\xff\x16\x03 this is not JSON {"
        if fault := faults.get("wrong_content_type"):
            answer.headers["Content-Type"] = fault.get("type", "text/html; charset=UTF-8")
        if fault := faults.get("wrong_flavor"):
            answer.headers["Metadata-Flavor"] = fault.get("flavor", "Other")
            if not answer.headers["Metadata-Flavor"]:
                del answer.headers["Metadata-Flavor"]
        shift = faults["clock_off"].get("seconds", 3600) if "clock_off" in faults else 0
        answer.headers["Date"] = email.utils.formatdate(time.time() + shift, usegmt=True)
        return answer


def replaced(request):
    """The error that a fault puts in place of the answer; None without such a fault."""
    faults = request.faults
    if fault := faults.get("too_many_requests"):
        return api_error(
            429, "Quota exceeded for quota metric 'Sign requests' and limit 'Sign requests per minute'.",
            "RATE_LIMIT_EXCEEDED", retry_after=fault.get("seconds"), service="iamcredentials.googleapis.com",
            quota_limit="SignRequestsPerMinutePerProject", consumer=f"projects/{loopback_accounts.NUMBER}")
    if "permission_denied" in faults:
        account, _, method = request.path.rpartition("/")[2].partition(":")
        return permission_denied(method, account)
    if "service_disabled" in faults:
        service = "fleetengine" if request.path.startswith("/v1/providers/") else "iamcredentials"
        return service_disabled(f"{service}.googleapis.com", loopback_accounts.NUMBER)
    if fault := faults.get("echoed"):
        return echoed(request, fault.get("part", "authorization"))
    if fault := faults.get("server_error"):
        return api_error(fault.get("status", 500), "Internal error encountered.")
    if fault := faults.get("unavailable"):
        return api_error(503, "The service is currently unavailable.", retry_after=fault.get("seconds"))
    return None


def echoed(request, part):
    """An error of a service that quotes what it was sent, as none should."""
    is_form = "application/x-www-form-urlencoded" in (request.header("content-type") or "")
    quoted = request.header(part) or (request.form().get(part) if is_form else None) or request.text
    if is_form:
        return of_json({"error": "invalid_request", "error_description": f"Bad value: {quoted}"}, 400)
    return api_error(400, f"Bad value: {quoted}")


def route(state, request):
    path = request.path
    if path == "/" and request.method == "POST":
        if not request.query:
            return loopback_aws.assume_role(request, lambda token: grants.verified_subject(state, token))
        return loopback_aws.identity(request)
    if path == "/container":
        return loopback_aws.container(request)
    if path == "/" or path.startswith("/computeMetadata/"):
        return grants.metadata(state, request) if request.method == "GET" else of_text("Method Not Allowed", 405)
    if path.startswith("/latest/"):
        return state.instance.answer(request)
    if path in ("/token", "/v1/token"):
        return grants.token(state, request) if path == "/token" else grants.exchange(state, request)
    if path.startswith("/subject_token/"):
        return grants.subject_source(state, request)
    if path.startswith("/v1/projects/"):
        return apis.iam_credentials(state, request)
    if path.startswith("/v1/providers/"):
        return apis.fleet_engine(state, request)
    if path.startswith("/service_accounts/v1/jwk/"):
        return apis.published_keys(state, request)
    return of_text("Not Found", 404)


def control(state, request):
    """The requests of a test, which are not recorded."""
    query = dict(urllib.parse.parse_qsl(request.query))
    try:
        if (request.method, request.path) == ("GET", "/_requests"):
            with state.lock:
                return of_json({"requests": [each for each in state.requests if query.get("path", "") in each["path"]]})
        if (request.method, request.path) == ("GET", "/_subject_token"):
            return of_text(grants.subject_token(state, int(query.get("lifetime", 3600))))
        if (request.method, request.path) == ("DELETE", "/_requests"):
            with state.lock:
                state.requests.clear()
        elif (request.method, request.path) == ("POST", "/_faults"):
            state.faults.set(request.text)
        elif (request.method, request.path) == ("POST", "/_expire"):
            state.accounts.expire_all()
        elif (request.method, request.path) == ("POST", "/_rotate"):
            wanted = json.loads(request.text)
            state.accounts.rotate(wanted["account"], wanted.get("keep", False))
        elif (request.method, request.path) != ("GET", "/_faults"):
            return of_text("Not Found", 404)
    except (ValueError, KeyError, TypeError) as error:
        return of_json({"error": str(error)}, 400)
    return of_json({"faults": state.faults.facts()})
