"""What is known of functions without looking into them: the rules that are registered, and where they come from."""
