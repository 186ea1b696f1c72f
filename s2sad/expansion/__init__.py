"""A rule and a call, expanded: the statements that the derivative of the call comes to.

A template is interpreted over its tree. Conditions, loops and macros are run now, on what is known of the operands; the
expressions that remain are copied with operands for parameters. In `d[x]`, `g = d[y]` and all that is multiplied with
them, the derivative of an inactive value is a symbolic zero, which vanishes from sums and takes products with it.

The pairing of cotangents and tangents is bilinear, without conjugation: for all dx,
`Re(sum(bx * dx)) = Re(sum(by * dy))`. So a holomorphic function has one rule for real and for complex arguments.

The two questions are `reverse.adjoint` and `forward.tangent`. A call is a `Context`; `binding` binds its arguments to
the parameters of a template, a `Run` runs the statements, its `Writer` writes the expressions, and its `Contributions`
fit what comes of them (`fit`) to the arguments. `macros` has the functions that templates call.
"""
