"""The tools and the limits a run needs, checked before anything is started."""
import os
import resource
import shutil

from .bench import CLIENT_CORE, SERVER_CORE
from .unmeasured import Unmeasured

# command -> Debian package
PACKAGES = {
    "nginx": "nginx-light",
    "h2load": "nghttp2-client",
    "nghttpd": "nghttp2-server",
    "wrk": "wrk",
    "openssl": "openssl",
    "taskset": "util-linux",
    "setpriv": "util-linux",
    "strip": "binutils",
}


def require(commands=tuple(PACKAGES)):
    missing = sorted({PACKAGES[command] for command in commands if shutil.which(command) is None})
    if missing:
        raise Unmeasured(f"tools are missing: run `apt-get install -y {' '.join(missing)}` and try again")
    if len(os.sched_getaffinity(0)) < 2 or not {SERVER_CORE, CLIENT_CORE} <= os.sched_getaffinity(0):
        raise Unmeasured(
            f"cores {SERVER_CORE} and {CLIENT_CORE} are needed, one for the server and one for the load generator;"
            f" this process may use {sorted(os.sched_getaffinity(0))}")
    raise_descriptor_limit()
    os.sched_setaffinity(0, {CLIENT_CORE})


def raise_descriptor_limit():
    """Raises the soft limit to the hard one: children inherit it, and a thousand connections exceed the usual 1,024."""
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))


def descriptor_limit():
    return resource.getrlimit(resource.RLIMIT_NOFILE)[0]
