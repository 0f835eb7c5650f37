"""Requests on a keep-alive connection and on new ones until a file exists: reloaded_certificates.py BASE_URL CA VERSION FILE

By httpx, and HTTP/1.1 or HTTP/2. Prints "asking" after the first round; at the end the number of rounds,
and the names of the certificates that new connections got.
"""
import asyncio
import os
import ssl
import sys

import httpx

sys.dont_write_bytecode = True

from outcome import PATIENCE, Failure, report, require  # noqa: E402

BASE, AUTHORITY, VERSION, ENOUGH = sys.argv[1:]
AT_ONCE = 8


def client():
    """A client of one connection: parallel requests wait for it, or share it if the protocol allows."""
    return httpx.AsyncClient(
        base_url=BASE, http2=VERSION == "HTTP/2", verify=ssl.create_default_context(cafile=AUTHORITY), timeout=PATIENCE,
        limits=httpx.Limits(max_connections=1), trust_env=False)


async def ask(session):
    """The connection's local port, and the name of the certificate that it got."""
    answer = await session.get("/token?tripID=trip-1")
    require(answer.status_code == 200 and answer.json()["TRIP_TOKEN_KEY"], f"the answer was {answer.status_code}")
    require(answer.http_version == VERSION, f"{answer.http_version} was used")
    stream = answer.extensions["network_stream"]
    certificate = stream.get_extra_info("ssl_object").getpeercert()
    return stream.get_extra_info("client_addr")[1], certificate["subject"][0][0][1]


async def rounds():
    ports, names, count = set(), set(), 0
    async with client() as persistent:
        while not os.path.exists(ENOUGH):
            async with client() as new:
                _, name = await ask(new)
            for port, _ in await asyncio.gather(*(ask(persistent) for _ in range(AT_ONCE))):
                ports.add(port)
            names.add(name)
            count += 1
            if count == 1:
                print("asking", flush=True)
    require(len(ports) == 1, f"{len(ports)} connections were used, expected one")
    return {"names": sorted(names), "rounds": count}


def main():
    try:
        return asyncio.run(rounds())
    except httpx.HTTPError as error:
        raise Failure(f"{type(error).__name__}: {error}") from error


report(main)
