"""Endpoints that give tokens, over plain HTTP. Prints its port, then runs until it is killed."""
import json
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, urlsplit


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        pass

    def do_GET(self):
        url = urlsplit(self.path)
        body = self.rfile.read(int(self.headers.get("content-length", 0))).decode()
        status, answer = self.route(url, {name: values[0] for name, values in parse_qs(body).items()})
        self.send_response(status)
        if self.headers.get("metadata-flavor") == "Google":
            self.send_header("Metadata-Flavor", "Google")
        self.send_header("Content-Length", str(len(answer)))
        self.end_headers()
        self.wfile.write(answer.encode())

    do_POST = do_PUT = do_GET

    def route(self, url, form):
        session = self.headers.get("x-aws-ec2-metadata-token")
        match (self.command, url.path):
            case ("POST", "/token") if form.get("refresh_token") == "1//canary-refresh":
                return 200, json.dumps({"access_token": "of-a-person", "expires_in": 3600, "token_type": "Bearer"})
            case ("POST", "/token"):
                return 400, json.dumps({"error": "invalid_grant", "error_description": str(form)})
            case ("GET", "/computeMetadata/v1/instance/service-accounts/default/token"):
                return 200, json.dumps({"access_token": f"of-a-machine-{url.query}", "expires_in": 60})
            case ("GET", "/"):
                return 200, "computeMetadata/\n"
            case ("PUT", "/api/token") if self.headers.get("x-aws-ec2-metadata-token-ttl-seconds") == "300":
                return 200, "session"
            case ("GET", "/zone") if session == "session":
                return 200, "us-east-1a"
            case ("GET", "/roles") if session == "session":
                return 200, "my-role"
            case ("GET", "/roles/my-role") if session == "session":
                return 200, json.dumps({"AccessKeyId": "ASIA", "SecretAccessKey": "k", "Token": "t"})
            case ("POST", "/sts"):
                return 200, json.dumps({"access_token": form["subject_token"], "expires_in": "3600"})
        return 404, "canary"


server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
print(server.server_port, flush=True)
server.serve_forever()
