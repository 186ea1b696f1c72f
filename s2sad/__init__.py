"""Source-to-source automatic differentiation for Python and NumPy."""
