"""The same derivative for a compiler: kernels over numbers and arrays in the subset of Python that Numba takes.

options     what `compile=` says
boundary    which numbers and arrays go into a kernel and come out of it, and how containers are put together again
kinds_here  the kinds of names where a statement stands
single      numbers of Python's that meet single precision
subset      what Numba lacks, written with what it has
forms       functions of NumPy that Numba has in another form
whole       Python's ints as ints of 64 bits
kernels     all of it, from a derivation to a derivation
faults      what Numba says, at the user's line
"""
