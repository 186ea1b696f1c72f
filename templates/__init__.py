"""The derivative rules, by subject. Templates are parsed, not run: see s2sad.rules."""
