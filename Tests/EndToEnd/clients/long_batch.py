"""Asks for a token of many tasks with long ids: long_batch.py PORT. Prints, as JSON, the answer's status and the claims' bytes."""
import base64
import http.client
import json
import sys
import urllib.parse

# A line separator is escaped in JSON, and takes six bytes there.
IDS = [f"{number:03}" + "\u2028" * 60 + "x" for number in range(350)]


def main(port):
    connection = http.client.HTTPConnection("127.0.0.1", int(port), timeout=600)
    connection.request("GET", "/token?taskIDs=" + ",".join(urllib.parse.quote(id) for id in IDS))
    answer = connection.getresponse()
    texts = [text for text in json.loads(answer.read()).values() if isinstance(text, str)]
    token = next((text for text in texts if text.startswith("eyJ")), "..")
    claims = base64.urlsafe_b64decode(token.split(".")[1] + "==")
    print(json.dumps({"status": answer.status, "bytes": len(claims)}))


main(*sys.argv[1:])
