"""What test_guards changes: a module of one's own."""

n = 2


def power(x):
    return x**2
