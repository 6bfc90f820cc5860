"""Faults in functions that can be called: a question's reference, and what it calls."""

import ast
import functools
import inspect
import linecache
import signal
import sys
import textwrap
import types

from tools.faults.in_code import MODULE, faults


def reference_mutants(function, inside=(), kinds=MODULE, seconds=5):
    """(what, callable) for each fault of a function, and of the helpers `inside` that it calls by name.

    Each mutant lives in a copy of its module's namespace; the module is not touched. A mutant that cannot be
    defined at all is left out. Where the system has timers, a call longer than `seconds` raises TimeoutError.
    """
    for what, mutant in _mutants(function, kinds):
        yield what, _bounded(mutant, seconds)
    for helper in inside:
        for what, mutant in _mutants(helper, kinds):
            twin = _rebound(function, {**function.__globals__, helper.__name__: mutant})
            yield f"{helper.__name__}: {what}", _bounded(twin, seconds)


def _mutants(thing, kinds):
    """Mutants of a function or a class."""
    source, namespace = _source(thing), _namespace(thing)
    for i, fault in enumerate(faults(source, kinds)):
        filename = f"<fault {i} of {thing.__qualname__}>"
        linecache.cache[filename] = (len(fault.code), None, fault.code.splitlines(True), filename)
        own = dict(namespace)
        try:
            exec(compile(fault.code, filename, "exec"), own)
        except Exception:  # e.g. a default that cannot be computed
            continue
        yield f"line {fault.line}: {fault.what}", own[thing.__name__]


def _source(thing):
    """The definition without its decorators, which would register it a second time."""
    if thing.__name__ == "<lambda>":
        raise ValueError("a lambda has no source of its own: define the reference with def")
    source = textwrap.dedent(inspect.getsource(thing))
    first = ast.parse(source).body[0]
    return "\n".join(source.split("\n")[first.lineno - 1 :])


def _namespace(thing):
    if inspect.isclass(thing):
        return vars(sys.modules[thing.__module__])
    return {**thing.__globals__, **inspect.getclosurevars(thing).nonlocals}


def _rebound(function, namespace):
    twin = types.FunctionType(
        function.__code__, namespace, function.__name__, function.__defaults__, function.__closure__
    )
    twin.__kwdefaults__ = function.__kwdefaults__
    return functools.update_wrapper(twin, function)


def _bounded(function, seconds):
    if inspect.isclass(function) or not hasattr(signal, "setitimer"):
        return function

    def too_slow(*_):
        raise TimeoutError(f"more than {seconds} s")

    @functools.wraps(function)
    def bounded(*args, **kwargs):
        before = signal.signal(signal.SIGALRM, too_slow)
        signal.setitimer(signal.ITIMER_REAL, seconds)
        try:
            return function(*args, **kwargs)
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)
            signal.signal(signal.SIGALRM, before)

    return bounded
