"""Every shape of request through Python's http.client on keep-alive connections, and what each answer must carry.

python http_client_requests.py BASE_URL          (as in http://127.0.0.1:8080)
"""
import http.client
import sys
import urllib.parse

sys.dont_write_bytecode = True

import answer_checks  # noqa: E402
import request_table  # noqa: E402
from outcome import PATIENCE, Failure, report, require  # noqa: E402


def main():
    address = urllib.parse.urlsplit(sys.argv[1])
    client = Client(address.hostname, address.port)
    for method, path, check in request_table.GOOD:
        require(client.exchange(method, path, check) is not None, f"{method} {path}: the connection was not kept alive")
    for method, path, status, code_words in request_table.REFUSED:
        client.exchange(method, path, answer_checks.problem(status, code_words))
    return {"requests": client.requests, "connections": client.connections}


class Client:
    """One connection, opened again only if the server announced that it closes it."""

    def __init__(self, host, port):
        self.connection = http.client.HTTPConnection(host, port, timeout=PATIENCE)
        self.requests = 0
        self.connections = 0

    def exchange(self, method, path, check):
        """Checks the answer; returns it while the connection is kept alive, or None."""
        if self.connection.sock is None:
            self.connections += 1
        self.requests += 1
        try:
            self.connection.request(method, path)
            answer = self.connection.getresponse()
            answer.content = answer.read()
        except (http.client.HTTPException, ConnectionError) as error:
            raise Failure(f"{method} {path}: no whole answer ({type(error).__name__}: {error})") from error
        check(f"{method} {path}", method, answer)
        return answer if self.connection.sock is not None else None


report(main)
