"""What calls of builtins and library functions are lowered by."""
