"""What `get_ipython()` gives in a submission: the habits of notebooks on which an answer may hang.

Magics that show something, or change how it is shown, do nothing; so does what would fetch from a network.
"""

import __future__

import ast
import inspect
import os
import re
import subprocess
import tempfile
import time
import types

FETCHES = re.compile(r"^\s*(?:sudo\s+)?(?:pip3?|uv|conda|mamba|apt|apt-get|git|wget|curl|python3? -m pip)\b")
OPTIONS = re.compile(r"^\s*(?:-[nrp]\s*\d+\s*|-[a-zA-Z]+\s+|-[a-zA-Z]+$)*")
SECONDS, OUTPUT = 20, 10**6  # of a command; bytes that are read of what it prints


class Shell:
    """names : the notebook's"""

    def __init__(self, names):
        self.user_ns, self.execution_count, self.flags = names, 0, ast.PyCF_ALLOW_TOP_LEVEL_AWAIT
        self.loop = None
        names.update(get_ipython=lambda: self, display=lambda *args, **kwargs: None, In=[""], Out={}, _="")

    # ---- cells and what they give

    def begin(self, source):
        self.execution_count += 1
        self.user_ns["In"].append(source)

    def gave(self, value):
        """The last line of a cell: `_`, `__`, and `Out` have it."""
        if value is not None:
            names = self.user_ns
            names["___"], names["__"], names["_"] = names.get("__", ""), names.get("_", ""), value
            names["Out"][self.execution_count] = names[f"_{self.execution_count}"] = value

    def run_code(self, tree, file, mode):
        """As IPython does: `from __future__` is for later cells too, and `await` may stand at the top."""
        for node in tree.body if mode == "exec" else ():
            if isinstance(node, ast.ImportFrom) and node.module == "__future__":
                for alias in node.names:
                    self.flags |= getattr(getattr(__future__, alias.name, None), "compiler_flag", 0)
        code = compile(tree, file, mode, self.flags, dont_inherit=True)
        value = eval(code, self.user_ns)
        return self.awaited(value) if code.co_flags & inspect.CO_COROUTINE else value

    def awaited(self, coroutine):
        import asyncio

        self.loop = self.loop or asyncio.new_event_loop()
        return self.loop.run_until_complete(coroutine)

    # ---- magics

    def run_line_magic(self, name, line, *args):
        magic = getattr(self, f"magic_{name}", None)
        return magic(line, None) if magic else None

    def run_cell_magic(self, name, line, body):
        magic = getattr(self, f"magic_{name}", None)
        return magic(line, body) if magic else None

    def run(self, source, names=None):
        """Its value, where it is an expression."""
        names = self.user_ns if names is None else names
        try:
            code = compile(source.strip(), "<cell magic>", "eval")
        except SyntaxError:
            return exec(compile(source, "<cell magic>", "exec"), names)
        return eval(code, names)

    def magic_time(self, line, body):
        return self.run(line if body is None else body)

    magic_prun = magic_time

    def magic_timeit(self, line, body):
        """Once; what it binds is forgotten, as IPython does."""
        source, began = OPTIONS.sub("", line) if body is None else body, time.perf_counter()
        self.run(source, dict(self.user_ns))
        took = time.perf_counter() - began
        if re.match(OPTIONS, line)[0].find("o") >= 0:
            return types.SimpleNamespace(
                best=took, average=took, worst=took, stdev=0.0, all_runs=[took], loops=1
            )

    def magic_capture(self, line, body):
        if line.strip()[:1].isidentifier():
            nothing = types.SimpleNamespace(stdout="", stderr="", outputs=[], show=lambda: None)
            self.user_ns[line.split()[0]] = nothing
        self.run(body or "")

    def magic_writefile(self, line, body):
        *options, name = line.split()
        with open(name.strip("\"'"), "a" if "-a" in options else "w", encoding="utf-8") as file:
            file.write(body or "")

    magic_file = magic_writefile

    def magic_run(self, line, body):
        name = next(word for word in line.split() if not word.startswith("-"))
        name = name if name.endswith(".py") else f"{name}.py"
        names = {"__name__": "__main__", "__file__": name}
        with open(name, encoding="utf-8") as file:
            exec(compile(file.read(), name, "exec"), names)
        self.user_ns.update({key: value for key, value in names.items() if key[:2] != "__"})

    def magic_env(self, line, body):
        name, sign, value = re.fullmatch(r"\s*([^\s=]*)\s*(=?)\s*(.*)", line).groups()
        if value or sign:
            os.environ[name] = value
        return os.environ.get(name) if name else dict(os.environ)

    magic_set_env = magic_env

    def magic_cd(self, line, body):
        os.chdir(line.strip() or "/home/student")

    def magic_pwd(self, line, body):
        return os.getcwd()

    def magic_bash(self, line, body):
        self.system(body or "")

    magic_sh = magic_bash

    # ---- commands

    def system(self, command):
        self.getoutput(command)

    def getoutput(self, command, *args, **kwargs):
        """The lines that a command prints."""
        command = re.sub(r"\{(\w+)\}", lambda found: str(self.user_ns.get(found[1], found[0])), command)
        if FETCHES.match(command):
            return []
        with tempfile.TemporaryFile() as output:
            subprocess.run(
                ["/bin/sh", "-c", command],
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=subprocess.STDOUT,
                timeout=SECONDS,
                check=False,
            )
            output.seek(0)
            return output.read(OUTPUT).decode(errors="replace").splitlines()

    def __getattr__(self, name):
        if name.startswith("magic_"):
            raise AttributeError(name)
        return lambda *args, **kwargs: None
