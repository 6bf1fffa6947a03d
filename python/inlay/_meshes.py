"""Meshes divided by `inlay partition`."""
import os
import shutil
import subprocess
import tempfile
from typing import Any, Dict, List

from ._native import BadArgument, BadInput, NoAnswer, SystemFailed, lib, make_error, tell
from ._things import Answer


class Partition(Answer):
    """A mesh divided: part_of is the part of each vertex, a list, or by node of a graph of networkx."""

    part_of: Any


def _metis(graph: Any, path: str) -> List[Any]:
    """Write a graph of networkx as METIS has it; its nodes in their order."""
    nodes = list(graph)
    place = {node: str(i + 1) for i, node in enumerate(nodes)}
    near: Dict[Any, Dict[Any, int]] = {node: {} for node in nodes}
    for a, b, weight in graph.edges(data="weight", default=1):
        if a != b:
            near[a][b] = near[b][a] = near[a].get(b, 0) + int(weight)
    with open(path, "w", encoding="ascii") as file:
        file.write(f"{len(nodes)} {sum(len(n) for n in near.values()) // 2} 11\n")
        for node in nodes:
            row = [str(int(graph.nodes[node].get("weight", 1)))]
            file.write(" ".join(row + [f"{place[other]} {weight}" for other, weight in near[node].items()]) + "\n")
    return nodes


def partition(mesh: Any, **options: Any) -> Partition:
    """Divide a mesh, a sparse matrix, or a graph of networkx (weights of nodes and edges: `weight`), as `inlay partition`,
    whose options these are: parts=4, processes=2, method="rcb". It needs MPI, so that the program `inlay` is started:
    INLAY_PROGRAM names it, else it is beside the library or a command."""
    folder = os.path.dirname(os.path.abspath(lib._name)) if "/" in lib._name else ""
    program = os.environ.get("INLAY_PROGRAM") or (folder and shutil.which(os.path.join(folder, "inlay"))) or shutil.which("inlay")
    if not program:
        raise SystemFailed("partition() starts the program inlay, which is not there; expected it in PATH or INLAY_PROGRAM")
    with tempfile.TemporaryDirectory(prefix="inlay-") as folder:
        out, nodes, source = os.path.join(folder, "parts"), None, mesh
        if hasattr(mesh, "nodes"):
            source = os.path.join(folder, "graph.graph")
            nodes = _metis(mesh, source)
        words = [program, "partition", *([os.fspath(source)] if source is not None else []), "--json", "-o", out]
        for name, value in options.items():
            flag = "--" + name.rstrip("_").replace("_", "-")
            words += [flag] if value is True else [flag, str(value)] if value is not None and value is not False else []
        try:
            ran = subprocess.run(words, capture_output=True, text=True, errors="replace", stdin=subprocess.DEVNULL)
        except OSError as error:
            raise SystemFailed(f"{program}: {error.strerror}") from None
        said = [line for line in ran.stderr.splitlines() if line]
        warned = [line.partition("inlay: warning: ")[2] for line in said if line.startswith("inlay: warning: ")]
        if ran.returncode != 0:
            lines = [line for line in said if not line.startswith(("inlay: warning: ", "try: "))] or ["inlay failed"]
            line = lines[0][len("inlay: "):] if lines[0].startswith("inlay: ") else lines[0]
            error = make_error({1: NoAnswer, 2: BadInput}.get(ran.returncode, SystemFailed), line, [str(source)])
            raise BadArgument(line) if error.file is None and ran.returncode == 2 else error
        tell(warned)
        with open(out, encoding="ascii") as file:
            part_of = [int(line) for line in file]
        return Partition._of(ran.stdout, part_of=part_of if nodes is None else dict(zip(nodes, part_of)))
