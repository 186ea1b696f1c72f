"""A room for each kind of statement."""
