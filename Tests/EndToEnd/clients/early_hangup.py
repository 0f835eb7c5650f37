"""Becomes a program, and sends it SIGHUP while it reads a FIFO: early_hangup.py FIFO FILE PROGRAM [ARGUMENT...]

The FIFO then has the content of the file, now and for one more reader.
"""
import errno
import os
import signal
import sys
import time

fifo, file = sys.argv[1:3]


def has_reader():
    try:
        os.close(os.open(fifo, os.O_WRONLY | os.O_NONBLOCK))
        return True
    except OSError as error:
        if error.errno != errno.ENXIO:
            raise
        return False


program = os.getpid()
if os.fork() == 0:
    with open(file, "rb") as source:
        content = source.read()
    for is_first in (True, False):
        # Waits until the program has opened it.
        with open(fifo, "wb") as pipe:
            if is_first:
                os.kill(program, signal.SIGHUP)
            pipe.write(content)
        # A reader that has not closed it yet would get the content twice.
        while has_reader():
            time.sleep(0.01)
    os._exit(0)
os.execvp(sys.argv[3], sys.argv[3:])
