"""The drawer of what exists for speed alone.

The plain way, in view, is the definition; this is checked against it.

``HELPERS_PLAIN=1`` in the environment keeps the drawer shut: every result then comes from the plain code.
"""

import os
from contextlib import suppress
from functools import wraps
from importlib import import_module

from numpy.linalg import LinAlgError

__all__ = ["faster", "is_open"]


def is_open():
    """Whether the drawer is used: not where the environment says ``HELPERS_PLAIN=1``."""
    return os.environ.get("HELPERS_PLAIN", "0") in ("", "0")


def faster(module):
    """Let the function of the same name in ``helpers._fast.<module>`` answer first.

    It takes the same arguments and gives the same result, or NotImplemented where it does not pay or does not
    apply, or it meets equations that are singular; then, and with the drawer shut, the plain function below
    the decorator answers. It stays there as ``.plain``.
    """

    def choose(plain):
        @wraps(plain)
        def either(*args, **kwargs):
            if is_open():
                quick = getattr(import_module(f"helpers._fast.{module}"), plain.__name__)
                with suppress(LinAlgError):
                    result = quick(*args, **kwargs)
                    if result is not NotImplemented:
                        return result
            return plain(*args, **kwargs)

        either.plain = plain
        return either

    return choose
