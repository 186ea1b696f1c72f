"""Iterables and iterators."""
