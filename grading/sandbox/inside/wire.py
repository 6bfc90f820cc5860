"""Plain data over a socket: numbers, text, lists, tables and arrays, as JSON of bounded size and depth.

Both sides use it, and `check` too: what an answer gives becomes plain data here and nowhere else, so that a
learner's notebook and a class judge the same. `decode` meets bytes that a student's process wrote: it builds
plain values only, it never unpickles, imports or evaluates.
"""

import array
import base64
import dis
import inspect
import itertools
import json
import math
import re
import struct
import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence, Set, ValuesView
from decimal import Decimal
from numbers import Complex, Integral, Rational, Real

import numpy as np

LIMIT = 32 * 2**20  # bytes of a message
VALUES = 10**6  # values in a message: more are counted in its bytes, and never built
COLUMNS = 10_000  # of a table
TOO_MANY_COLUMNS = f"a table of more than {COLUMNS} columns cannot be handed in"
ALIKE = 50  # keys of a dict with one hash: beyond, each look-up goes through all of them
DEPTH = 12  # lists in lists
LONG = "g"  # NumPy's letter of `longdouble`
KINDS = "biufc"  # dtypes of an array that may pass: truth values and numbers
PLAIN = (type(None), bool, int, float, str)
BITS = 1023  # of a whole number: a longer one is no float
TOO_LONG = "a whole number of more than 300 digits cannot be handed in"


class WireError(Exception):
    """What came, or what should go, is no plain data. The text is for the student."""


class NothingGiven(Exception):
    """A function ran to its end, and gave nothing."""


# ---- what an answer gives


def give(function, args):
    """What the function gives, as `encode` makes it; None where nothing is written yet."""
    try:
        with np.errstate(all="ignore"):
            value = function(*args)
            if value is None and not is_stub(function):
                raise NothingGiven
            return encode(value)
    except NotImplementedError:
        return None


def settled(value):
    """An answer by value that may be asked for again: what an iterator gives, it gives once."""
    return listed(value) if isinstance(value, Iterator) else value


def arrived(encoded):
    """What the judge is given of it, in whatever process it is."""
    return decode(json.loads(as_bytes(encoded, VALUES)))


def is_stub(function) -> bool:
    """Nothing is written yet: the body is `...`, `pass` or a docstring."""
    code = getattr(inspect.unwrap(function) if callable(function) else None, "__code__", None)
    idle = {"RESUME", "NOP", "LOAD_CONST", "RETURN_CONST", "RETURN_VALUE", "COPY_FREE_VARS"}
    return code is not None and {step.opname for step in dis.get_instructions(code)} <= idle


def line_of(error, function):
    """The line of the answer's own cell where it happened; None where that was elsewhere."""
    line, trace, own = None, error.__traceback__, getattr(function, "__code__", None)
    while trace is not None:
        if own and trace.tb_frame.f_code.co_filename == own.co_filename:
            line = trace.tb_lineno
        trace = trace.tb_next
    return line


# ---- values to JSON and back


def encode(value, depth=0):
    """The value as JSON's own types. Tags: array, words, objects, tuple, dict, set, table, rng."""
    if depth > DEPTH:
        raise WireError(f"lists nested more than {DEPTH} deep cannot be handed in")
    if type(value) in PLAIN:
        return of_some_length(value)
    if type(value) in (list, tuple):
        parts = [encode(part, depth + 1) for part in value]
        return parts if type(value) is list else {"~": "tuple", "v": parts}
    if type(value) is dict:
        return {"~": "dict", "v": [[encode(k, depth + 1), encode(v, depth + 1)] for k, v in value.items()]}
    if type(value) in (set, frozenset):
        return {"~": "set", "v": [encode(part, depth + 1) for part in value]}
    if value is Ellipsis:
        return None
    return encode_library(value, depth)


