"""Plain data over a socket: numbers, text, lists, tables and arrays, as JSON of bounded size and depth.

Both sides use it. `decode` meets bytes that a student's process wrote: it builds plain values only, it never
unpickles, imports or evaluates.
"""

import base64
import json
import math
import struct
import time

import numpy as np

__all__ = ["LIMIT", "WireError", "decode", "encode", "receive", "send"]

LIMIT = 32 * 2**20  # bytes of a message
DEPTH = 12  # lists in lists
KINDS = "biufc"  # dtypes of an array that may pass: truth values and numbers
PLAIN = (type(None), bool, int, float, str)


class WireError(Exception):
    """What came, or what should go, is no plain data. The text is for the student."""


# ---- values to JSON and back


def encode(value, depth=0):
    """The value as JSON's own types. Tags: array, tuple, dict, table, rng."""
    if depth > DEPTH:
        raise WireError(f"lists nested more than {DEPTH} deep cannot be handed in")
    if type(value) in PLAIN:
        return value
    if type(value) in (list, tuple):
        parts = [encode(part, depth + 1) for part in value]
        return parts if type(value) is list else {"~": "tuple", "v": parts}
    if type(value) is dict:
        return {"~": "dict", "v": [[encode(k, depth + 1), encode(v, depth + 1)] for k, v in value.items()]}
    if type(value) in (set, frozenset):
        return encode(list(value), depth)
    if isinstance(value, complex):
        return encode(np.asarray(value), depth)
    if value is Ellipsis:
        return None
    return encode_library(value, depth)


def encode_library(value, depth):
    """NumPy's and pandas' types."""
    if isinstance(value, np.generic):
        return (
            encode(value.item(), depth)
            if value.dtype.kind in "biufUSM"
            else encode_array(np.asarray(value), depth)
        )
    if isinstance(value, np.ndarray):
        return encode_array(np.asarray(value), depth)
    if isinstance(value, np.random.Generator):
        state = value.bit_generator.state
        return {
            "~": "rng",
            "v": [type(value.bit_generator).__name__, json.dumps(state, default=lambda a: a.tolist())],
        }
    if hasattr(value, "to_frame") and hasattr(value, "index"):  # a Series: its values
        return encode(value.to_numpy(), depth)
    if hasattr(value, "columns") and hasattr(value, "to_numpy"):
        columns = [
            [encode(name, depth + 1), value.iloc[:, i].tolist()] for i, name in enumerate(value.columns)
        ]
        return {"~": "table", "v": [[name, encode(values, depth + 1)] for name, values in columns]}
    if hasattr(value, "toarray"):  # sparse
        return encode(value.toarray(), depth)
    raise WireError(
        f"a value of type {type(value).__name__} cannot be handed in: return numbers, text, lists or arrays"
    )


def encode_array(array, depth):
    if array.dtype.kind not in KINDS:
        return encode(array.tolist(), depth)
    data = np.ascontiguousarray(array)
    if data.nbytes > LIMIT // 2:
        raise WireError(f"an array of shape {array.shape} is too large to be handed in")
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
        return value
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
    dtype = np.dtype(str(value["d"]))
    shape = [int(n) for n in value["s"]]
    if dtype.kind not in KINDS or len(shape) > 8 or min(shape, default=0) < 0:
        raise WireError("an array that is none")
    data = base64.b64decode(value["b"], validate=True)
    if math.prod(shape) * dtype.itemsize != len(data):
        raise WireError("an array that is none")
    return np.frombuffer(data, dtype).reshape(shape).copy()


def decode_dict(value, depth):
    return {decode(k, depth + 1): decode(v, depth + 1) for k, v in value["v"]}


def decode_table(value, depth):
    import pandas as pd

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
    "dict": decode_dict,
    "table": decode_table,
    "rng": decode_rng,
    "tuple": lambda value, depth: tuple(decode(part, depth + 1) for part in value["v"]),
}


# ---- messages


def send(sock, message):
    data = json.dumps(message).encode()
    if len(data) > LIMIT:
        raise WireError("that is too large to be handed in")
    sock.sendall(struct.pack("<I", len(data)) + data)


def receive(sock, deadline=None):
    """The next message. A reply that comes in drops does not outlast the deadline (time.monotonic)."""
    (length,) = struct.unpack("<I", read(sock, 4, deadline))
    if length > LIMIT:
        raise WireError("the answer is too large")
    try:
        return json.loads(read(sock, length, deadline))
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
