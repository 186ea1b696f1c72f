"""The command line: s2sad show | build | check | explain | rules."""

from __future__ import annotations

import argparse
import contextlib
import fnmatch
import importlib
import os
import shlex
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from s2sad.derivative import GeneratedDerivative, Grad, Jvp, ValueAndGrad, Vjp
from s2sad.face import Derivative
from s2sad.frontend.diagnostics import BadArgument, DerivationError, defect_at
from s2sad.frontend.locate import locate
from s2sad.highlight import highlighted
from s2sad.stages import STAGES, stage_text
from s2sad.version import __version__

DONE, NO, WRONG, INTERRUPTED = 0, 1, 2, 130

_TARGETS = """\
a TARGET is path/to/file.py:function, package.module:function, or either with :Class.method
the module of a TARGET is imported, hence run: name none whose code you would not run
exit status: 0 done; 1 the answer is no; 2 wrong usage or unsupported source
"""

_KINDS = """\
kinds (--args), where neither annotations nor defaults say them:
  float int bool str None      numbers and the like; 3 or "text" for one value
  f8[n] f8[n, 3] f4[]          arrays by dtype and lengths; a name is one length, 2 or more
  {W: f8[n], b: float}         a dict; [float, float] a list; (float, int) a tuple; ? nothing known
"""

_EXAMPLES = {
    "": """\
examples:
  s2sad show model.py:loss                          the derivative of loss for its first parameter
  s2sad show model.py:loss --wrt w,b --args "w: f8[n], b: float, X: f8[m, n]"
  s2sad build model.py:loss --wrt w -o loss_grad.py write it to a module that needs s2sad no more
  s2sad check model.py:loss --wrt w                 compare it with numerical differentiation
  s2sad explain model.py:loss --wrt w               what is active, what is kept and why, what it costs
  s2sad rules linalg                                which functions of np.linalg have derivatives
""",
    "show": """\
examples:
  s2sad show model.py:loss --wrt w,b --value
  s2sad show model.py:loss --inputs example         where model.py has: def example(): return w, b, X
  s2sad show model.py:loss --mode forward
  s2sad show package.model:Net.loss --args "x: f8[n, d], steps: int"
  s2sad show model.py:loss --stage adjoint          a stage on the way: the adjoint, before it is tidied
""",
    "build": """\
examples:
  s2sad build model.py:loss --wrt w,b -o loss_grad.py
  s2sad build a.py:f b.py:g --args "x: f8[n]" --args "y: float" -o grads.py    one for each TARGET, or one for all
  s2sad build model.py:Net.loss --wrt x --inputs tests/data.py:example -o loss_grad.py
  s2sad build model.py:loss -o loss_grad.py --check     in CI: fails when loss_grad.py is out of date
  s2sad build [--check]         all that pyproject.toml lists: [[tool.s2sad.build]] output = FILE, targets = [TARGET]
FILE is new, or was written by s2sad build and not edited since; else --force. No source of a TARGET is overwritten.
""",
    "check": """\
examples:
  s2sad check model.py:loss
  s2sad check model.py:loss --wrt w --args "w: f8[n], X: f8[m, n]"
  s2sad check model.py:loss --inputs example        where model.py has: def example(): return w, X
  s2sad check model.py:Net.loss --inputs tests/data.py:example      an object and what its method takes

Arguments are drawn at random (floats between 0.5 and 1.5) unless --inputs names a function that returns them:
a tuple in the order of the parameters, or a dict by name.
""",
    "explain": """\
examples:
  s2sad explain model.py:loss
  s2sad explain model.py:loss --wrt w,b --args "w: f8[n], b: float, X: f8[m, n]"
  s2sad explain model.py:loss --inputs tests/data.py:example
""",
    "rules": """\
examples:
  s2sad rules                  all, and the share of each namespace that they cover
  s2sad rules --shares         the shares alone, and what is not covered under its reason
  s2sad rules linalg           those with linalg in their name
  s2sad rules 'np.*sin*'       those that match a pattern
""",
}


