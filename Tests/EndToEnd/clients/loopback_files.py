"""Writes a file of each type of Application Default Credentials (AIP-4110) that the loopback server accepts."""
import json
from pathlib import Path

import loopback_accounts as names
import loopback_grants as grants

VERIFICATION = "https://sts.{region}.amazonaws.com?Action=GetCallerIdentity&Version=2011-06-15"


def write(folder, state):
    """The paths by name; the subject tokens that the files name lie beside them."""
    folder = Path(folder).resolve()
    folder.mkdir(parents=True, exist_ok=True)
    token = grants.subject_token(state)
    save(folder / "subject-token.txt", token)
    save(folder / "subject-token.json", json.dumps({"value": token}))
    paths = {}
    for name, content in contents(state, folder).items():
        paths[name] = str(folder / f"{name}.json")
        save(folder / f"{name}.json", json.dumps(content, indent=2) + "\n")
    return paths


def save(path, text):
    path.touch(0o600)
    path.write_text(text)


def contents(state, folder):
    text, member = {"type": "text"}, {"type": "json", "subject_token_field_name": "value"}
    url, header = f"{state.base}/subject_token", {"X-Source": "loopback"}
    file_text = {"file": str(folder / "subject-token.txt"), "format": text}
    impersonation = {"service_account_impersonation_url": impersonate(state, names.WORKLOAD)}
    client = {"client_id": grants.CLIENT_ID, "client_secret": grants.CLIENT_SECRET}
    return {
        "service_account": service_account(state),
        "authorized_user": authorized_user(state),
        "external_file_text": external(state, file_text),
        "external_file_json": external(state, {"file": str(folder / "subject-token.json"), "format": member}),
        "external_url_text": external(state, {"url": f"{url}/text", "headers": header, "format": text}),
        "external_url_json": external(state, {"url": f"{url}/json", "headers": header, "format": member}),
        "external_client": external(state, file_text) | client,
        "external_impersonated": external(state, file_text) | impersonation | quota("federated-project") | {
            "service_account_impersonation": {"token_lifetime_seconds": 1800}},
        "aws_environment": aws(state, {}),
        "aws_instance": aws(state, instance(state)),
        "aws_instance_impersonated": aws(state, instance(state)) | impersonation,
        "impersonated_user":
            impersonated(state, names.WORKLOAD, [], authorized_user(state)) | quota("account-project"),
        "impersonated_delegates": impersonated(
            state, names.CHAINED, [names.FIRST, names.SECOND], service_account(state)),
    }


def quota(project):
    """The project that is charged for calls, as `gcloud auth application-default set-quota-project` writes it."""
    return {"quota_project_id": project}


def service_account(state):
    """As Google Cloud makes it, with a project of calls, which Google's clients ignore here."""
    key = state.accounts.keys[names.KEY_HOLDER][0]
    return {
        "type": "service_account", "project_id": names.PROJECT, "private_key_id": key.id, "private_key": key.pem,
        "client_email": names.KEY_HOLDER, "client_id": "100000000000000000001", "token_uri": f"{state.base}/token",
        "auth_uri": "https://accounts.google.com/o/oauth2/auth",
        "auth_provider_x509_cert_url": "https://www.googleapis.com/oauth2/v1/certs", "universe_domain": "googleapis.com",
    } | quota("ignored-project")


def authorized_user(state):
    """As gcloud writes it, with a `token_uri`, which Google's clients ignore."""
    return {
        "type": "authorized_user", "token_uri": f"{state.base}/token", "client_id": grants.CLIENT_ID,
        "client_secret": grants.CLIENT_SECRET, "refresh_token": grants.REFRESH_TOKEN, "account": "",
        "universe_domain": "googleapis.com",
    } | quota(names.PROJECT)


def external(state, source):
    return {
        "type": "external_account", "audience": names.OIDC_AUDIENCE, "credential_source": source,
        "subject_token_type": "urn:ietf:params:oauth:token-type:jwt", "token_url": f"{state.base}/v1/token",
        "universe_domain": "googleapis.com",
    }


def aws(state, source):
    fixed = {"environment_id": "aws1", "regional_cred_verification_url": VERIFICATION}
    return external(state, fixed | source) | {"audience": names.AWS_AUDIENCE, "subject_token_type": grants.AWS_TYPE}


def instance(state):
    return {
        "region_url": f"{state.base}/latest/meta-data/placement/availability-zone",
        "url": f"{state.base}/latest/meta-data/iam/security-credentials",
        "imdsv2_session_token_url": f"{state.base}/latest/api/token",
    }


def impersonated(state, account, delegates, source):
    return {
        "type": "impersonated_service_account", "service_account_impersonation_url": impersonate(state, account),
        "delegates": [f"projects/-/serviceAccounts/{each}" for each in delegates], "source_credentials": source,
    }


def impersonate(state, account):
    return f"{state.base}/v1/projects/-/serviceAccounts/{account}:generateAccessToken"
