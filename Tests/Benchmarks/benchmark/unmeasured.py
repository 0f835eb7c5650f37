"""How a measurement says that it could not measure."""


class Unmeasured(Exception):
    """A figure could not be measured; the message is the sentence for the reader."""