def encode_library(value, depth):
    """NumPy's and pandas' types, and what can be made an array of."""
    if isinstance(value, np.generic) and value.dtype.kind in "biufUSM" and value.dtype.char != LONG:
        return encode(value.item(), depth)
    if isinstance(value, np.longdouble):
        return float(value)
    if isinstance(value, (np.ndarray, np.generic)):
        return encode_array(np.asarray(value), depth)
    if isinstance(value, np.random.Generator):
        state = value.bit_generator.state
        return {
            "~": "rng",
            "v": [type(value.bit_generator).__name__, json.dumps(state, default=lambda a: a.tolist())],
        }
    if hasattr(value, "columns") and hasattr(value, "to_numpy"):
        if len(value.columns) > COLUMNS:  # they would be read one by one
            raise WireError(TOO_MANY_COLUMNS)
        columns = [
            [encode(name, depth + 1), value.iloc[:, i].tolist()] for i, name in enumerate(value.columns)
        ]
        return {"~": "table", "v": [[name, encode(values, depth + 1)] for name, values in columns]}
    if hasattr(value, "toarray"):  # sparse
        refuse_large(value.shape, 8)
        return encode(value.toarray(), depth)
    kind = type(value)  # what a class says of itself may be a lie
    if (
        hasattr(kind, "__array__") and kind.__module__ != "__main__"
    ):  # a Series, an Index, a Categorical: its values
        return encode(np.asarray(value), depth + 1)
    return encode(as_python(value), depth)


def as_python(value):
    """What a value of one's own type, or of Python's library, stands for: number, text, list or dict."""
    for kind, make in STANDS_FOR.items():
        if issubclass(type(value), kind):
            return make(value)
    what = "a function" if callable(value) else f"a value of type {type(value).__name__}"
    raise WireError(f"{what} cannot be handed in: return numbers, text, lists or arrays")


def refused(value):
    raise WireError("bytes cannot be handed in: return numbers, text, lists or arrays")


def fraction(value):
    return int(value.numerator) if value.denominator == 1 else float(value)


def listed(values):
    found = list(itertools.islice(iter(values), VALUES + 1))
    if len(found) > VALUES:  # an iterator may never end
        raise WireError(f"more than {VALUES} values cannot be handed in")
    return found


STANDS_FOR = {  # the first that fits
    str: str.__str__,
    (bytes, bytearray): refused,
    Integral: int,
    Rational: fraction,
    (Real, Decimal): float,
    Complex: lambda value: np.asarray(complex(value)),
    tuple: lambda value: tuple(listed(value)),
    (set, frozenset): set,
    (array.array, memoryview): np.asarray,
    Mapping: dict,
    (Sequence, Set, ValuesView, Iterator): listed,
}


def of_some_length(value):
    if type(value) is int and value.bit_length() > BITS:
        raise WireError(TOO_LONG)
    return value


def refuse_large(shape, size):
    if math.prod(shape) * size > LIMIT // 2:
        raise WireError(f"an array of shape {tuple(shape)} is too large to be handed in")


def encode_array(array, depth):
    if array.dtype.char in LONG + LONG.upper():  # longer than other machines know
        array = array.astype(float if array.dtype.char == LONG else complex)
    parts = list(map(of_some_length, array.ravel().tolist())) if array.dtype.kind in "UO" else [[]]
    if all(type(part) in PLAIN for part in parts):
        return {"~": "words" if array.dtype.kind == "U" else "objects", "s": list(array.shape), "v": parts}
    if array.dtype.kind not in KINDS:
        return encode(array.tolist(), depth + 1)
    refuse_large(array.shape, array.itemsize)
    data = np.ascontiguousarray(array)
    return {
        "~": "array",
        "d": data.dtype.str,
        "s": list(array.shape),
        "b": base64.b64encode(data.tobytes()).decode(),
    }


def decode(value, depth=0):
    """The value that `encode` was given; raises WireError for anything else."""
    if depth > DEPTH:
        raise WireError("the answer is nested too deep")
    if type(value) in PLAIN:
        return of_some_length(value)
    if type(value) is list:
        return [decode(part, depth + 1) for part in value]
    if type(value) is not dict:
        raise WireError("the answer is no plain data")
    try:
        return DECODERS[value["~"]](value, depth)
    except WireError:
        raise
    except Exception as error:
        raise WireError("the answer is no plain data") from error


