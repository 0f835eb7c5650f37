"""The Google APIs of the loopback server: IAM Credentials, an account's published keys, and Fleet Engine."""
import base64
import binascii
import json
import re
import time

import loopback_accounts as names
from loopback_answers import of_json, of_text, permission_denied, refuse_api, Refused
from loopback_keys import BadToken, encoded, opened, signed, verified

DELEGATE = re.compile(r"projects/-/serviceAccounts/([^/]+@[^/]+)")
CALL = re.compile(r"/v1/projects/-/serviceAccounts/([^/:]+):(\w+)")
FLEET_ENGINE = re.compile(r"/v1/providers/([^/]+)/(\w+)/([^/]+)")
# Which claims allow which resource: one of them must be the id, "*", or a list with one of the two.
CLAIMS = {
    "trips": ["tripid"], "vehicles": ["vehicleid"], "deliveryVehicles": ["deliveryvehicleid"],
    "tasks": ["taskid", "taskids"], "taskTrackingInfo": ["trackingid"],
}
FLEET_ENGINE_AUDIENCE = "https://fleetengine.googleapis.com/"


def iam_credentials(state, request):
    """iamcredentials.googleapis.com/v1: a method of a service account."""
    caller = authenticated(state, request)
    call = CALL.fullmatch(request.path)
    if not call or call[2] not in METHODS or request.method != "POST":
        refuse_api(404, "Method not found.")
    account, method = call.groups()
    body = request.json()
    delegates = [DELEGATE.fullmatch(str(each)) for each in body.get("delegates") or []]
    if None in delegates:
        refuse_api(400, "Invalid delegate: it must have the form projects/-/serviceAccounts/EMAIL.")
    chain = [each[1] for each in delegates]
    hidden = {"role_removed", "account_missing"} & request.faults.keys()
    if hidden or account not in state.accounts.keys or not state.accounts.may_act(caller, chain, account):
        raise Refused(permission_denied(method, account))
    request.notes["signed_for"] = caller
    return METHODS[method](state, request, account, body)


def authenticated(state, request):
    """The principal of the access token, which must have been issued here and be for IAM."""
    scheme, _, text = (request.header("authorization") or "").partition(" ")
    if "expired_token" in request.faults:
        refuse_api(401, "Request had invalid authentication credentials.", "ACCESS_TOKEN_EXPIRED")
    holder = state.accounts.holder(text) if scheme == "Bearer" else None
    if holder is None:
        expired = state.accounts.principal_of(text)
        reason = "ACCESS_TOKEN_EXPIRED" if expired else "ACCESS_TOKEN_TYPE_UNSUPPORTED" if text else "CREDENTIALS_MISSING"
        refuse_api(401, "Request had invalid authentication credentials.", reason)
    principal, scopes = holder
    if not scopes & {names.IAM, names.CLOUD_PLATFORM}:
        refuse_api(
            403, "Request had insufficient authentication scopes.", "ACCESS_TOKEN_SCOPE_INSUFFICIENT",
            service="iamcredentials.googleapis.com")
    return principal


def sign_jwt(state, request, account, body):
    try:
        claims = json.loads(body["payload"])
        end = claims.get("exp")
    except (KeyError, TypeError, ValueError, AttributeError):
        refuse_api(400, "Invalid payload: it must be a serialized JSON object.")
    if end is not None and (type(end) is not int or not time.time() < end <= time.time() + 12 * 3600):
        refuse_api(400, "Invalid exp: it must be an integer, not in the past and no more than 12 hours ahead.")
    # The members' order is another one than in the request: only their values are promised.
    claims = dict(reversed(claims.items()))
    if fault := request.faults.get("changed_claim"):
        claims[fault.get("claim", "aud")] = fault.get("value", "https://example.com/")
    if "extra_claim" in request.faults:
        claims["added"] = True
    key = state.accounts.keys[account][0]
    changes = {"alg": "RS512"} if "wrong_algorithm" in request.faults else {}
    if "unknown_kid" in request.faults:
        changes["kid"] = "0" * 40
    token = signed(claims, key, **changes)
    if "wrong_signature" in request.faults:
        message, _, _ = token.rpartition(".")
        token = f"{message}.{encoded(broken(key.sign(message.encode())))}"
    return of_json({"keyId": changes.get("kid", key.id), "signedJwt": token})


