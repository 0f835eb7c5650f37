"""Canaille, an identity provider, on loopback and in memory, with authorization codes already issued to its user.

python canaille_provider.py PORT KEYS

KEYS are private JWKs, an array. A client is c-RS256 or c-ES256, its secret s; a code is RS256-0 and so on.
"""
import datetime
import json
import sys

sys.dont_write_bytecode = True

from canaille import create_app  # noqa: E402
from canaille.app import models  # noqa: E402
from canaille.backends import Backend  # noqa: E402
from werkzeug.serving import run_simple  # noqa: E402

PORT, KEYS = int(sys.argv[1]), json.loads(sys.argv[2])
CALLBACK = "http://localhost:1/cb"
CODES = 5


def main():
    app = create_app({
        "SECRET_KEY": "for tests", "SERVER_NAME": f"localhost:{PORT}", "PREFERRED_URL_SCHEME": "http", "TESTING": True,
        "CANAILLE": {"DATABASE": "memory"}, "CANAILLE_OIDC": {"ACTIVE_JWKS": KEYS},
    })
    with app.app_context():
        user = models.User(
            formatted_name="Rider", family_name="Rider", user_name="rider", emails=["rider@example.test"],
            password="secret-1")
        save(user)
        for algorithm in ("RS256", "ES256"):
            client = registered(algorithm)
            for number in range(CODES):
                save(code(f"{algorithm}-{number}", client, user))
    run_simple("127.0.0.1", PORT, app, threaded=True)


def registered(algorithm):
    client = models.Client(
        client_id=f"c-{algorithm}", client_secret="s", client_name=algorithm, client_id_issued_at=now(),
        redirect_uris=[CALLBACK], grant_types=["authorization_code"], response_types=["code"],
        scope=["openid", "profile", "email"], token_endpoint_auth_method="client_secret_basic",
        id_token_signed_response_alg=algorithm)
    save(client)
    client.audience = [client]
    save(client)
    return client


def code(text, client, user):
    return models.AuthorizationCode(
        authorization_code_id=text, code=text, client=client, subject=user, redirect_uri=CALLBACK, response_type="code",
        scope=["openid", "profile", "email"], nonce="n", issue_date=now(), lifetime=86_400)


def save(model):
    Backend.instance.save(model)


def now():
    return datetime.datetime.now(datetime.timezone.utc)


main()
