"""What the loopback server refuses, as Google does: grants, exchanges, signatures, keys and Fleet Engine's requests."""
import base64
import json
import time
import urllib.parse
from pathlib import Path

import loopback_accounts as names
import loopback_grants as grants
from loopback_client import expect, expect_error, FLAVOR, FORM, JSON, KEYS, METADATA, TRIP
from loopback_keys import Key, signed
from outcome import require


def metadata_refusals(client):
    expect(client.metadata(headers={}), 403, "Metadata-Flavor")
    expect(client.metadata("id"), 404)
    expect(client.metadata("email"), 200, names.WORKLOAD)
    require(client.metadata()[1]["Metadata-Flavor"] == "Google", "the metadata server does not say its flavor")


def grant_refusals(client):
    good = {
        "grant_type": "refresh_token", "client_id": grants.CLIENT_ID, "client_secret": grants.CLIENT_SECRET,
        "refresh_token": grants.REFRESH_TOKEN,
    }
    expect(client.grant("/token", **good), 200, "access_token")
    expect(client.grant("/token", **good | {"refresh_token": "other"}), 400, "invalid_grant")
    expect(client.grant("/token", **good | {"client_secret": "other"}), 401, "invalid_client")
    expect(client.grant("/token", grant_type="password"), 400, "unsupported_grant_type")
    expect(client.ask("POST", "/token", "{}", JSON), 400, "invalid_request")


def assertion_refusals(client):
    file = json.loads(Path(client.loopback.files["service_account"]).read_text())
    key, now = Key(file["private_key"]), int(time.time())
    good = {
        "iss": names.KEY_HOLDER, "scope": names.IAM, "aud": grants.OAUTH_AUDIENCE, "iat": now, "exp": now + 3600,
    }
    changes = [
        ({}, key, 200, "access_token"), ({}, Key(), 400, "signature"), ({"aud": "x"}, key, 400, "aud"),
        ({"exp": now + 3601}, key, 400, "short-lived"), ({"iat": now - 7200, "exp": now - 3600}, key, 400, "expired"),
        ({"iat": now + 600}, key, 400, "future"), ({"scope": ""}, key, 400, "invalid_scope"),
        ({"sub": "person@example.com"}, key, 401, "unauthorized_client"), ({"iss": names.DRIVER}, key, 400, "signature"),
    ]
    for change, signer, status, text in changes:
        answer = client.grant("/token", grant_type=grants.JWT_BEARER, assertion=signed(good | change, signer))
        expect(answer, status, text)


def exchange_refusals(client):
    subject = client.ask("GET", "/_subject_token")[2].decode()
    good = {
        "grant_type": grants.EXCHANGE, "requested_token_type": grants.ACCESS_TOKEN, "audience": names.OIDC_AUDIENCE,
        "subject_token_type": "urn:ietf:params:oauth:token-type:jwt", "subject_token": subject, "scope": names.IAM,
    }
    old = client.ask("GET", "/_subject_token?lifetime=-5")[2].decode()
    changes = [
        ({}, 200, "issued_token_type"), ({"scope": ""}, 400, "invalid_scope"), ({"audience": "x"}, 400, "invalid_target"),
        ({"subject_token": subject[:-8] + "AAAAAAAA"}, 400, "invalid_grant"), ({"subject_token": old}, 400, "expired"),
        ({"requested_token_type": "x"}, 400, "invalid_request"), ({"subject_token_type": "x"}, 400, "invalid_target"),
    ]
    for change, status, text in changes:
        expect(client.grant("/v1/token", **good | change), status, text)
    form = urllib.parse.urlencode(good)
    wrong = {"Authorization": "Basic " + base64.b64encode(b"a:b").decode()}
    expect(client.ask("POST", "/v1/token", form, FORM | wrong), 401, "invalid_client")
    expect(client.ask("GET", "/subject_token/text"), 403)


