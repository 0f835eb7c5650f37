"""Many parallel requests for tokens on one HTTP/2 connection, by httpx.

python http2_requests.py BASE_URL COUNT [CA_FILE]          (as in https://localhost:8443; cleartext without a CA file)
"""
import asyncio
import ssl
import sys

import httpx

sys.dont_write_bytecode = True

from outcome import PATIENCE, Failure, report, require  # noqa: E402


def main():
    try:
        return asyncio.run(ask(sys.argv[1], int(sys.argv[2]), sys.argv[3] if len(sys.argv) > 3 else None))
    except httpx.HTTPError as error:
        raise Failure(f"{type(error).__name__}: {error}") from error


async def ask(base, count, authority):
    context = ssl.create_default_context(cafile=authority) if authority else True
    # With HTTP/1.1 turned off httpx begins with the HTTP/2 preface in cleartext.
    one_connection = httpx.Limits(max_connections=1)
    async with httpx.AsyncClient(
            base_url=base, http1=authority is not None, http2=True, verify=context, limits=one_connection,
            timeout=PATIENCE) as client:
        # Each id is requested twice, so that some tokens are minted and some cached or shared.
        tokens = await asyncio.gather(*(client.get(f"/token?tripID=trip-{number // 2}") for number in range(count)))
        refusal = await client.get("/token?tripID=*")
        head = await client.head("/token?tripID=trip-0")
        posted = await client.post("/token?tripID=trip-0", content=b"x" * 20_000)
        after = await client.get("/healthz")
    for answer in tokens:
        require(answer.status_code == 200, f"a token was answered {answer.status_code}: {answer.text}")
        require(answer.http_version == "HTTP/2", f"{answer.http_version} was used")
    ids = {answer.headers["x-request-id"] for answer in tokens}
    require(len(ids) == count, f"{count} answers have {len(ids)} request ids")
    require(head.content == b"" and int(head.headers["content-length"]) > 500, f"HEAD was answered {head.headers}")
    different = len({answer.json()["TRIP_TOKEN_KEY"] for answer in tokens})
    require(different == count // 2, f"{different} tokens for {count // 2} ids")
    others = refusal.json()["code"], posted.status_code, after.text
    require(others == ("invalid_id", 405, "ok\n"), f"a wildcard, a POST and a check were answered {others}")


report(main)