def _parser() -> argparse.ArgumentParser:
    def raw(prog: str) -> argparse.HelpFormatter:
        return argparse.RawDescriptionHelpFormatter(prog, max_help_position=30, width=110)

    parser = argparse.ArgumentParser(
        prog="s2sad",
        description="Derivatives of Python functions as Python source.",
        epilog=_EXAMPLES[""] + "\n" + _TARGETS,
        formatter_class=raw,
    )
    parser.add_argument("--version", action="version", version=f"s2sad {__version__}")
    commands = parser.add_subparsers(dest="command", metavar="COMMAND", required=True)

    def command(name: str, text: str, kinds: bool = True) -> argparse.ArgumentParser:
        return commands.add_parser(
            name,
            help=text,
            description=text[0].upper() + text[1:] + ".",
            epilog=_EXAMPLES[name] + ("\n" + _KINDS + "\n" + _TARGETS if kinds else ""),
            formatter_class=raw,
            allow_abbrev=False,  # `build` writes its options into the header of what it writes
        )

    def derivation(sub: argparse.ArgumentParser, several: bool = False) -> None:
        action = "append" if several else "store"
        sub.add_argument("--wrt", metavar="x,y", action=action, help="parameters, by name or position (default: first)")
        sub.add_argument("--args", metavar="KINDS", dest="kinds", action=action, help="what is passed, by kind (below)")
        sub.add_argument("--inputs", metavar="EXAMPLE", action=action, help="FILE:function that returns what is passed")
        sub.add_argument("--strong-zero", action="store_true", help="zero times an infinite slope is zero everywhere")

    def form(sub: argparse.ArgumentParser) -> None:
        sub.add_argument("--mode", choices=("reverse", "forward"), default="reverse", help="(default: reverse)")
        sub.add_argument("--value", action="store_true", help="return the value too")
        sub.add_argument("--vjp", action="store_true", help="return the value and the pullback: results of any shape")
        sub.add_argument("--compile", choices=("numba",), help="compiled: kernels that need numpy and numba alone")

    show = command("show", "print a derivative")
    show.add_argument("target", metavar="TARGET")
    derivation(show)
    form(show)
    show.add_argument("--stage", choices=STAGES, help="a stage on the way instead of the derivative; it runs, too")

    build = command("build", "write derivatives to a module that stands alone")
    build.add_argument("target", metavar="TARGET", nargs="*")
    build.add_argument("-o", "--output", metavar="FILE")
    build.add_argument("--check", action="store_true", help="write nothing; exit with 1 when FILE is out of date")
    build.add_argument("--force", action="store_true", help="overwrite FILE even if s2sad did not write it")
    derivation(build, several=True)
    form(build)

    check = command("check", "compare derivatives with numerical differentiation")
    check.add_argument("target", metavar="TARGET", nargs="+")
    derivation(check, several=True)
    check.add_argument("--mode", choices=("reverse", "forward"), help="one mode alone (default: both)")
    check.add_argument("--seed", type=int, default=0, help="of the random arguments and directions (default: 0)")
    check.add_argument("--tolerance", type=float, help="largest relative error (default: 1e-6, for float32 1e-2)")

    explain = command("explain", "say what is active, what is recorded and why, and what it costs")
    explain.add_argument("target", metavar="TARGET")
    derivation(explain)
    form(explain)

    rules = command("rules", "list the functions that have derivatives", kinds=False)
    rules.add_argument("pattern", metavar="PATTERN", nargs="?")
    rules.add_argument("--shares", action="store_true", help="the share of each namespace alone")
    return parser


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line.

    Args:
        argv: the arguments, without the program's name; those of the process by default.

    Returns:
        the exit status.
    """
    arguments = list(sys.argv[1:] if argv is None else argv)
    options = _parser().parse_args(arguments)
    try:
        run = {"show": _show, "build": _build, "check": _check, "explain": _explain, "rules": _rules}[options.command]
        status = run(options, arguments)
        sys.stdout.flush()
        return status
    except DerivationError as error:
        print(error, file=sys.stderr)
        return WRONG
    except KeyboardInterrupt:
        print("Interrupted: a file is written whole, or is as it was.", file=sys.stderr)
        return INTERRUPTED
    except BrokenPipeError:  # the reader, such as head, has seen enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return DONE
    except Exception as error:
        if os.environ.get("S2SAD_DEBUG"):
            raise
        print(defect_at(None, None, error), file=sys.stderr)
        return WRONG


def _show(options: argparse.Namespace, _: list[str]) -> int:
    derivative = _derivative(options.target, options)
    made = derivative.derive_for(_kinds_of(derivative, options.target, options))
    text = stage_text(made, options.stage) if options.stage else made.text
    print(highlighted(text, sys.stdout), end="")
    return DONE


def _build(options: argparse.Namespace, arguments: list[str]) -> int:
    from s2sad.build import state_of_file, write

    if not options.target:
        given = [f"--{name}" for name in ("output", "wrt", "kinds", "inputs") if getattr(options, name)]
        if given:
            reason = f"There is no TARGET for {', '.join(given).replace('kinds', 'args')}."
            raise BadArgument(reason, "name one: s2sad build model.py:loss -o FILE.")
        modules = _project_modules(options)
    elif not options.output:
        raise BadArgument("There is no FILE to write.", "say which: -o FILE.")
    else:
        again = ["s2sad", *[a for a in arguments if a not in ("--check", "--force")]]
        wanted = [(target, _own(options, i)) for i, target in enumerate(options.target)]
        modules = [_module(Path(options.output), wanted, again, options)]
    failed = False
    for path, text, again in modules:
        state = state_of_file(path, text) if options.check else ""
        if state:
            print(f"{path} {state}.\nWay out: {shlex.join(again)}", file=sys.stderr)
            failed = True
    if not options.check:
        for path, text, _ in modules:
            write(path, text)
    return NO if failed else DONE


def _module(
    path: Path, wanted: list[tuple[str, argparse.Namespace]], again: list[str], options: argparse.Namespace
) -> tuple[Path, str, list[str]]:
    """A file to write, its text, and the command that makes it again."""
    from s2sad.build import Job, built, check_replaceable

    jobs = []
    for target, own in wanted:
        derivative = _derivative(target, own)
        jobs.append(Job(target, derivative, _kinds_of(derivative, target, own)))
    if not options.check:
        check_replaceable(path, [file for job in jobs for file in job.sources()], __version__, options.force)
    return path, built(jobs, again, __version__), again


def _project_modules(options: argparse.Namespace) -> list[tuple[Path, str, list[str]]]:
    """The files that pyproject.toml asks for; none is written before the texts of all are there."""
    from s2sad.project import builds_of, find_project

    project = find_project(Path.cwd())
    builds = builds_of(project)
    modules = []
    with contextlib.chdir(project.parent):
        for build in builds:
            wanted = [(w.target, _as_given(w.options)) for w in build.targets]
            modules.append(_module(project.parent / build.output, wanted, ["s2sad", "build"], options))
    return modules


def _as_given(options: dict[str, Any]) -> argparse.Namespace:
    """The options of a target in pyproject.toml, as the command line has them."""
    out = argparse.Namespace(wrt=None, kinds=None, inputs=None, mode="reverse")
    out.value = out.vjp = out.strong_zero = False
    out.compile = None
    for name, value in options.items():
        setattr(out, "kinds" if name == "args" else name, value)
    return out


def _check(options: argparse.Namespace, _: list[str]) -> int:
    from s2sad.check import check, draw
    from s2sad.inputs import example_arguments

    failed = False
    for i, target in enumerate(options.target):
        own = _own(options, i)
        derivative = _derivative(target, own, Grad)
        if own.inputs:
            arguments = example_arguments(own.inputs, target, derivative)
        else:
            arguments = draw(derivative.kinds_ahead(_kinds(own)), options.seed)
        wrt = _wrt(own.wrt) if own.wrt else derivative._wrt
        findings = check(
            derivative.primal,
            wrt,
            arguments,
            forward=options.mode != "reverse",
            reverse=options.mode != "forward",
            tolerance=options.tolerance,
            seed=options.seed,
            strong_zero=derivative._strong_zero,
        )
        print(target)
        width = max(len(f.parameter) for f in findings)
        for f in findings:
            verdict = "right" if f.passed else f"WRONG (more than {f.tolerance:.0e})"
            print(f"  {f.mode:8} {f.parameter:{width}}  relative error {f.error:.1e}  {verdict}")
            failed = failed or not f.passed
    return NO if failed else DONE


def _explain(options: argparse.Namespace, _: list[str]) -> int:
    from s2sad.explain import explained

    derivative = _derivative(options.target, options)
    kinds = _kinds_of(derivative, options.target, options)
    print(explained(derivative, derivative.derive_for(kinds), kinds), end="")
    return DONE


def _rules(options: argparse.Namespace, _: list[str]) -> int:
    from s2sad import coverage
    from s2sad.knowledge.registry import listed as registry

    import_optional()
    if options.shares:
        _shares(options.pattern)
        return DONE
    pattern = options.pattern or "*"
    if not any(c in pattern for c in "*?["):
        pattern = f"*{pattern}*"
    found = [r for r in registry() if fnmatch.fnmatchcase(r.name, pattern)]
    if not found:
        print(f"No function matches {options.pattern!r}.\nWay out: s2sad rules lists all.", file=sys.stderr)
        return NO
    width = max(len(r.name) for r in found)
    for rule in found:
        has = (("forward", rule.forward), ("reverse", rule.reverse), ("second", coverage.second(rule)))
        modes = "zero" if rule.zero else " ".join(mode for mode, there in has if there)
        note = "no derivative: 0" if rule.zero else " ".join(rule.doc.split("\n\n")[0].split())
        print(f"{rule.name:{width}}  {modes:22}  {coverage.tested(rule):17}  {note}".rstrip())
    if not options.pattern:
        _shares(None)
    return DONE


def _shares(pattern: str | None) -> None:
    """The share of each namespace that has derivatives, and what has none, under its reason."""
    import textwrap

    from s2sad import coverage

    for survey in coverage.surveys():
        if pattern and pattern.replace("np", "numpy", 1) not in survey.namespace and pattern not in survey.namespace:
            continue
        print(f"\n{survey.namespace}: {survey.line}")
        for reason, names in sorted(survey.uncovered.items()):
            text = f"{reason} ({len(names)}): {' '.join(names)}"
            print(textwrap.fill(text, 120, initial_indent="    ", subsequent_indent="        ", break_on_hyphens=False))


# Options


def _derivative(target: str, options: argparse.Namespace, cls: type[GeneratedDerivative] | None = None) -> Any:
    """The Derivative that a target and the options name. A decorated function keeps its own wrt and operator."""
    found = locate(target)
    wrt: Any = _wrt(options.wrt) if options.wrt else 0
    strong = options.strong_zero
    compiling: dict[str, Any] = {"compile": options.compile} if getattr(options, "compile", None) else {}
    if isinstance(found, Derivative):
        wrt = wrt if options.wrt else found._wrt
        strong = strong or found._strong_zero
        compiling = {**found._compiling, **compiling}
        found = found.primal
    if cls is None:
        if options.mode == "forward":
            cls = Jvp
        elif options.vjp:
            cls = Vjp
        else:
            cls = ValueAndGrad if options.value else Grad
    owner, _, name = target.rpartition(":")[2].rpartition(".")
    derivative = cls(found, wrt, strong_zero=strong, **compiling)
    if owner and name:  # a method taken from its class: positions count behind self
        holder = locate_owner(target)
        raw = vars(holder).get(name) if isinstance(holder, type) else None
        if raw is not None and not isinstance(raw, (staticmethod, classmethod)):
            derivative._setup(method=True)
    return derivative


def import_optional() -> None:
    """Import the parts of SciPy that have rules, where SciPy is installed: their rules come with them."""
    from s2sad.knowledge.templates import modules_in, template_package

    for name in modules_in(template_package()):
        if name.startswith("scipy_"):
            with contextlib.suppress(ImportError):
                importlib.import_module("scipy." + name.removeprefix("scipy_"))


def locate_owner(target: str) -> Any:
    """What a method's target is taken from: the class."""
    from s2sad.frontend.locate import module_at

    place, _, name = target.rpartition(":")
    found: Any = module_at(place)
    for part in name.split(".")[:-1]:
        found = getattr(found, part)
    return found


