"""AWS as the loopback server speaks it: instance metadata (IMDSv2), and signed GetCallerIdentity requests (SigV4)."""
import calendar
import hashlib
import hmac
import json
import secrets
import time
import urllib.parse

from loopback_accounts import AWS_ACCOUNT, AWS_PRINCIPAL, AWS_ROLE, AWS_USER
from loopback_answers import of_json, of_text
from loopback_keys import BadToken

REGION = "us-east-2"
# From an access key to its secret, its session token if it is temporary, and the principal behind it.
ACCESS_KEYS = {
    "AKIALOOPBACKUSER0001": ("user/Secret+Of+The+Environment", None, AWS_USER),
    "ASIALOOPBACKROLE0001": ("role/Secret+Of+The+Instance", "session//Token+Of+The+Instance==", AWS_PRINCIPAL),
}
ROLE_KEY = "ASIALOOPBACKROLE0001"
ROLE_ARN = f"arn:aws:iam::{AWS_ACCOUNT}:role/{AWS_ROLE}"
CONTAINER_TOKENS = ["first/Token+Of+The+Container", "second/Token+Of+The+Container"]
IDENTITY_QUERY = {"Action": ["GetCallerIdentity"], "Version": ["2011-06-15"]}


class BadSignature(Exception):
    """Why a signed request is refused, in a sentence."""


class InstanceMetadata:
    """IMDSv2: every question needs a token that a PUT returned."""

    def __init__(self):
        self.tokens = {}

    def answer(self, request):
        if request.path == "/latest/api/token":
            return self.new_token(request)
        if self.tokens.get(request.header("x-aws-ec2-metadata-token"), 0) <= time.time():
            return of_text("401 - Unauthorized", 401)
        return self.fact(request.path) if request.method == "GET" else of_text("405 - Method Not Allowed", 405)

    def new_token(self, request):
        lifetime = request.header("x-aws-ec2-metadata-token-ttl-seconds") or ""
        if request.method != "PUT":
            return of_text("405 - Method Not Allowed", 405)
        if request.header("x-forwarded-for"):
            return of_text("403 - Forbidden", 403)
        if not (lifetime.isdecimal() and 1 <= int(lifetime) <= 21600):
            return of_text("400 - Bad Request", 400)
        token = secrets.token_urlsafe(32)
        self.tokens[token] = time.time() + int(lifetime)
        return of_text(token, **{"X-aws-ec2-metadata-token-ttl-seconds": lifetime})

    def fact(self, path):
        folder = "/latest/meta-data/iam/security-credentials"
        if path == "/latest/meta-data/placement/availability-zone":
            return of_text(REGION + "b")
        if path.rstrip("/") == folder:
            return of_text(AWS_ROLE)
        if path != f"{folder}/{AWS_ROLE}":
            return of_text("404 - Not Found", 404)
        return of_json({"Code": "Success", "Type": "AWS-HMAC", "LastUpdated": moment(-60)} | role_credentials("Token"))


def role_credentials(token_name):
    secret, token, _ = ACCESS_KEYS[ROLE_KEY]
    return {
        "AccessKeyId": ROLE_KEY, "SecretAccessKey": secret, token_name: token, "Expiration": moment(6 * 3600),
    }


def container(request):
    """The credentials of a container, as ECS and EKS Pod Identity give them."""
    if request.header("authorization") not in CONTAINER_TOKENS:
        return of_json({"code": "InvalidAuthorization", "message": "The token is refused."}, 401)
    return of_json({"RoleArn": ROLE_ARN} | role_credentials("Token"))


def assume_role(request, verified):
    """AWS's own STS: AssumeRoleWithWebIdentity, in JSON for a client that accepts that, as Amazon's does."""
    form, is_json = request.form(), "application/json" in (request.header("accept") or "")
    try:
        if form.get("RoleArn") != ROLE_ARN or not form.get("RoleSessionName"):
            raise ValueError("The role or the session's name is not valid.")
        verified(form.get("WebIdentityToken", ""))
    except (ValueError, BadToken) as error:
        if is_json:
            members = {"Code": "InvalidIdentityToken", "Message": str(error), "Type": "Sender"}
            return of_json({"Error": members, "RequestId": "1"}, 400)
        return of_text(
            f"<ErrorResponse><Error><Code>InvalidIdentityToken</Code><Message>{error}</Message></Error></ErrorResponse>",
            400, "text/xml")
    found = role_credentials("SessionToken")
    if is_json:
        return of_json({"AssumeRoleWithWebIdentityResponse": {"AssumeRoleWithWebIdentityResult": {"Credentials": found}}})
    members = "".join(f"<{name}>{value}</{name}>" for name, value in found.items())
    return of_text(
        "<AssumeRoleWithWebIdentityResponse xmlns='https://sts.amazonaws.com/doc/2011-06-15/'>"
        f"<AssumeRoleWithWebIdentityResult><Credentials>{members}</Credentials></AssumeRoleWithWebIdentityResult>"
        "</AssumeRoleWithWebIdentityResponse>", 200, "text/xml")


