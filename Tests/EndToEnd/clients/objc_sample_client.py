"""Behaves as Google's Objective-C sample: TOKEN_EXPIRATION is added to the current time, so it requests relative seconds.

python objc_sample_client.py BASE_URL tripID|vehicleID ID SECONDS
"""
import sys
import time

sys.dont_write_bytecode = True

import sample_client  # noqa: E402
from outcome import report  # noqa: E402

report(lambda: sample_client.run(expires=lambda served: time.time() + served, suffix="&expiration=relative"))
