"""Constructs as simpler ones, tree to tree, before or while they are lowered."""
