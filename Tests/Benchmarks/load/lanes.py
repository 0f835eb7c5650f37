"""Intel's library alone, with full batches of RSA-2048: lanes.py LIBRARY SECONDS prints signatures per second of processor time.

The numbers of a key are random: the library's time does not depend on them.
"""
import ctypes
import pathlib
import secrets
import sys
import time

LANES, BITS, SIGNATURE_BYTES, PRIME_BYTES = 8, 2048, 256, 128
# As the daemon does: the libraries that this one needs lie beside it.
for needed in ("libintlc.so.5", "libimf.so", "libirng.so", "libsvml.so"):
    if (path := pathlib.Path(sys.argv[1]).with_name(needed)).exists():
        ctypes.CDLL(path, ctypes.RTLD_GLOBAL)
library, seconds = ctypes.CDLL(sys.argv[1]), float(sys.argv[2])
library.mbx_RSA_private_crt_Method.restype = ctypes.c_void_p
method = ctypes.c_void_p(library.mbx_RSA_private_crt_Method(BITS))
buffer = ctypes.create_string_buffer(library.mbx_RSA_Method_BufSize(method))


def lanes(size):
    """A random buffer for each lane, odd and of full length, as primes are."""
    values = [bytearray(secrets.token_bytes(size)) for _ in range(LANES)]
    for value in values:
        value[0] |= 1
        value[-1] |= 0xC0
    kept = [(ctypes.c_char * size).from_buffer(value) for value in values]
    return (ctypes.c_void_p * LANES)(*map(ctypes.addressof, kept)), kept


messages, signatures = lanes(SIGNATURE_BYTES), lanes(SIGNATURE_BYTES)
key = [lanes(PRIME_BYTES) for _ in ("p", "q", "dp", "dq", "qInv")]
made, began = 0, time.process_time()
while time.process_time() < began + seconds:
    status = library.mbx_rsa_private_crt_mb8(
        messages[0], signatures[0], *(values for values, _ in key), BITS, method, buffer)
    if status != 0:
        sys.exit(f"the library's status is {status:#x}, expected 0")
    made += LANES
print(made / (time.process_time() - began))
