"""Gets an access token and a signed token with Google's own library, from the credentials that the environment names.

python google_auth_case.py URL ACCOUNT [--blobs | --own]

URL is that of the loopback server, ACCOUNT the service account to sign as. With --blobs it also signs in the library's
other ways (signBlob, delegates). With --own the source of impersonated credentials signs for their account, as `sign_bytes` does it.
"""
import json
import os
import sys
import time

sys.dont_write_bytecode = True

import google.auth  # noqa: E402
import google.auth.compute_engine  # noqa: E402
import google.auth.credentials  # noqa: E402
import google.auth.iam  # noqa: E402
import google.auth.impersonated_credentials as impersonated  # noqa: E402
import google.auth.transport.requests  # noqa: E402
import google.oauth2.credentials  # noqa: E402
import google.oauth2.id_token  # noqa: E402
import jwt  # noqa: E402

from outcome import report, require  # noqa: E402

SCOPE = "https://www.googleapis.com/auth/cloud-platform"
AUDIENCE = "https://fleetengine.googleapis.com/"


def point_at(url):
    """The library has addresses of Google that no file changes; here they lead to the loopback server."""
    base = f"{url}/v1/projects/-/serviceAccounts/{{}}"
    google.auth.iam._IAM_ENDPOINT = f"{base}:generateAccessToken"
    google.auth.iam._IAM_SIGN_ENDPOINT = f"{base}:signBlob"
    google.auth.iam._IAM_SIGNJWT_ENDPOINT = f"{base}:signJwt"
    google.oauth2.credentials._GOOGLE_OAUTH2_TOKEN_ENDPOINT = f"{url}/token"
    # It asks iamcredentials.googleapis.com in the background where requests may go; nothing may leave this machine.
    boundary = google.auth.credentials.CredentialsWithRegionalAccessBoundary
    boundary._maybe_start_regional_access_boundary_refresh = lambda *_: None


def credentials():
    path = os.environ.get("GOOGLE_APPLICATION_CREDENTIALS")
    if not path:
        return google.auth.compute_engine.Credentials().with_quota_project_from_environment()
    found, _ = google.auth.load_credentials_from_file(path)
    return google.auth.credentials.with_scopes_if_required(found, [SCOPE])


def sign_jwt(request, holder, account, delegates=None):
    now = int(time.time())
    payload = {
        "iss": account, "sub": account, "aud": AUDIENCE, "iat": now - 300, "exp": now + 3300,
        "authorization": {"vehicleid": "vehicle-1"},
    }
    headers = {"Content-Type": "application/json"}
    holder.apply(headers)
    return payload, impersonated._sign_jwt_request(request, account, headers, payload, delegates)


def verified(request, url, account, token):
    keys = f"{url}/service_accounts/v1/jwk/{account}"
    return google.oauth2.id_token.verify_token(token, request, audience=AUDIENCE, certs_url=keys)


def check_blobs(request, url, found, account):
    """Every other way in which the library signs: the server verifies who asks, the library what it gets."""
    ways = ["iam.Signer"]
    message = b"bytes to sign"
    signature = google.auth.iam.Signer(request, found, account).sign(message)
    require(matches(request, url, account, message, signature), "iam.Signer: the signature does not match")
    if isinstance(found, impersonated.Credentials):
        ways += ["impersonated sign_bytes", "signJwt with delegates"]
        own = found.signer_email
        signature = found.sign_bytes(message)
        require(matches(request, url, own, message, signature), "sign_bytes: the signature does not match")
        payload, token = sign_jwt(request, found._source_credentials, own, found._delegates)
        require(verified(request, url, own, token) == payload, "signJwt with delegates changed the claims")
    return ways


def matches(request, url, account, message, signature):
    keys = json.loads(request(url=f"{url}/service_accounts/v1/jwk/{account}", method="GET").data)
    algorithm = jwt.get_algorithm_by_name("RS256")
    return any(algorithm.verify(message, jwt.PyJWK(key).key, signature) for key in keys["keys"])


def main():
    url, account = sys.argv[1:3]
    point_at(url)
    request = google.auth.transport.requests.Request()
    found = credentials()
    holder, delegates = (found._source_credentials, found._delegates) if "--own" in sys.argv else (found, None)
    holder.refresh(request)
    require(holder.valid and holder.token, "google-auth got no valid access token")
    payload, token = sign_jwt(request, holder, account, delegates)
    require(verified(request, url, account, token) == payload, "signJwt changed the claims")
    ways = check_blobs(request, url, found, account) if "--blobs" in sys.argv else []
    return {"credentials": f"{type(found).__module__}.{type(found).__name__}", "ways": ["signJwt"] + ways}


if __name__ == "__main__":
    report(main)