def signing_refusals(client):
    token = client.access_token()
    expect_error(client.sign(token="unheard"), 401, "UNAUTHENTICATED", "ACCESS_TOKEN_TYPE_UNSUPPORTED")
    expect_error(client.sign(names.OUTSIDER, token), 403, "PERMISSION_DENIED", "IAM_PERMISSION_DENIED")
    expect_error(client.sign(names.email("missing"), token), 403, "PERMISSION_DENIED", "IAM_PERMISSION_DENIED")
    expect_error(client.sign(token=token, exp=int(time.time()) + 12 * 3600 + 60), 400, "INVALID_ARGUMENT", None)
    expect_error(client.sign(token=token, exp=int(time.time()) - 60), 400, "INVALID_ARGUMENT", None)
    expect_error(client.call("signJwt", {"payload": {}}, token=token), 400, "INVALID_ARGUMENT", None)
    narrow = json.loads(client.ask("GET", f"{METADATA}/token?scopes=openid", headers=FLAVOR)[2])["access_token"]
    expect_error(client.sign(token=narrow), 403, "PERMISSION_DENIED", "ACCESS_TOKEN_SCOPE_INSUFFICIENT")
    answer = json.loads(client.sign(token=token)[2])
    require(answer["keyId"] in client.keys(), "signJwt signed with a key that is not published")


def delegate_refusals(client):
    token = client.access_token()
    chain = [f"projects/-/serviceAccounts/{each}" for each in (names.FIRST, names.SECOND)]
    expect(client.sign(names.CHAINED, token, chain), 200)
    for delegates in (chain[:1], chain[1:], chain[::-1], []):
        expect_error(client.sign(names.CHAINED, token, delegates), 403, "PERMISSION_DENIED", "IAM_PERMISSION_DENIED")
    expect_error(client.sign(names.CHAINED, token, [names.FIRST]), 400, "INVALID_ARGUMENT", None)


def impersonation_refusals(client):
    token, good = client.access_token(), {"scope": [names.IAM], "lifetime": "600s"}
    answer = json.loads(client.call("generateAccessToken", good, token=token)[2])
    require(set(answer) == {"accessToken", "expireTime"}, f"generateAccessToken answered {set(answer)}")
    expect_error(client.sign(token=answer["accessToken"]), 403, "PERMISSION_DENIED", "IAM_PERMISSION_DENIED")
    for change in ({"scope": []}, {"scope": "x"}, {"lifetime": "3601s"}, {"lifetime": 3600}):
        expect_error(client.call("generateAccessToken", good | change, token=token), 400, "INVALID_ARGUMENT", None)


def fleet_engine_refusals(client):
    good = client.signed()
    expect_error(client.trip(good), 404, "NOT_FOUND", None)
    expect_error(client.ask("GET", TRIP), 401, "UNAUTHENTICATED", "CREDENTIALS_MISSING")
    expect(client.trip(good, TRIP.replace("trip-1", "trip-2")), 403, "do not allow")
    expect(client.trip(good, TRIP.replace("trips", "vehicles")), 403, "do not allow")
    expect(client.trip(good, TRIP.replace(names.PROJECT, "other")), 403, "provider")
    expect(client.trip(client.signed(authorization={})), 403, "any scopes")
    expect(client.trip(client.signed(authorization={"tripid": "*"})), 404)
    batch = client.signed(authorization={"taskids": ["a", "b"]})
    expect(client.trip(batch, TRIP.replace("trips/trip-1", "tasks/b")), 404)
    expect(client.trip(client.signed(aud="https://example.com/")), 401, "aud")
    expect(client.trip(client.signed(exp=int(time.time()) + 4000)), 401, "hour")
    expect(client.trip(client.signed(account=names.WORKLOAD)), 403, "service account")


def key_refusals(client):
    status, headers, _ = client.ask("GET", KEYS + names.DRIVER)
    require(status == 200 and "max-age=77" in headers["Cache-Control"], f"Cache-Control is {headers['Cache-Control']}")
    expect(client.ask("GET", KEYS + names.email("missing")), 404)


REFUSALS = [
    metadata_refusals, grant_refusals, assertion_refusals, exchange_refusals, signing_refusals, delegate_refusals,
    impersonation_refusals, fleet_engine_refusals, key_refusals,
]