def decode_array(value, depth):
    if not re.fullmatch(r"[<>|=]?[a-zA-Z]\d{0,2}", str(value["d"])):
        raise WireError("an array that is none")
    dtype = np.dtype(str(value["d"]))
    data = base64.b64decode(value["b"], validate=True)
    if dtype.kind not in KINDS or len(data) % dtype.itemsize:
        raise WireError("an array that is none")
    shape = shape_of(value, len(data) // dtype.itemsize)
    return np.frombuffer(data, dtype).reshape(shape).copy()


def decode_words(value, depth):
    """An array of text. Each of its places takes as much memory as the longest word."""
    words = value["v"]
    if not all(type(word) is str for word in words):
        raise WireError("an array that is none")
    if 4 * len(words) * max(map(len, words), default=0) > LIMIT:
        raise WireError("an array of text is too large to be handed in")
    return np.array(words, dtype=str).reshape(shape_of(value, len(words)))


def decode_objects(value, depth):
    """An array of numbers, text and None."""
    if not all(type(part) in PLAIN for part in value["v"]):
        raise WireError("an array that is none")
    array = np.array(list(map(of_some_length, value["v"])), dtype=object)
    return array.reshape(shape_of(value, len(array)))


def shape_of(value, count):
    shape = [int(n) for n in value["s"]]
    if len(shape) > 8 or min(shape, default=0) < 0 or math.prod(shape) != count:
        raise WireError("an array that is none")
    return shape


def decode_dict(value, depth):
    pairs = [(decode(k, depth + 1), decode(v, depth + 1)) for k, v in value["v"]]
    refuse_alike(k for k, _ in pairs)
    return dict(pairs)


def decode_set(value, depth):
    parts = [decode(part, depth + 1) for part in value["v"]]
    refuse_alike(parts)
    return set(parts)


def refuse_alike(keys):
    if max(Counter(map(hash, keys)).values(), default=0) > ALIKE:
        raise WireError("keys that are made to collide cannot be handed in")


def decode_table(value, depth):
    import pandas as pd

    if len(value["v"]) > COLUMNS:
        raise WireError(TOO_MANY_COLUMNS)
    columns = [(decode(name, depth + 1), decode(values, depth + 1)) for name, values in value["v"]]
    frame = pd.DataFrame({i: values for i, (_, values) in enumerate(columns)})
    frame.columns = [name for name, _ in columns]
    return frame


def decode_rng(value, depth):
    kind, state = value["v"]
    if kind not in ("PCG64", "PCG64DXSM", "MT19937", "Philox", "SFC64"):
        raise WireError("no such generator")
    generator = np.random.Generator(getattr(np.random, kind)())
    generator.bit_generator.state = json.loads(state)
    return generator


DECODERS = {
    "array": decode_array,
    "words": decode_words,
    "objects": decode_objects,
    "dict": decode_dict,
    "set": decode_set,
    "table": decode_table,
    "rng": decode_rng,
    "tuple": lambda value, depth: tuple(decode(part, depth + 1) for part in value["v"]),
}


# ---- messages


def send(sock, message, values=None, more=""):
    """more : JSON that stands for more of the message, as '"args": 7'"""
    data = as_bytes(message, values, more)
    sock.sendall(struct.pack("<I", len(data)) + data)


def as_bytes(message, values=None, more=""):
    data = json.dumps(message).encode()
    data = data[:-1] + f", {more}}}".encode() if more else data
    if len(data) > LIMIT or too_many(data, values):
        raise WireError("that is too large to be handed in")
    return data


def too_many(data, values):
    """More than so many values, read off the bytes; commas in a text count too."""
    return values is not None and sum(data.count(sign) for sign in (b",", b"[", b"{")) > values


def receive(sock, deadline=None, values=None):
    """The next message. A reply that comes in drops does not outlast the deadline (time.monotonic).

    values : how many it may hold at most
    """
    (length,) = struct.unpack("<I", read(sock, 4, deadline))
    if length > LIMIT:
        raise WireError("the answer is too large")
    data = read(sock, length, deadline)
    if too_many(data, values):
        raise WireError("the answer holds too many values")
    try:
        return json.loads(data)
    except (ValueError, RecursionError, MemoryError) as error:
        raise WireError("the answer is no plain data") from error


def read(sock, count, deadline):
    data = bytearray()
    while len(data) < count:
        if deadline is not None:
            sock.settimeout(max(deadline - time.monotonic(), 1e-3))
        part = sock.recv(min(count - len(data), 2**20))
        if not part:
            raise EOFError("the other side is gone")
        data += part
        if deadline is not None and time.monotonic() > deadline:
            raise TimeoutError
    return bytes(data)
