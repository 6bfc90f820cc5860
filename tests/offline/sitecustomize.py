"""Networking is off: what reaches for another machine raises, in the tests and in the kernels they start.
And reading a notebook loads no grammar of addresses.

Python imports a module of this name when it starts; conftest.py puts this folder on PYTHONPATH.
"""

import ipaddress
import socket
import sys

HERE = {"", "localhost", "localhost.localdomain", socket.gethostname().lower()}


def leaves_this_machine(host):
    """Whether an address or a name lies elsewhere (names are not looked up: that would be a request)."""
    if host is None:
        return False
    host = (host.decode("ascii", "replace") if isinstance(host, bytes) else str(host)).split("%")[0].lower()
    try:
        address = ipaddress.ip_address(host)
    except ValueError:
        return host not in HERE
    return not (address.is_loopback or address.is_unspecified)


def guard(event, arguments):
    if event == "socket.getaddrinfo":
        host = arguments[0]
    elif event in ("socket.connect", "socket.sendto") and isinstance(arguments[1], tuple):
        if event == "socket.connect" and arguments[0].type == socket.SOCK_DGRAM:
            return  # connecting a datagram socket sends nothing
        host = arguments[1][0]
    else:
        return
    if leaves_this_machine(host):
        raise RuntimeError(f"networking is off in the tests, and something asked for {host}")


# jsonschema would build a grammar of addresses: a second and more in each process that reads a notebook, and
# none of ours has a field of that kind.
sys.modules.setdefault("rfc3987_syntax", None)

if not getattr(sys, "_networking_is_off", False):  # twice would do no harm, but cost time
    sys._networking_is_off = True
    sys.addaudithook(guard)