def sign_blob(state, request, account, body):
    try:
        message = base64.b64decode(body["payload"], validate=True)
    except (KeyError, TypeError, ValueError, binascii.Error):
        refuse_api(400, "Invalid payload: it must be base64.")
    key = state.accounts.keys[account][0]
    signature = key.sign(message)
    if "wrong_signature" in request.faults:
        signature = broken(signature)
    return of_json({"keyId": key.id, "signedBlob": base64.b64encode(signature).decode()})


def broken(signature):
    return signature[:-1] + bytes([signature[-1] ^ 1])


def generate_access_token(state, request, account, body):
    scopes, lifetime = body.get("scope"), body.get("lifetime", "3600s")
    if not (isinstance(scopes, list) and scopes and all(isinstance(each, str) for each in scopes)):
        refuse_api(400, "Invalid scope: it must be a list of texts.")
    seconds = re.fullmatch(r"(\d+)s", str(lifetime))
    if not seconds or not 0 < int(seconds[1]) <= 3600:
        refuse_api(400, "Invalid lifetime: it must be at most 3600s.")
    length = int(seconds[1])
    if fault := request.faults.get("short_lived"):
        length = fault.get("seconds", 2)
    token = state.accounts.issue(account, scopes, length)
    end = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(time.time() + length))
    return of_json({"accessToken": token, "expireTime": end})


METHODS = {"signJwt": sign_jwt, "signBlob": sign_blob, "generateAccessToken": generate_access_token}


def published_keys(state, request):
    """www.googleapis.com/service_accounts/v1/jwk/EMAIL."""
    account = request.path.rpartition("/")[2]
    if account not in state.accounts.keys or "account_missing" in request.faults:
        return of_text("Not Found", 404)
    published = [key.jwk() for key in state.accounts.keys[account]]
    if "wrong_key" in request.faults:
        other = state.accounts.keys[names.OUTSIDER][0].jwk()
        published = [other | {"kid": key["kid"]} for key in published]
    return of_json(
        {"keys": published},
        **{"Cache-Control": f"public, max-age={state.key_lifetime}, must-revalidate, no-transform"})


def fleet_engine(state, request):
    """fleetengine.googleapis.com/v1: nothing exists, so a good token gets 404."""
    call = FLEET_ENGINE.fullmatch(request.path)
    if not call or call[2] not in CLAIMS or request.method != "GET":
        refuse_api(404, "Method not found.")
    provider, kind, identifier = call.groups()
    claims = fleet_engine_claims(state, request)
    if provider != names.PROJECT or claims["iss"] not in names.FLEET_ENGINE_ACCOUNTS:
        refuse_api(403, "Permission denied on the provider or its service account.", "IAM_PERMISSION_DENIED")
    scopes = claims.get("authorization")
    if not isinstance(scopes, dict) or not scopes:
        refuse_api(403, "JWT does not contain any scopes.")
    values = [scopes.get(name) for name in CLAIMS[kind]]
    allowed = [each for value in values for each in (value if isinstance(value, list) else [value])]
    if identifier not in allowed and "*" not in allowed:
        refuse_api(403, f"The token's claims do not allow {kind}/{identifier}.")
    refuse_api(404, f"{kind}/{identifier} does not exist.")


def fleet_engine_claims(state, request):
    scheme, _, text = (request.header("authorization") or "").partition(" ")
    if scheme != "Bearer":
        refuse_api(401, "Request is missing required authentication credential.", "CREDENTIALS_MISSING")
    try:
        account = opened(text)[1].get("iss")
        # Fleet Engine tolerates about ten minutes of skew.
        claims = verified(text, state.accounts.keys.get(account, []), time.time(), leeway=600)
        if claims.get("aud") != FLEET_ENGINE_AUDIENCE or claims.get("sub") != account:
            raise BadToken("aud or sub is wrong")
        if claims["exp"] > time.time() + 3600:
            raise BadToken("exp is more than an hour ahead")
    except BadToken as error:
        refuse_api(401, f"Request had invalid authentication credentials: {error}.", "ACCESS_TOKEN_TYPE_UNSUPPORTED")
    return claims
