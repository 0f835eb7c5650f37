"""Rounds of several contenders by turns, so that drift of the machine meets all alike."""


def rounds(count, contenders, after=lambda: None):
    """`contenders` are functions by name, each of which measures one round; returns what they found, by name."""
    found = {name: [] for name in contenders}
    for number in range(count):
        # The order is turned round each time.
        for name in list(contenders) if number % 2 == 0 else reversed(list(contenders)):
            found[name].append(contenders[name]())
        after()
    return found
