"""Requests tokens with httpx: httpx_client.py BASE_URL CA. Prints the results of the requests."""
import ssl
import sys

import httpx

sys.dont_write_bytecode = True

from outcome import report  # noqa: E402


def main():
    url, authority = sys.argv[1:]
    with httpx.Client(verify=ssl.create_default_context(cafile=authority), trust_env=False) as client:
        answers = [client.get(f"{url}/token", params={"tripID": f"trip-{number % 5}"}) for number in range(50)]
    assert all(answer.json()["TRIP_TOKEN_KEY"] for answer in answers)
    try:
        httpx.get(f"{url}/healthz", trust_env=False)
        untrusted = "served"
    except httpx.ConnectError as error:
        untrusted = type(error).__name__
    return {
        "version": answers[0].http_version,
        "statuses": [answer.status_code for answer in answers],
        "untrusted": untrusted,
    }


report(main)
