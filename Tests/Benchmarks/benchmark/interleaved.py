"""Rounds of several contenders in turn, so that changes of the machine's speed affect all of them equally."""


def rounds(count, contenders, after=lambda: None):
    """`contenders` are functions by name that each measure one round; returns their results by name."""
    found = {name: [] for name in contenders}
    for number in range(count):
        # The order is reversed each time.
        for name in list(contenders) if number % 2 == 0 else reversed(list(contenders)):
            found[name].append(contenders[name]())
        after()
    return found
