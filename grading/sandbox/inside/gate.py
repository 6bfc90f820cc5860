"""Modules that an answer may not use: no name leads to them, their code refuses, their files are gone."""

import ctypes
import gc
import sys
import types


def forbid(forbids, safe, code=()):
    """Takes the modules away.

    code : all functions and classes that there are, also those that no name leads to
    """
    if not forbids:
        return
    from isolation import hide, own_namespaces

    if safe:
        own_namespaces()
    modules = {name: module for name, module in sys.modules.items() if is_in(name, forbids) and module}
    places = [
        place
        for module in modules.values()
        for place in getattr(module, "__path__", [module.__file__])
        if place
    ]
    for place in sorted(set(map(str, places)), key=len) if safe else ():
        hide(place)
    for module in list(sys.modules.values()):
        for name, value in list(vars(module).items()) if isinstance(module, types.ModuleType) else ():
            if is_in(home(value), forbids):
                module.__dict__[name] = Refusal(home(value))
    for value in code:
        if is_in(home(value), forbids):
            blunt(value, home(value))
    for name, module in modules.items():  # compiled functions, which nobody can change, go with the last name
        del sys.modules[name]
        if isinstance(module, types.ModuleType):
            vars(module).clear()
            vars(module)["_refuse_here"] = refuse(name)
    sys.meta_path.insert(0, Gate(forbids))


def is_in(name, forbids):
    return isinstance(name, str) and any(name == bad or name.startswith(bad + ".") for bad in forbids)


def home(value):
    try:
        return value.__name__ if isinstance(value, types.ModuleType) else value.__module__
    except Exception:
        return None


def is_class(value):
    return issubclass(type(value), type)


def refuse(name):
    def refused(*args, **kwargs):
        raise ImportError(f"{name} is not allowed here: the point is to write it yourself")

    return refused


def blunt(value, name):
    """What was taken along under another name, or is found in memory, refuses too."""
    if is_class(value):
        return blunt_class(value)
    free = value.__code__.co_freevars
    value.__globals__["_refuse_here"] = refuse(name)
    value.__code__ = (lambda *args, **kwargs: _refuse_here()).__code__.replace(co_freevars=free)  # noqa: F821


def blunt_class(value):
    """Its functions refuse by themselves; a compiled class loses its methods."""
    compiled = [n for n, part in vars(value).items() if type(part).__name__ in COMPILED and n[:2] != "__"]
    for names in gc.get_referents(value.__dict__)[:1] if compiled else ():
        for name in compiled:
            names.pop(name, None)
        ctypes.pythonapi.PyType_Modified(ctypes.py_object(value))


COMPILED = ("method_descriptor", "getset_descriptor", "member_descriptor", "cython_function_or_method")


class Refusal:
    """Stands where a forbidden module, class or function stood."""

    def __init__(self, name):
        self.__dict__["_name"] = name

    def __call__(self, *args, **kwargs):
        raise ImportError(f"{self._name} is not allowed here: the point is to write it yourself")

    def __getattr__(self, attribute):
        if attribute.startswith("__"):
            raise AttributeError(attribute)
        self()


class Gate:
    """Refuses the import of forbidden modules."""

    def __init__(self, forbids):
        self.forbids = forbids

    def find_spec(self, name, path=None, target=None):
        if is_in(name, self.forbids):
            raise ImportError(f"{name} is not allowed here: the point is to write it yourself")
