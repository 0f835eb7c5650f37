"""The benchmark of token-provider; `run` next to this package starts it."""