def moment(seconds):
    return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(time.time() + seconds))


def subject_of(token, audience):
    """Who made the signed GetCallerIdentity request in a subject token, and the names of the headers that it signed."""
    try:
        request = json.loads(urllib.parse.unquote(token))
        headers = {each["key"].lower(): each["value"] for each in request["headers"]}
        url, method = request["url"], request["method"]
    except (ValueError, KeyError, TypeError) as error:
        raise BadSignature("The subject token is not a serialized request with url, method and headers.") from error
    if len(headers) != len(request["headers"]):
        raise BadSignature("A header of the signed request occurs twice.")
    target = headers.get("x-goog-cloud-target-resource", "")
    if target.removeprefix("https:") != audience:
        raise BadSignature("x-goog-cloud-target-resource is not the audience.")
    return caller(method, url, headers, request.get("data", ""))


def caller(method, url, headers, body):
    """Verifies Signature Version 4; the principal of the access key, and the names of the signed headers."""
    access_key, date, region, signed_names, signature = authorization(headers.get("authorization", ""))
    parts = urllib.parse.urlsplit(url)
    if (parts.scheme, parts.netloc) != ("https", f"sts.{region}.amazonaws.com") or headers.get("host") != parts.netloc:
        raise BadSignature("The request is not for the STS of its region.")
    if method != "POST" or urllib.parse.parse_qs(parts.query) != IDENTITY_QUERY:
        raise BadSignature("The request is not POST GetCallerIdentity.")
    if not {"host", "x-amz-date"} <= set(signed_names) <= set(headers):
        raise BadSignature("host and x-amz-date must be signed, and every signed header be there.")
    check_date(headers["x-amz-date"], date)
    secret, session, principal = ACCESS_KEYS.get(access_key, ("", None, None))
    if principal is None or headers.get("x-amz-security-token") != session:
        raise BadSignature("The access key or its session token is unknown.")
    text = canonical(method, parts, headers, signed_names, body)
    scope = f"{date}/{region}/sts/aws4_request"
    to_sign = "\n".join(["AWS4-HMAC-SHA256", headers["x-amz-date"], scope, hashlib.sha256(text.encode()).hexdigest()])
    key = b"AWS4" + secret.encode()
    for part in [*scope.split("/"), to_sign]:
        key = hmac.digest(key, part.encode(), "sha256")
    if not hmac.compare_digest(key.hex(), signature):
        raise BadSignature("The signature does not match.")
    return principal, signed_names


def authorization(value):
    """The members of the Authorization header of Signature Version 4."""
    algorithm, _, rest = value.partition(" ")
    members = dict(member.strip().partition("=")[::2] for member in rest.split(","))
    scope = members.get("Credential", "").split("/")
    if algorithm != "AWS4-HMAC-SHA256" or len(scope) != 5 or scope[3:] != ["sts", "aws4_request"]:
        raise BadSignature("Authorization is not Signature Version 4 for STS.")
    names = members.get("SignedHeaders", "").split(";")
    if names != sorted(set(names)) or any(name != name.lower() for name in names):
        raise BadSignature("SignedHeaders must be lower case and in order.")
    return scope[0], scope[1], scope[2], names, members.get("Signature", "")


def check_date(text, date):
    try:
        signed_at = calendar.timegm(time.strptime(text, "%Y%m%dT%H%M%SZ"))
    except ValueError as error:
        raise BadSignature("x-amz-date is not a date.") from error
    if not text.startswith(date) or abs(signed_at - time.time()) > 900:
        raise BadSignature("x-amz-date is not within 15 minutes, or not of the day in the scope.")


def canonical(method, parts, headers, signed_names, body):
    """The canonical request of Signature Version 4."""
    pairs = urllib.parse.parse_qsl(parts.query, keep_blank_values=True)
    query = "&".join(sorted(f"{quoted(name)}={quoted(value)}" for name, value in pairs))
    lines = "".join(f"{name}:{' '.join(headers[name].split())}\n" for name in signed_names)
    hashed = hashlib.sha256(body.encode()).hexdigest()
    return "\n".join([method, parts.path or "/", query, lines, ";".join(signed_names), hashed])


def quoted(text):
    return urllib.parse.quote(text, safe="-_.~")


def identity(request):
    """AWS's own STS: GetCallerIdentity of a signed request."""
    headers = dict(request.headers)
    try:
        principal, _ = caller(request.method, f"https://{headers.get('host')}{request.target}", headers, request.text)
    except BadSignature as error:
        members = f"<Code>SignatureDoesNotMatch</Code><Message>{error}</Message>"
        return of_text(f"<ErrorResponse><Error>{members}</Error></ErrorResponse>", 403, "text/xml")
    name = principal.rpartition("/subject/")[2]
    return of_text(
        f"<GetCallerIdentityResponse><GetCallerIdentityResult><Arn>{name}</Arn><Account>{AWS_ACCOUNT}</Account>"
        "</GetCallerIdentityResult></GetCallerIdentityResponse>", 200, "text/xml")
