"""The ids that load/cached.lua cycles over, each requested once so that its token is cached."""
from .http_connection import HTTPConnection
from .unmeasured import Unmeasured

COUNT = 1000
ONE = "/token?tripID=cached-0000"


def warm(port, authorization=None):
    """Requests every id and returns one answer, which a peer has to match."""
    with HTTPConnection(port) as connection:
        for index in range(COUNT):
            answer = connection.get(f"/token?tripID=cached-{index:04}", authorization)
            if answer.status != 200:
                raise Unmeasured(f"the server answered {answer.status} to a valid id: {answer.body[:200]!r}")
    return answer
