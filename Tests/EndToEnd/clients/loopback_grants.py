"""Where the loopback server issues access tokens: OAuth 2.0 grants, token exchange, and the metadata server."""
import base64
import time
import urllib.parse

import loopback_accounts as names
import loopback_aws
from loopback_answers import of_json, of_text, refuse_grant
from loopback_keys import BadToken, opened, signed, verified

CLIENT_ID, CLIENT_SECRET = "764086051850-loopback.apps.googleusercontent.com", "client-secret-canary"
REFRESH_TOKEN = "1//refresh-token-canary"
OAUTH_AUDIENCE = "https://oauth2.googleapis.com/token"
JWT_BEARER = "urn:ietf:params:oauth:grant-type:jwt-bearer"
EXCHANGE = "urn:ietf:params:oauth:grant-type:token-exchange"
ACCESS_TOKEN = "urn:ietf:params:oauth:token-type:access_token"
OIDC_TYPES = {"urn:ietf:params:oauth:token-type:jwt", "urn:ietf:params:oauth:token-type:id_token"}
AWS_TYPE = "urn:ietf:params:aws:token-type:aws4_request"


def issued(state, request, principal, scopes, **members):
    """The answer with a new access token (RFC 6749 section 5.1)."""
    lifetime = request.faults.get("short_lived", {}).get("seconds", 2 if "short_lived" in request.faults else 3599)
    token = state.accounts.issue(principal, scopes, lifetime)
    shown = str(lifetime) if "text_lifetime" in request.faults else lifetime
    # RFC 6749 section 5.1: never to be cached.
    return of_json(
        {"access_token": token, "expires_in": shown, "token_type": "Bearer"} | members, **{"Cache-Control": "no-store"})


def token(state, request):
    """oauth2.googleapis.com/token."""
    form = request.form()
    if form.get("grant_type") == "refresh_token":
        return refresh(state, request, form)
    if form.get("grant_type") == JWT_BEARER:
        return assertion(state, request, form)
    refuse_grant("unsupported_grant_type", f"Invalid grant_type: {form.get('grant_type')}")


def refresh(state, request, form):
    if (form.get("client_id"), form.get("client_secret")) != (CLIENT_ID, CLIENT_SECRET):
        refuse_grant("invalid_client", "The OAuth client was not found.", 401)
    if form.get("refresh_token") != REFRESH_TOKEN:
        refuse_grant("invalid_grant", "Token has been expired or revoked.")
    return issued(state, request, names.PERSON, {names.CLOUD_PLATFORM}, scope=names.CLOUD_PLATFORM)


def assertion(state, request, form):
    """The JWT-bearer grant (RFC 7523): the account's own key signed the assertion."""
    text = form.get("assertion", "")
    try:
        account = opened(text)[1].get("iss")
        claims = verified(text, state.accounts.keys.get(account, []), time.time(), leeway=60)
    except BadToken as error:
        refuse_grant("invalid_grant", f"Invalid JWT: {error}.")
    request.notes["assertion_by"] = account
    if claims.get("aud") not in (OAUTH_AUDIENCE, f"{state.base}/token"):
        refuse_grant("invalid_grant", "Invalid JWT: aud is not the token endpoint.")
    if claims["exp"] - claims["iat"] > 3600:
        refuse_grant("invalid_grant", "Invalid JWT: Token must be a short-lived token (60 minutes).")
    if claims.get("sub", account) != account:
        refuse_grant("unauthorized_client", "Client is unauthorized to retrieve access tokens for this subject.", 401)
    if not str(claims.get("scope", "")).split():
        refuse_grant("invalid_scope", "Invalid OAuth scope or ID token audience provided.")
    return issued(state, request, account, claims["scope"].split())


