"""Google and AWS on loopback: credentials, signing, published keys and Fleet Engine, with faults on request.

python loopback_google.py [--port N] [--certificate PEM --key PEM] [--files FOLDER] [--stored FILE] [--key-lifetime S]

It prints one line of JSON: port, url, accounts, and the credentials files in FOLDER. All services share the port:

  GET /, /computeMetadata/v1/…                     the metadata server
  POST /token, /v1/token                           OAuth 2.0 grants, token exchange
  POST /v1/projects/-/serviceAccounts/EMAIL:METHOD IAM Credentials: signJwt, signBlob, generateAccessToken
  GET /service_accounts/v1/jwk/EMAIL               published keys
  GET /v1/providers/PROJECT/trips/ID               Fleet Engine
  GET /subject_token/text, /subject_token/json     an external identity provider
  /latest/…, POST /?Action=GetCallerIdentity       AWS's instance metadata and STS
  GET /container, POST /                           AWS's credentials of containers, and AssumeRoleWithWebIdentity

GET /_requests[?path=TEXT]           returns the recorded requests
DELETE /_requests                    forgets them
POST /_faults                        replaces the faults, which loopback_faults.py lists
GET /_faults                         tells how often each was applied
POST /_expire                        ends all access tokens
POST /_rotate {"account", "keep"}    gives an account a new key; with `keep` the previous ones stay published
GET /_subject_token?lifetime=S       returns a token for the file of an external account
"""
import argparse
import functools
import http.server
import json
import ssl
import sys
import time
from pathlib import Path

sys.dont_write_bytecode = True

import loopback_accounts  # noqa: E402
import loopback_files  # noqa: E402
from loopback_state import control, Request, State  # noqa: E402

try:
    import loopback_http2
except ImportError:
    loopback_http2 = None  # Over TLS it speaks HTTP/2 where the library h2 is installed.

LONGEST_WAIT = 600


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    # The head and the body of an answer leave in one segment.
    wbufsize = -1
    disable_nagle_algorithm = True

    def answer_request(self):
        result = self.server.respond(self, self.client_address)
        if result is None:
            self.close_connection = True
        else:
            self.write(*result)

    do_GET = do_POST = do_PUT = do_DELETE = answer_request

    def write(self, answer, cut_off):
        self.send_response_only(answer.status)
        for name, value in answer.headers.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(answer.body)))
        self.end_headers()
        self.wfile.write(answer.body[:len(answer.body) // 2] if cut_off else answer.body)
        if cut_off:
            self.close_connection = True

    def log_message(self, *_):
        pass


class Server(http.server.ThreadingHTTPServer):
    request_queue_size = 1024
    daemon_threads = True

    def finish_request(self, request, client_address):
        if isinstance(request, ssl.SSLSocket):
            request.do_handshake()
            if request.selected_alpn_protocol() == "h2":
                respond = functools.partial(self.respond, client_address=client_address)
                return loopback_http2.Connection(request, respond).serve()
        super().finish_request(request, client_address)

    def respond(self, handler, client_address):
        """The answer to a request, and whether it is cut off; None if the client gets none."""
        state, request = self.state, Request(handler)
        if request.path.startswith("/_"):
            return control(state, request), False
        request.faults, cleared = state.faults.of(request.target)
        record = request.record(client_address, state.accounts)
        with state.lock:
            state.requests.append(record)
        if fault := request.faults.get("slow"):
            time.sleep(fault.get("milliseconds", 1000) / 1000)
        if "never" in request.faults:
            cleared.wait(LONGEST_WAIT)
        if request.faults.keys() & {"never", "dropped"}:
            return None
        answer = state.answer(request)
        record["status"] = answer.status
        return answer, "cut_off" in request.faults

    def handle_error(self, *_):
        """Clients may disconnect before their answer."""


def main():
    options = arguments()
    server = Server(("127.0.0.1", options.port), Handler)
    scheme = "http"
    if options.certificate:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(options.certificate, options.key)
        context.set_alpn_protocols(["h2", "http/1.1"] if loopback_http2 else ["http/1.1"])
        # The handshake waits for a client, so it belongs to the thread of that client.
        server.socket = context.wrap_socket(server.socket, server_side=True, do_handshake_on_connect=False)
        scheme = "https"
    base = f"{scheme}://127.0.0.1:{server.server_port}"
    state = server.state = State(base, options.stored, options.key_lifetime)
    facts = {"port": server.server_port, "url": base, "accounts": loopback_accounts.ACCOUNTS}
    if options.files:
        facts["files"] = loopback_files.write(options.files, state)
    print(json.dumps(facts), flush=True)
    server.serve_forever()


def arguments():
    parser = argparse.ArgumentParser()
    parser.add_argument("--port", type=int, default=0)
    parser.add_argument("--certificate")
    parser.add_argument("--key")
    parser.add_argument("--files")
    parser.add_argument("--stored", type=Path)
    parser.add_argument("--key-lifetime", type=int, default=3600)
    return parser.parse_args()


if __name__ == "__main__":
    main()
