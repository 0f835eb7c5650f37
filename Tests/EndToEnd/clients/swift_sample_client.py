"""Behaves as Google's Swift sample: TOKEN_EXPIRATION is a point in time, and the token is kept until it is reached.

python swift_sample_client.py BASE_URL tripID|vehicleID ID SECONDS
"""
import sys

sys.dont_write_bytecode = True

import sample_client  # noqa: E402
from outcome import report  # noqa: E402

report(lambda: sample_client.run(expires=lambda served: served))
