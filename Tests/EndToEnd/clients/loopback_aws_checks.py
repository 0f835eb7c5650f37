"""What the loopback server refuses as AWS does: instance metadata without a session, and wrongly signed requests."""
import hashlib
import hmac
import json
import time
import urllib.parse

import loopback_accounts as names
import loopback_aws
import loopback_grants as grants
from loopback_client import expect


def instance_refusals(client):
    folder, path = "/latest/meta-data/iam/security-credentials", "/latest/api/token"
    expect(client.ask("GET", folder), 401)
    expect(client.ask("PUT", path), 400)
    expect(client.ask("GET", path), 405)
    lifetime = {"X-aws-ec2-metadata-token-ttl-seconds": "1"}
    session = {"X-aws-ec2-metadata-token": client.ask("PUT", path, headers=lifetime)[2].decode()}
    expect(client.ask("GET", folder, headers=session), 200, names.AWS_ROLE)
    expect(client.ask("GET", f"{folder}/{names.AWS_ROLE}", headers=session), 200, "SecretAccessKey")
    expect(client.ask("GET", f"{folder}/other", headers=session), 404)
    time.sleep(1.1)
    expect(client.ask("GET", folder, headers=session), 401)


def aws_refusals(client):
    changes = [
        ({}, 200, "access_token"), ({"secret": "wrong"}, 400, "does not match"), ({"region": "eu-west-1"}, 400, "region"),
        ({"moment": time.time() - 1000}, 400, "15 minutes"), ({"method": "GET"}, 400, "GetCallerIdentity"),
        ({"target": "//other"}, 400, "audience"), ({"target": "https:" + names.AWS_AUDIENCE}, 200, "access_token"),
        ({"access_key": "AKIAUNKNOWN"}, 400, "unknown"), ({"session": "stolen"}, 400, "session token"),
    ]
    form = {
        "grant_type": grants.EXCHANGE, "requested_token_type": grants.ACCESS_TOKEN, "audience": names.AWS_AUDIENCE,
        "subject_token_type": grants.AWS_TYPE, "scope": names.IAM,
    }
    for change, status, text in changes:
        expect(client.grant("/v1/token", **form, subject_token=signed_request(**change)), status, text)
    request = json.loads(urllib.parse.unquote(signed_request()))
    headers = {each["key"]: each["value"] for each in request["headers"]}
    query = urllib.parse.urlsplit(request["url"]).query
    expect(client.ask("POST", f"/?{query}", headers=headers), 200, "user/fleet")
    changed = headers | {"x-goog-cloud-target-resource": "x"}
    expect(client.ask("POST", f"/?{query}", headers=changed), 403, "SignatureDoesNotMatch")


def signed_request(
        access_key="AKIALOOPBACKUSER0001", secret=loopback_aws.ACCESS_KEYS["AKIALOOPBACKUSER0001"][0], region="us-east-2",
        moment=None, method="POST", target=names.AWS_AUDIENCE, session=None):
    """A subject token with SigV4, written out for the one request with code of its own."""
    host, date = "sts.us-east-2.amazonaws.com", time.strftime("%Y%m%dT%H%M%SZ", time.gmtime(moment or time.time()))
    headers = {"host": host, "x-amz-date": date, "x-goog-cloud-target-resource": target}
    if session:
        headers["x-amz-security-token"] = session
    lines = "".join(f"{name}:{headers[name]}\n" for name in sorted(headers))
    query, names_signed = "Action=GetCallerIdentity&Version=2011-06-15", ";".join(sorted(headers))
    text = f"{method}\n/\n{query}\n{lines}\n{names_signed}\n{hashlib.sha256().hexdigest()}"
    scope = f"{date[:8]}/{region}/sts/aws4_request"
    to_sign = f"AWS4-HMAC-SHA256\n{date}\n{scope}\n{hashlib.sha256(text.encode()).hexdigest()}"
    key = ("AWS4" + secret).encode()
    for part in [date[:8], region, "sts", "aws4_request", to_sign]:
        key = hmac.digest(key, part.encode(), "sha256")
    headers["Authorization"] = (
        f"AWS4-HMAC-SHA256 Credential={access_key}/{scope}, SignedHeaders={names_signed}, Signature={key.hex()}")
    listed = [{"key": name, "value": value} for name, value in headers.items()]
    return urllib.parse.quote(json.dumps({"url": f"https://{host}?{query}", "method": method, "headers": listed}))


REFUSALS = [instance_refusals, aws_refusals]
