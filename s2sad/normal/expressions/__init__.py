"""A room for each kind of expression."""
