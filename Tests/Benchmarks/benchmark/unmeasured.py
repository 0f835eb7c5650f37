"""The error of a measurement that could not measure."""


class Unmeasured(Exception):
    """A figure could not be measured; the message says why."""
