"""Independent identity providers on loopback: started, used to get a token, and killed."""
import base64
import json
import pathlib
import subprocess
import sys
import time
import urllib.error
import urllib.parse
import urllib.request

from joserfc.jwk import ECKey, RSAKey

from outcome import require

CALLBACK = "http://localhost:1/cb"
PATIENCE = 600


class Unredirected(urllib.request.HTTPRedirectHandler):
    def redirect_request(self, *_):
        return None


class Provider:
    def __init__(self, port):
        self.port = port
        self.url = f"http://{self.host}:{port}"

    def start(self):
        self.process = subprocess.Popen(self.command(), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        deadline = time.monotonic() + PATIENCE
        while True:
            require(self.process.poll() is None and time.monotonic() < deadline, f"{self.command()[0]} did not start")
            try:
                with urllib.request.urlopen(f"{self.url}/.well-known/openid-configuration"):
                    return
            except OSError:
                time.sleep(0.05)

    def kill(self):
        self.process.kill()
        self.process.wait()

    def post(self, path, form, client=None):
        request = urllib.request.Request(self.url + path, urllib.parse.urlencode(form).encode())
        if client:
            request.add_header("Authorization", "Basic " + base64.b64encode(":".join(client).encode()).decode())
        try:
            return urllib.request.build_opener(Unredirected).open(request)
        except urllib.error.HTTPError as answer:
            return answer

    def redeem(self, path, code, client):
        form = {"grant_type": "authorization_code", "code": code, "redirect_uri": CALLBACK}
        answer = json.load(self.post(path, form, client))
        require("id_token" in answer, f"the provider gave no token: {answer}")
        return answer["id_token"]


class OIDCProviderMock(Provider):
    """oidc-provider-mock: a new key at each start, and tokens that do not name it."""
    host = "127.0.0.1"
    audiences = ["token-provider"]
    algorithms = ["RS256"]
    subject = "rider@example.test"

    def command(self):
        user = {"sub": self.subject, "groups": ["riders"], "trips": ["trip-1"]}
        program = pathlib.Path(sys.executable).parent / "oidc-provider-mock"
        return [program, "--port", str(self.port), "--user-claims", json.dumps(user)]

    def tokens(self):
        client = (self.audiences[0], "secret")
        query = {"client_id": client[0], "response_type": "code", "scope": "openid", "nonce": "n",
                 "redirect_uri": CALLBACK}
        answer = self.post("/oauth2/authorize?" + urllib.parse.urlencode(query), {"sub": self.subject})
        location = urllib.parse.urlsplit(answer.headers["Location"])
        code = urllib.parse.parse_qs(location.query)["code"][0]
        return [self.redeem("/oauth2/token", code, client)]


class Canaille(Provider):
    """Canaille: an RSA and an elliptic key, tokens of both, each of which names its key."""
    host = "localhost"
    audiences = ["c-RS256", "c-ES256"]
    algorithms = ["RS256", "ES256"]
    subject = "rider"
    generation = 0

    def command(self):
        program = pathlib.Path(__file__).parent / "canaille_provider.py"
        return [sys.executable, program, str(self.port), json.dumps(self.keys)]

    def start(self):
        self.generation += 1
        keys = [RSAKey.generate_key(2048, {"kid": f"rsa-{self.generation}"}),
                ECKey.generate_key("P-256", {"kid": f"ec-{self.generation}"})]
        self.keys = [key.as_dict(private=True) for key in keys]
        self.redeemed = 0
        super().start()

    def tokens(self):
        self.redeemed += 1
        return [self.redeem("/oauth/token", f"{algorithm}-{self.redeemed - 1}", (f"c-{algorithm}", "s"))
                for algorithm in self.algorithms]
