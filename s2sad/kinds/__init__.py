"""What is known of a value: number, array (dtype, symbolic shape), container, object, function, unknown."""
