"""An identity provider on loopback that publishes keys and signs tokens in the form of a provider's documentation.

python loopback_provider.py PROVIDER ISSUER_PATH CERTIFICATE KEY [HOST]

PROVIDER is a name in SHAPES, ISSUER_PATH the path of its issuer. It prints its port (https), which is 443 if its HOST is
given. The discovery document and the keys are at the provider's own paths. POST /token?key=INDEX signs the claims of its body.
"""
import base64
import dataclasses
import datetime
import hashlib
import http.server
import json
import ssl
import sys
import time
import urllib.parse

sys.dont_write_bytecode = True

from answering import AnsweringHandler  # noqa: E402
from cryptography import x509  # noqa: E402
from cryptography.hazmat.primitives import hashes, serialization  # noqa: E402
from cryptography.hazmat.primitives.asymmetric import rsa  # noqa: E402
from joserfc import jwt  # noqa: E402
from joserfc.jwk import RSAKey  # noqa: E402

DISCOVERY = "/.well-known/openid-configuration"


def base64url(data):
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def of_google(certificate, _):
    return hashlib.sha1(certificate).hexdigest()


def of_sha1(certificate, _):
    return base64url(hashlib.sha1(certificate).digest())


def of_sha256(_, number):
    return base64url(hashlib.sha256(number).digest())


def of_cognito(_, number):
    return base64.b64encode(hashlib.sha256(number).digest()).decode()


@dataclasses.dataclass
class Shape:
    """How a provider publishes its keys; its page is named above each."""
    jwks: str  # Its path; {} stands for the path of the issuer.
    key_id: object
    members: tuple = ("kty", "alg", "use", "kid", "n", "e")
    header: tuple = ("alg", "kid", "typ")
    count: int = 2
    encryption: bool = False  # Whether the set also has a key that signs nothing.


CERTIFIED = ("kty", "use", "kid", "x5t", "n", "e", "x5c")
SHAPES = {
    # https://firebase.google.com/docs/auth/admin/verify-id-tokens, and the discovery document that it leads to
    "Firebase Auth": Shape("/service_accounts/v1/jwk/securetoken@system.gserviceaccount.com", of_google),
    "Google Identity Platform": Shape("/service_accounts/v1/jwk/securetoken@system.gserviceaccount.com", of_google),
    # https://developers.google.com/identity/openid-connect/openid-connect#discovery
    "Google sign-in": Shape("/oauth2/v3/certs", of_google),
    # https://auth0.com/docs/secure/tokens/json-web-tokens/json-web-key-set-properties
    "Auth0": Shape("/.well-known/jwks.json", of_sha1, CERTIFIED + ("alg",)),
    # https://docs.aws.amazon.com/cognito/latest/developerguide/amazon-cognito-user-pools-using-tokens-verifying-a-jwt.html
    "Amazon Cognito": Shape("{}/.well-known/jwks.json", of_cognito, header=("kid", "alg")),
    # https://www.keycloak.org/docs/latest/server_admin/index.html#realm_keys: one key signs, another one encrypts
    "Keycloak": Shape("{}/protocol/openid-connect/certs", of_sha256, CERTIFIED + ("alg", "x5t#S256"), count=1, encryption=True),
    # https://developer.okta.com/docs/api/openapi/okta-oauth/oauth/orgas#tag/OrgAS/operation/oauthKeys
    "Okta": Shape("{}/v1/keys", of_sha256, header=("kid", "alg"), count=1),
    # https://learn.microsoft.com/en-us/entra/identity-platform/access-tokens#validate-the-issuer: keys without alg
    "Microsoft Entra ID": Shape("/discovery/v2.0/keys", of_sha1, CERTIFIED + ("issuer",), ("typ", "alg", "kid"), count=3),
}


class Key:
    def __init__(self, shape, issuer, use="sig", algorithm="RS256"):
        own = rsa.generate_private_key(65537, 2048)
        name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "localhost")])
        now = datetime.datetime.now(datetime.timezone.utc)
        certificate = (
            x509.CertificateBuilder().subject_name(name).issuer_name(name).public_key(own.public_key()).serial_number(1)
            .not_valid_before(now).not_valid_after(now + datetime.timedelta(days=1)).sign(own, hashes.SHA256())
        ).public_bytes(serialization.Encoding.DER)
        self.private = RSAKey.import_key(own)
        public = self.private.as_dict(private=False)
        self.id = shape.key_id(certificate, public["n"].encode())
        known = public | {
            "kid": self.id, "use": use, "alg": algorithm, "issuer": issuer, "x5c": [base64.b64encode(certificate).decode()],
            "x5t": base64url(hashlib.sha1(certificate).digest()),
            "x5t#S256": base64url(hashlib.sha256(certificate).digest()),
        }
        self.published = {member: known[member] for member in shape.members}


class Provider:
    def __init__(self, name, path, origin):
        self.shape = SHAPES[name]
        self.issuer = origin + path
        self.jwks_path = self.shape.jwks.format(path)
        self.discovery_path = path.rstrip("/") + DISCOVERY
        self.keys = [Key(self.shape, self.issuer) for _ in range(self.shape.count)]
        others = [Key(self.shape, self.issuer, "enc", "RSA-OAEP")] if self.shape.encryption else []
        self.jwks = {"keys": [key.published for key in others + self.keys]}
        self.discovery = {
            "issuer": self.issuer,
            "jwks_uri": origin + self.jwks_path,
            "response_types_supported": ["code", "id_token"],
            "subject_types_supported": ["public"],
            "id_token_signing_alg_values_supported": ["RS256"],
        }

    def published(self, path):
        if path == self.discovery_path:
            return self.discovery
        # Entra ID has the tenant before, and no v2.0 in the path of version 1.
        return self.jwks if path.replace("/discovery/keys", "/discovery/v2.0/keys").endswith(self.jwks_path) else None

    def token(self, claims, key):
        now = int(time.time())
        header = {"alg": "RS256", "typ": "JWT", "kid": self.keys[key].id}
        header = {member: header[member] for member in self.shape.header}
        claims = {"iat": now, "exp": now + 3600} | claims
        return jwt.encode(header, claims, self.keys[key].private, ["RS256"], default_type=None)


class Handler(AnsweringHandler):
    def do_GET(self):
        value = provider.published(self.path)
        self.answer(404 if value is None else 200, value)

    def do_POST(self):
        query = urllib.parse.parse_qs(urllib.parse.urlsplit(self.path).query)
        claims = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.answer(200, {"token": provider.token(claims, int(query["key"][0]))})

    def answer(self, status, value):
        self.respond(
            json.dumps(value).encode(), status, "application/json; charset=utf-8",
            Cache_Control="public, max-age=19000")


name, path, certificate, key, *host = sys.argv[1:]
server = http.server.ThreadingHTTPServer(("127.0.0.1", 443 if host else 0), Handler)
context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
context.load_cert_chain(certificate, key)
server.socket = context.wrap_socket(server.socket, server_side=True)
provider = Provider(name, path, f"https://{host[0]}" if host else f"https://localhost:{server.server_port}")
print(server.server_port, flush=True)
server.serve_forever()
