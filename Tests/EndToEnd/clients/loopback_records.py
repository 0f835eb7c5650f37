"""Brings recorded requests into a form without what differs at each run, and compares the requests of two clients.

python loopback_records.py FIRST.json SECOND.json

Each file is an object from a case to its recorded requests. Requests are equal if method, path with query, HEADERS and
body are. How often and in what order a client asks is not compared: caches differ, and the server demands the order that
matters, because each step needs the token of the previous one.
"""
import base64
import json
import re
import sys
import urllib.parse

sys.dont_write_bytecode = True

from loopback_keys import BadToken, opened  # noqa: E402

# All others (User-Agent, Accept, x-goog-api-client, Host, Content-Length, Connection) may differ.
HEADERS = [
    "authorization", "content-type", "metadata-flavor", "x-aws-ec2-metadata-token",
    "x-aws-ec2-metadata-token-ttl-seconds", "x-goog-user-project", "x-source",
]
# Google's library reads all facts of an account at once; its e-mail address alone says the same.
SAME_PATHS = {
    "/computeMetadata/v1/instance/service-accounts/default/?recursive=true":
        "/computeMetadata/v1/instance/service-accounts/default/email",
}
# Not part of getting an access token and signing with it.
IGNORED_PATHS = re.compile(r"/|/computeMetadata/v1/universe/.*|/service_accounts/.*|.*:signBlob|/v1/providers/.*")
# Moments, and values that a server chose: the rest of the claims must be equal.
VOLATILE_CLAIMS = ("iat", "exp", "nbf", "jti")


def canonical(recorded):
    """The requests that matter, each once, in a fixed order."""
    kept = [request for request in recorded if not IGNORED_PATHS.fullmatch(request["path"])]
    texts = {json.dumps(canonical_request(request), sort_keys=True) for request in kept}
    return [json.loads(text) for text in sorted(texts)]


def canonical_request(request):
    headers = {name.lower(): value for name, value in request["headers"]}
    shown = {name: header(name, headers[name], request["notes"]) for name in HEADERS if name in headers}
    path = SAME_PATHS.get(request["path"], request["path"])
    return {"method": request["method"], "path": path, "headers": shown, "body": body(request["body"], headers)}


def header(name, value, notes):
    if name == "content-type":
        return value.partition(";")[0].strip().lower()
    if name == "x-aws-ec2-metadata-token":
        return "the session token"
    if name != "authorization":
        return value
    scheme, _, rest = value.partition(" ")
    if scheme == "Basic":
        return f"Basic {base64.b64decode(rest).decode()}"
    return f"{scheme} of {notes.get('token_of')}"


def body(text, headers):
    kind = headers.get("content-type", "")
    if "application/x-www-form-urlencoded" in kind:
        form = dict(urllib.parse.parse_qsl(text, keep_blank_values=True))
        return {name: parameter(name, value) for name, value in form.items()}
    if "application/json" not in kind:
        return text
    # Absent, null and empty mean the same to Google's APIs.
    members = {name: value for name, value in json.loads(text).items() if value not in (None, [], "")}
    if "payload" in members:
        members["payload"] = claims(json.loads(members["payload"]))
    return members


def parameter(name, value):
    if name == "scope":
        return sorted(value.split())
    if name == "subject_token" and "GetCallerIdentity" in value:
        return signed_request(json.loads(urllib.parse.unquote(value)))
    if name not in ("assertion", "subject_token"):
        return value
    try:
        head, members, _, _ = opened(value)
    except BadToken:
        return value
    return {"header": head, "claims": claims(members)}


def claims(members):
    """Claims without moments, but with the lifetime."""
    shown = {name: value for name, value in members.items() if name not in VOLATILE_CLAIMS}
    if "iat" in members and "exp" in members:
        shown["lifetime"] = members["exp"] - members["iat"]
    return shown


def signed_request(request):
    """A signed GetCallerIdentity without its date and signature.

    Google's Python library does not sign x-goog-cloud-target-resource, its Go library does, and Google recommends it: so
    the name is left out of the list of signed headers.
    """
    headers = {each["key"].lower(): each["value"] for each in request["headers"]}
    credential = re.search(r"Credential=([^/]+)/\d{8}/([^,]+)", headers["authorization"])
    signed = re.search(r"SignedHeaders=([^,]+)", headers["authorization"])[1].split(";")
    volatile = {"authorization", "x-amz-date"}
    return {
        "url": request["url"], "method": request["method"], "credential": "/".join(credential.groups()),
        "signed_headers": [name for name in signed if name != "x-goog-cloud-target-resource"],
        "headers": {name: value for name, value in headers.items() if name not in volatile},
        "names": sorted(headers),
    }


def compare(recorded_a, recorded_b):
    """The requests that only one of two clients sent."""
    first, second = canonical(recorded_a), canonical(recorded_b)
    return {
        "only_first": [request for request in first if request not in second],
        "only_second": [request for request in second if request not in first],
    }


def main():
    first, second = (json.load(open(path, encoding="utf-8")) for path in sys.argv[1:3])
    cases = sorted(first.keys() | second.keys())
    differences = {case: compare(first.get(case, []), second.get(case, [])) for case in cases}
    differences = {case: found for case, found in differences.items() if any(found.values())}
    print(json.dumps({"cases": len(first), "differences": differences}, indent=2, sort_keys=True))
    sys.exit(1 if differences else 0)


if __name__ == "__main__":
    main()
