"""An identity provider's key set on loopback: it signs tokens on request, counts fetches, and rotates its keys.

python key_server.py [PORT]

It prints its port. GET /.well-known/openid-configuration, /jwks and /single (one key alone) are counted by path;
POST /token signs the claims of its body, with another kid or none (`kid=`) if asked; POST /rotate makes new keys; POST
/withdraw leaves none; GET /pem is the public keys in PEM; POST /publish publishes its body as /jwks; POST /set sets in
JSON the bearer token that it demands, the location that it redirects to, and the metadata's jwks_uri; GET /authorizations returns the
Authorization headers of what is counted; POST /hold holds what is
counted until POST /release; GET /counts returns the counts, and GET /private the private keys.
"""
import json
import sys
import threading
import time
import urllib.parse

sys.dont_write_bytecode = True

from answering import AnsweringHandler, serve  # noqa: E402
from joserfc import jwt  # noqa: E402
from joserfc.jwk import ECKey, KeySet, OKPKey, RSAKey  # noqa: E402

ALGORITHMS = {"rsa": "RS256", "ec": "ES256", "ed": "EdDSA"}
PUBLISHED = ("/jwks", "/single", "/.well-known/openid-configuration")


class Provider:
    def __init__(self):
        self.generation = 0
        self.is_open = threading.Event()
        self.is_open.set()
        self.counts = dict.fromkeys(PUBLISHED, 0)
        self.set = None
        self.options = {}
        self.authorizations = []
        self.rotate()

    def rotate(self):
        self.generation += 1
        self.keys = {
            "rsa": RSAKey.generate_key(2048, self.parameters("rsa")),
            "ec": ECKey.generate_key("P-256", self.parameters("ec")),
            "ed": OKPKey.generate_key("Ed25519", self.parameters("ed")),
        }

    def parameters(self, family):
        return {"kid": f"{family}-{self.generation}", "use": "sig", "alg": ALGORITHMS[family]}

    def published(self, path, host):
        self.counts[path] += 1
        self.is_open.wait()
        if path == "/jwks" and self.set is not None:
            return self.set
        if path == "/jwks":
            return KeySet(list(self.keys.values())).as_dict(private=False)
        if path == "/single":
            return KeySet([self.keys["rsa"]]).as_dict(private=False)
        issuer = f"http://{host}"
        return {"issuer": issuer, "jwks_uri": self.options.get("jwks_uri", f"{issuer}/jwks")}

    def token(self, family, claims, kid=None):
        now = int(time.time())
        kid = self.keys[family].kid if kid is None else kid
        header = {"alg": ALGORITHMS[family], "typ": "JWT"} | ({"kid": kid} if kid else {})
        return jwt.encode(header, {"iat": now, "exp": now + 600} | claims, self.keys[family], [ALGORITHMS[family]])


class Handler(AnsweringHandler):
    provider = Provider()

    def do_GET(self):
        if self.path == "/counts":
            self.answer(self.provider.counts)
        elif self.path == "/private":
            self.answer({family: key.as_dict(private=True) for family, key in self.provider.keys.items()})
        elif self.path == "/pem":
            self.answer([key.as_pem(private=False).decode() for key in self.provider.keys.values()])
        elif self.path == "/authorizations":
            self.answer(self.provider.authorizations)
        elif self.path in PUBLISHED:
            self.publish(self.provider.options)
        else:
            self.send_error(404)

    def publish(self, options):
        authorization = self.headers.get("Authorization", "")
        self.provider.authorizations.append(authorization)
        if "location" in options:
            self.send_response(302)
            self.send_header("Location", options["location"])
            self.send_header("Content-Length", "0")
            return self.end_headers()
        if "bearer" in options and authorization != f"Bearer {options['bearer']}":
            return self.send_error(401)
        self.answer(self.provider.published(self.path, self.headers["Host"]))

    def do_POST(self):
        url = urllib.parse.urlsplit(self.path)
        body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        if url.path in ("/rotate", "/withdraw"):
            self.provider.rotate() if url.path == "/rotate" else self.provider.keys.clear()
            self.answer({"generation": self.provider.generation})
        elif url.path == "/publish":
            self.provider.set = json.loads(body)
            self.answer({})
        elif url.path == "/set":
            self.provider.options = json.loads(body)
            self.answer({})
        elif url.path in ("/hold", "/release"):
            self.provider.is_open.clear() if url.path == "/hold" else self.provider.is_open.set()
            self.answer({})
        elif url.path == "/token":
            query = dict(urllib.parse.parse_qsl(url.query, keep_blank_values=True))
            token = self.provider.token(query.get("key", "rsa"), json.loads(body), query.get("kid"))
            self.answer({"token": token})
        else:
            self.send_error(404)

    def answer(self, value):
        # More than a daemon believes.
        self.respond(json.dumps(value).encode(), Cache_Control="max-age=86400")


serve(Handler, int(sys.argv[1]) if len(sys.argv) > 1 else 0)
