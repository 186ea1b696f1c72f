"""Abstract values, and what can be asked of them."""
