"""A slider is moved: each position has to draw a picture, and another one than the last.

A widget stores no output, so that nbval has nothing to compare: this runs in the notebook's own kernel, after
the cell.
"""

import ast
from queue import Empty

MOVE = """
for _slider in {name}.widget.children[:-1]:
    _ends = _slider.options if hasattr(_slider, "options") else (_slider.min, _slider.max)
    _slider.value = next(_value for _value in ((_ends[-1], _ends[0])
                         if not hasattr(_slider, "base")
                          else (_slider.base ** _ends[-1], _slider.base ** _ends[0]))
                         if _value != _slider.value)
"""


def moved_by(source):
    """The name of the function under ``@interact(…)``; None where the cell has none."""
    for node in ast.parse(source).body:
        if isinstance(node, ast.FunctionDef) and any(
            isinstance(d, ast.Call) and getattr(d.func, "id", "") == "interact" for d in node.decorator_list
        ):
            return node.name
    return None


def run(notebook, code, seconds=60):
    """Pictures and errors that the code puts out in the notebook's kernel."""
    kernel, pictures, errors = notebook.kernel, [], []
    sent = kernel.execute_cell_input(code, allow_stdin=False)
    while True:
        try:
            message = notebook.get_kernel_message(timeout=seconds)
        except Empty:
            return pictures, [*errors, f"no end after {seconds} s"]
        kind, content = message["msg_type"], message["content"]
        if message["parent_header"].get("msg_id") != sent:
            continue
        if kind == "error":
            errors.append(f"{content['ename']}: {content['evalue']}")
        if kind in ("display_data", "execute_result") and "image/png" in content["data"]:
            pictures.append(content["data"]["image/png"])
        if kind == "status" and content["execution_state"] == "idle":
            return pictures, errors


def problems(notebook, source, outputs):
    """What is wrong with a slider whose cell has just run, and put out `outputs`."""
    name = moved_by(source)
    if name is None:
        return []
    found = [f"{out['ename']}: {out['evalue']}" for out in outputs if out["output_type"] == "error"]
    first = [out["data"]["image/png"] for out in outputs if "image/png" in out.get("data", {})]
    last, errors = run(notebook, MOVE.format(name=name))
    found += errors
    if not first or not last:
        found.append(f"{name} draws nothing{'' if not first else ' when its slider is moved'}")
    elif last[-1] == first[-1]:
        found.append(f"{name} draws the same picture at both ends of its slider")
    return found