def _wrt(text: str) -> Any:
    """What --wrt means: one parameter bare, several (or one and a comma) as a tuple.

    >>> _wrt("x"), _wrt("x,1"), _wrt("x,")
    ('x', ('x', 1), ('x',))
    """
    parts = [int(p) if p.isdigit() else p for p in (p.strip() for p in text.split(",")) if p]
    return parts[0] if len(parts) == 1 and "," not in text else tuple(parts)


def _own(options: argparse.Namespace, number: int) -> argparse.Namespace:
    """The options of one of several targets: those that are given once are for all, else one is for each, in order."""
    own = argparse.Namespace(**vars(options))
    count = len(options.target)
    for name, option in (("wrt", "--wrt"), ("kinds", "--args"), ("inputs", "--inputs")):
        given = getattr(options, name)
        if given and len(given) not in (1, count):
            raise BadArgument(
                f"{option} is given {len(given)} times for {count} target{'s' * (count != 1)}.",
                "give it once, for all, or once for each target, in their order.",
            )
        setattr(own, name, (given[0] if len(given) == 1 else given[number]) if given else None)
    return own


def _kinds_of(derivative: Any, target: str, options: argparse.Namespace) -> dict[str, Any]:
    """What is passed: as --inputs gives it, else as --args says."""
    if not options.inputs:
        return derivative.kinds_ahead(_kinds(options))  # type: ignore[no-any-return]
    if options.kinds:
        raise BadArgument("--args and --inputs both say what is passed.", "give one of them.")
    from s2sad.inputs import example_arguments

    return derivative.kinds_like(example_arguments(options.inputs, target, derivative))  # type: ignore[no-any-return]


def _kinds(options: argparse.Namespace) -> dict[str, Any]:
    if not options.kinds:
        return {}
    from s2sad.kinds.spec import SpecError, parse_kinds

    try:
        return parse_kinds(options.kinds)
    except SpecError as error:
        raise BadArgument(f"--args cannot be read: {error}", 'write --args "x: f8[n], k: int"; see --help.') from None


if __name__ == "__main__":
    sys.exit(main())
