"""The benchmark of token-provider; `run` beside this package starts it."""
