"""Runs in the daemon's sandbox: tries what the daemon must not be able to do, and prints the result of each attempt."""
import ctypes
import errno
import mmap
import os
import socket

libc = ctypes.CDLL(None, use_errno=True)
CLONE_NEWUSER = 0x10000000
PTRACE_ATTACH = 16


def write(path):
    return lambda: os.close(os.open(path, os.O_WRONLY | os.O_CREAT, 0o600))


def call(function, *arguments):
    def run():
        if function(*arguments) == -1:
            raise OSError(ctypes.get_errno(), "")
    return run


def family(number, kind=socket.SOCK_STREAM):
    return lambda: socket.socket(number, kind).close()


def execute():
    child = os.fork()
    if child == 0:
        try:
            os.execv("/bin/sh", ["sh", "-c", ":"])
        except OSError as error:
            os._exit(error.errno)
    code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    if code != 0:
        raise OSError(code, "")


tries = {
    "write /etc": write("/etc/probe"), "write /usr": write("/usr/probe"), "write /var": write("/var/probe"),
    "write /etc/token-provider": write("/etc/token-provider/probe"), "list /root": lambda: os.listdir("/root"),
    "read the key's file": lambda: open("/etc/token-provider/key.json").close(),
    "run a shell": execute,
    "AF_PACKET": family(socket.AF_PACKET, socket.SOCK_RAW), "AF_NETLINK": family(socket.AF_NETLINK, socket.SOCK_RAW),
    "AF_VSOCK": family(socket.AF_VSOCK), "AF_BLUETOOTH": family(31, socket.SOCK_RAW),
    "memory to write and run": lambda: mmap.mmap(-1, 4096, prot=mmap.PROT_WRITE | mmap.PROT_READ | mmap.PROT_EXEC),
    "a user namespace": call(libc.unshare, CLONE_NEWUSER), "mount": call(libc.mount, b"none", b"/tmp", b"tmpfs", 0, None),
    "ptrace of init": call(libc.ptrace, PTRACE_ATTACH, 1, 0, 0), "become root": lambda: os.setuid(0),
    "see init": lambda: os.stat("/proc/1/status"), "AF_INET": family(socket.AF_INET),
    "write its state": write("/var/lib/token-provider-probe/probe"),
    "read its credential": lambda: open(os.environ["GOOGLE_APPLICATION_CREDENTIALS"]).close(),
}
for name, attempt in tries.items():
    try:
        attempt()
        print(f"{name}: done")
    except OSError as error:
        print(f"{name}: {errno.errorcode.get(error.errno, error.errno)}")
