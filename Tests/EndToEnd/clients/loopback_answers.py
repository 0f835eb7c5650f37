"""Answers of the loopback server, and the error objects of Google's APIs and of OAuth 2.0."""
import dataclasses
import json


@dataclasses.dataclass
class Answer:
    status: int
    body: bytes
    headers: dict


class Refused(Exception):
    """A request that is answered with an error."""

    def __init__(self, answer):
        super().__init__(answer.status)
        self.answer = answer


def of_json(value, status=200, **headers):
    body = json.dumps(value, indent=2).encode() + b"\n"
    return Answer(status, body, {"Content-Type": "application/json; charset=UTF-8"} | headers)


def of_text(text, status=200, kind="text/plain", **headers):
    return Answer(status, text.encode(), {"Content-Type": kind} | headers)


STATUSES = {
    400: "INVALID_ARGUMENT", 401: "UNAUTHENTICATED", 403: "PERMISSION_DENIED", 404: "NOT_FOUND",
    429: "RESOURCE_EXHAUSTED", 500: "INTERNAL", 502: "UNAVAILABLE", 503: "UNAVAILABLE", 504: "DEADLINE_EXCEEDED",
}


def api_error(status, message, reason=None, domain="googleapis.com", retry_after=None, **metadata):
    """The error object of a Google API (AIP-193)."""
    error = {"code": status, "message": message, "status": STATUSES[status]}
    if reason:
        kind = "type.googleapis.com/google.rpc.ErrorInfo"
        error["details"] = [{"@type": kind, "reason": reason, "domain": domain, "metadata": metadata}]
    answer = of_json({"error": error}, status)
    if status == 401:
        answer.headers["WWW-Authenticate"] = 'Bearer realm="https://accounts.google.com/", error="invalid_token"'
    if retry_after is not None:
        answer.headers["Retry-After"] = str(retry_after)
    return answer


def refuse_api(*arguments, **metadata):
    raise Refused(api_error(*arguments, **metadata))


def refuse_grant(error, description, status=400):
    """The error of a token endpoint (RFC 6749 section 5.2)."""
    raise Refused(of_json({"error": error, "error_description": description}, status))


def permission_denied(method, account):
    permission = {
        "signJwt": "signJwt", "signBlob": "signBlob", "generateAccessToken": "getAccessToken",
    }.get(method, method)
    permission = f"iam.serviceAccounts.{permission}"
    message = f"Permission '{permission}' denied on resource (or it may not exist)."
    return api_error(
        403, message, "IAM_PERMISSION_DENIED", "iam.googleapis.com",
        permission=permission, resource=f"projects/-/serviceAccounts/{account}")


def service_disabled(service, number):
    message = (
        f"{service} has not been used in project {number} before or it is disabled. Enable it by visiting "
        f"https://console.developers.google.com/apis/api/{service}/overview?project={number} then retry.")
    return api_error(
        403, message, "SERVICE_DISABLED", "googleapis.com", service=service, consumer=f"projects/{number}")
