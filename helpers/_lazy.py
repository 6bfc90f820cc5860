"""Packages whose modules are imported when one of their names is asked for: none pulls in the others."""

from importlib import import_module


def attach(package, modules):
    """The package's ``__getattr__``, ``__dir__`` and ``__all__`` (PEP 562), from {module: [names]}."""
    home = {name: module for module, names in modules.items() for name in names}
    names = sorted(home)

    def __getattr__(name):
        if name not in home:
            raise AttributeError(f"{package} has no {name!r}; it has {', '.join(names)}")
        return getattr(import_module(f"{package}.{home[name]}"), name)

    return __getattr__, lambda: names, names