def exchange(state, request):
    """sts.googleapis.com/v1/token (RFC 8693)."""
    form = request.form()
    credentials = request.header("authorization")
    if credentials and credentials != "Basic " + base64.b64encode(f"{CLIENT_ID}:{CLIENT_SECRET}".encode()).decode():
        refuse_grant("invalid_client", "The OAuth client was not found.", 401)
    if form.get("grant_type") != EXCHANGE or form.get("requested_token_type") != ACCESS_TOKEN:
        refuse_grant("invalid_request", "The request is not an exchange for an access token.")
    if not form.get("scope", "").split():
        refuse_grant("invalid_scope", "The scope is missing.")
    principal = subject(state, request, form)
    return issued(state, request, principal, form["scope"].split(), issued_token_type=ACCESS_TOKEN)


def subject(state, request, form):
    audience, kind, text = (form.get(name, "") for name in ("audience", "subject_token_type", "subject_token"))
    try:
        if kind == AWS_TYPE and audience == names.AWS_AUDIENCE:
            principal, signed_names = loopback_aws.subject_of(text, audience)
            request.notes["aws_signed_headers"] = signed_names
            return principal
        if kind in OIDC_TYPES and audience == names.OIDC_AUDIENCE:
            return names.POOL_PRINCIPAL + str(verified_subject(state, text).get("sub"))
    except BadToken as error:
        refuse_grant("invalid_grant", f"The subject token is refused: {error}.")
    except loopback_aws.BadSignature as error:
        refuse_grant("invalid_grant", str(error))
    refuse_grant("invalid_target", "The target service indicated by the audience is invalid.")


def verified_subject(state, text):
    """The claims of a token of the external identity provider."""
    claims = verified(text, [state.accounts.issuer_key], time.time(), leeway=60)
    if (claims.get("iss"), claims.get("aud")) != (names.OIDC_ISSUER, f"https:{names.OIDC_AUDIENCE}"):
        raise BadToken("iss or aud is not that of the provider")
    return claims


def subject_token(state, lifetime=86_400):
    """A token of the external identity provider, as its workloads find it in a file or at a URL."""
    now = int(time.time())
    claims = {"iss": names.OIDC_ISSUER, "aud": f"https:{names.OIDC_AUDIENCE}", "sub": names.OIDC_SUBJECT}
    return signed(claims | {"iat": now, "exp": now + lifetime}, state.accounts.issuer_key)


def subject_source(state, request):
    """The URL that an external account's file names; it wants the header that the file names too."""
    if request.header("x-source") != "loopback":
        return of_text("X-Source is missing.", 403)
    if request.path.endswith("/json"):
        return of_json({"value": subject_token(state), "expires": 86_400})
    return of_text(subject_token(state))


FLAVOR = {"Metadata-Flavor": "Google", "Server": "Metadata Server for VM"}


def metadata(state, request):
    """The metadata server of a virtual machine."""
    if request.path == "/":
        return of_text("computeMetadata/\n", kind="application/text", **FLAVOR)
    if request.header("metadata-flavor") != "Google":
        return of_text("Missing Metadata-Flavor:Google header.", 403, "text/html", **FLAVOR)
    path = request.path.removeprefix("/computeMetadata/v1/")
    texts = {"universe/universe-domain": "googleapis.com", "project/project-id": names.PROJECT}
    if path in texts:
        return of_text(texts[path], kind="application/text", **FLAVOR)
    folder, _, leaf = path.removeprefix("instance/service-accounts/").partition("/")
    if not path.startswith("instance/service-accounts/") or folder not in ("default", names.WORKLOAD):
        return of_text("Not Found", 404, "text/html", **FLAVOR)
    return metadata_account(state, request, leaf)


def metadata_account(state, request, leaf):
    query = dict(urllib.parse.parse_qsl(request.query))
    if leaf == "email":
        return of_text(names.WORKLOAD, kind="application/text", **FLAVOR)
    if leaf == "" and query.get("recursive") == "true":
        facts = {"aliases": ["default"], "email": names.WORKLOAD, "scopes": [names.CLOUD_PLATFORM]}
        return of_json(facts, **FLAVOR)
    if leaf == "token":
        scopes = query.get("scopes", names.CLOUD_PLATFORM).split(",")
        answer = issued(state, request, names.WORKLOAD, scopes)
        answer.headers |= FLAVOR | {"Content-Type": "application/json"}
        return answer
    return of_text("Not Found", 404, "text/html", **FLAVOR)
