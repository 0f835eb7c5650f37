"""What other people's libraries say about tokens: those of SPIFFE workloads, and of the Firebase emulator.

python peer_verifiers.py spiffe TRUST_DOMAIN BUNDLE_FILE AUDIENCE TOKEN...
python peer_verifiers.py firebase PROJECT TOKEN...

It prints the subject of each token, or null for one that is refused.
"""
import json
import os
import sys


def spiffe_subjects(domain, bundle, audience, *tokens):
    from spiffe import JwtBundle, JwtSvid, TrustDomain
    from spiffe.errors import PySpiffeError

    with open(bundle, "rb") as file:
        keys = JwtBundle.parse(TrustDomain(domain), file.read())
    for token in tokens:
        try:
            yield str(JwtSvid.parse_and_validate(token, keys, {audience}).spiffe_id)
        except PySpiffeError:
            yield None


def firebase_subjects(project, *tokens):
    os.environ["FIREBASE_AUTH_EMULATOR_HOST"] = "127.0.0.1:9099"
    import firebase_admin
    from firebase_admin import auth

    app = firebase_admin.initialize_app(options={"projectId": project})
    for token in tokens:
        try:
            yield auth.verify_id_token(token, app)["sub"]
        except (auth.InvalidIdTokenError, ValueError):
            yield None


verify = {"spiffe": spiffe_subjects, "firebase": firebase_subjects}[sys.argv[1]]
print(json.dumps({"subjects": list(verify(*sys.argv[2:]))}))
