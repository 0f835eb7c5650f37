"""A daemon whose outgoing requests fail for want of descriptors asks its back end again once it has some.

python starved_client.py HOST PORT PID
"""
import resource
import sys
import time

sys.dont_write_bytecode = True

from outcome import PATIENCE, report, require  # noqa: E402
from raw_http import AnswerReader, connect, get  # noqa: E402

HOST, PORT, PID = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])


def main():
    # The connection is there before the descriptors are taken away.
    with connect(HOST, PORT) as connection:
        reader = AnswerReader(connection)

        def status(trip):
            connection.sendall(get(f"/token?tripID=allow-{trip}"))
            return reader.next().status

        require(status("before") == 200, "the back end was not asked")
        soft, hard = resource.prlimit(PID, resource.RLIMIT_NOFILE)
        # poll(2) fails if it is given more descriptors than the limit allows.
        resource.prlimit(PID, resource.RLIMIT_NOFILE, (0, hard))
        starved = status("starved")
        resource.prlimit(PID, resource.RLIMIT_NOFILE, (soft, hard))
        require(starved == 503, f"without descriptors the status is {starved}")
        end = time.monotonic() + PATIENCE
        while (last := status("after")) != 200:
            require(time.monotonic() < end, f"the daemon does not recover: {last}")
            time.sleep(0.05)
    return {"starved": starved}


report(main)
