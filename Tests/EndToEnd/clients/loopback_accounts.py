"""Who exists in the loopback server's project, who may act as whom, and the access tokens it issued."""
import json
import secrets
import threading
import time

from loopback_keys import BadToken, Key, opened, verified

PROJECT = "my-fleet"
NUMBER = "123456789012"
CLOUD_PLATFORM = "https://www.googleapis.com/auth/cloud-platform"
IAM = "https://www.googleapis.com/auth/iam"


def email(name):
    return f"{name}@{PROJECT}.iam.gserviceaccount.com"


# The account with a key file, the account of the metadata server, the signing accounts, and a delegation chain.
KEY_HOLDER, WORKLOAD = email("key-holder"), email("token-provider")
DRIVER, CONSUMER = email("driver-tokens"), email("consumer-tokens")
FIRST, SECOND, CHAINED = email("first-delegate"), email("second-delegate"), email("chained-tokens")
# Exists, but may create tokens for no account, and Fleet Engine grants it nothing.
OUTSIDER = email("outsider")
ACCOUNTS = [KEY_HOLDER, WORKLOAD, DRIVER, CONSUMER, FIRST, SECOND, CHAINED, OUTSIDER]
FLEET_ENGINE_ACCOUNTS = {KEY_HOLDER, DRIVER, CONSUMER, CHAINED}

PERSON = "user:operator@example.com"
POOL = f"//iam.googleapis.com/projects/{NUMBER}/locations/global/workloadIdentityPools/pool"
POOL_PRINCIPAL = "principal:" + POOL + "/subject/"
OIDC_AUDIENCE, AWS_AUDIENCE = f"{POOL}/providers/oidc", f"{POOL}/providers/aws"
OIDC_ISSUER, OIDC_SUBJECT = "https://issuer.example", "workload-1"
AWS_ROLE, AWS_ACCOUNT = "fleet-role", "999999999999"
FEDERATED = POOL_PRINCIPAL + OIDC_SUBJECT
AWS_PRINCIPAL = POOL_PRINCIPAL + f"arn:aws:sts::{AWS_ACCOUNT}:assumed-role/{AWS_ROLE}/i-0123456789abcdef0"
AWS_USER = POOL_PRINCIPAL + f"arn:aws:iam::{AWS_ACCOUNT}:user/fleet"

# roles/iam.serviceAccountTokenCreator: who holds it on which accounts.
CALLERS = [KEY_HOLDER, WORKLOAD, PERSON, FEDERATED, AWS_PRINCIPAL, AWS_USER]
TOKEN_CREATORS = {caller: {WORKLOAD, DRIVER, CONSUMER, FIRST} for caller in CALLERS} | {
    FIRST: {SECOND}, SECOND: {CHAINED}, CHAINED: {DRIVER},
}


class Accounts:
    """The service accounts with their keys, and every access token that was issued."""

    def __init__(self, stored=None):
        """`stored` is the file that keeps the keys, so that a server that starts again has them."""
        self.lock = threading.Lock()
        self.stored = stored
        self.tokens = {}
        saved = json.loads(stored.read_text()) if stored and stored.exists() else {}
        # Newest first; the first signs, and all are published.
        self.keys = {account: [Key(pem) for pem in saved.get(account, [None])] for account in ACCOUNTS}
        self.issuer_key = Key(saved.get("issuer"))
        self.save()

    def save(self):
        if self.stored:
            pems = {account: [key.pem for key in keys] for account, keys in self.keys.items()}
            self.stored.write_text(json.dumps(pems | {"issuer": self.issuer_key.pem}))

    def issue(self, principal, scopes, lifetime=3600):
        token = f"ya29.loopback-{secrets.token_urlsafe(24)}"
        with self.lock:
            self.tokens[token] = (principal, frozenset(scopes), time.time() + lifetime)
        return token

    def holder(self, token):
        """The principal and the scopes of a live access token, or of a JWT that an account signed itself; None for others."""
        if token.count(".") == 2 and not token.startswith("ya29."):
            return self.self_signed(token)
        with self.lock:
            principal, scopes, end = self.tokens.get(token, (None, None, 0))
        return (principal, scopes) if end > time.time() else None

    def self_signed(self, token):
        """The same of a JWT with `scope` and without `aud` (AIP-4111), which other universes than Google's own accept."""
        try:
            account = opened(token)[1].get("iss")
            claims = verified(token, self.keys.get(account, []), time.time(), leeway=60)
        except BadToken:
            return None
        fits = set(claims) == {"iss", "sub", "scope", "iat", "exp"} and claims["sub"] == account
        return (account, frozenset(claims["scope"].split())) if fits and claims["exp"] - claims["iat"] <= 3600 else None

    def principal_of(self, token):
        """The principal of a token that was issued, expired or not; None for others."""
        return self.tokens.get(token, (None,))[0]

    def expire_all(self):
        with self.lock:
            self.tokens = {token: (who, scopes, 0) for token, (who, scopes, _) in self.tokens.items()}

    def rotate(self, account, keep):
        """Gives an account a new key; `keep` leaves the previous ones published, of ten keys that an account may have."""
        made = Key()
        with self.lock:
            self.keys[account] = [made] + (self.keys[account][:9] if keep else [])
            self.save()

    def may_act(self, caller, delegates, account):
        """Whether each in the chain holds the role on the next (IAM Credentials, `delegates`)."""
        chain = [caller, *delegates, account]
        return all(then in TOKEN_CREATORS.get(now, ()) for now, then in zip(chain, chain[1:]))
