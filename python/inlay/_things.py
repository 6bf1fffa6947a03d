"""What the library gives and takes: results, applications, machines."""
import ctypes as c
import json
import os
import tempfile
import threading
from collections.abc import Mapping as Dictionary
from typing import Any, Dict, Iterable, List, Optional

from . import _options as opt
from ._native import Call, Handle, InlayError, NoAnswer, lib, new, text

drawing = threading.Lock()  # Graphviz keeps state of its own


# ---- Results ----------------------------------------------------------------------------------------------------------


class Result(dict):
    """A dictionary whose members are attributes too; what is in it is likewise."""

    def __getattr__(self, name: str) -> Any:
        try:
            return self[name]
        except KeyError:
            raise AttributeError(f"the result has no {name!r}; it has {', '.join(self)}") from None

    def __dir__(self) -> Iterable[str]:
        return [*super().__dir__(), *self]


def written(write: Any) -> str:
    """What write(path) puts into a file."""
    with tempfile.TemporaryDirectory(prefix="inlay-") as folder:
        path = os.path.join(folder, "out")
        write(text(path))
        with open(path, encoding="utf-8", errors="replace") as file:
            return file.read()


class Answer(Result):
    """A result with its rows, its picture, and the JSON as the command prints it."""

    json: str
    _rows, _draw = "", ""
    _handle: Any = None

    @classmethod
    def _of(cls, json_text: str, **own: Any) -> Any:
        answer = cls(json.loads(json_text, object_hook=Result))
        answer.__dict__.update(own, json=json_text)
        return answer

    @classmethod
    def _told(cls, call: Call, command: str, write: str, handle: Any, *args: Any, seed: Any = None, file: Any = None,
              **own: Any) -> Any:
        context = new("inlay_result_context", command=command.encode(), seed=seed or 0, said=call.diag, file=text(file))
        of = handle.pointer if isinstance(handle, Handle) else handle
        return cls._of(written(lambda path: call.do(write, of, *args, c.byref(context), path)), _handle=handle, **own)

    def __reduce__(self) -> Any:
        return Result, (dict(self),)  # what other processes and copies get: no picture

    def table(self) -> List[Result]:
        """The rows of the command's table."""
        return self.get(self._rows, [])

    def frame(self, rows: Optional[str] = None) -> Any:
        """The rows, or another list of the result, as a frame of pandas, which has to be installed."""
        import pandas
        return pandas.json_normalize(self[rows] if rows else self.table())

    def save(self, path: Any) -> None:
        """Write the JSON to a file, whole or not at all; .gz packs it."""
        data = self.json.encode()
        with Call() as call:
            call.do("inlay_bytes_write", text(path), data, c.c_size_t(len(data)))

    def _picture(self, call: Call, path: bytes) -> None:
        call.do(self._draw, self._handle.pointer, path)

    def svg(self, path: Any = None) -> str:
        """The picture of the command's --svg, also written to `path` where one is given."""
        if not self._draw:
            raise NoAnswer("there is no picture of this result")
        with Call() as call, drawing:
            drawn = written(lambda to: self._picture(call, to))
            if path is not None:
                data = drawn.encode()
                call.do("inlay_bytes_write", text(path), data, c.c_size_t(len(data)))
        return drawn

    def _repr_svg_(self) -> Optional[str]:
        try:
            return self.svg()
        except InlayError:
            return None


# ---- Applications and machines ----------------------------------------------------------------------------------------


class App:
    """An application: a file of any format, its dictionary (Inlay's JSON, docs/formats.md), or a graph of networkx.

    Of a graph, attributes of nodes and edges are those of modules and links (time, memory, messages, bytes, ...), those of
    the graph name and time_unit.
    """

    def __init__(self, source: Any, *, format: Optional[str] = None, graph: Optional[str] = None,
                 iterations: Optional[int] = None) -> None:
        if hasattr(source, "nodes") and hasattr(source, "edges"):
            source = _from_networkx(source)
        self.format, self.warnings = format, []  # type: Optional[str], List[str]
        how = new("inlay_reading", format=text(format), graph=text(graph), iterations=iterations or 0)
        with Call() as call:
            if isinstance(source, Dictionary):
                self.path, self.source = None, str(source.get("name", "application"))
                call.sources = [self.source]
                data = json.dumps({"inlay_application": 1, **source}, default=plain_number).encode()
                how.format = b"json"
                self._handle = call.make("inlay_app_read_memory_as", "inlay_app_free", data, c.c_size_t(len(data)),
                                         text(self.source), c.byref(how))
            else:
                self.path = self.source = os.fspath(source)
                call.sources = [self.source]
                self._handle = call.make("inlay_app_read_as", "inlay_app_free", text(source), c.byref(how))
            self.warnings = call.warnings

    @classmethod
    def of(cls, source: Any, format: Optional[str] = None) -> "App":
        return source if isinstance(source, App) else cls(source, format=format)

    @property
    def name(self) -> str:
        return lib.inlay_app_name(self._handle.pointer).decode(errors="replace")

    @property
    def modules(self) -> List[str]:
        """Names of the modules, by number."""
        return [lib.inlay_app_module_name(self._handle.pointer, i).decode(errors="replace") for i in range(len(self))]

    def __len__(self) -> int:
        return lib.inlay_app_modules(self._handle.pointer)

    def __repr__(self) -> str:
        return f"<inlay.App {self.name}: {len(self)} modules, {lib.inlay_app_links(self._handle.pointer)} links>"

    def write(self, path: Any, format: Optional[str] = None) -> None:
        """Write it in any format that Inlay writes, as its name or the file's ending says."""
        with Call() as call:
            call.do("inlay_app_write", self._handle.pointer, text(path), text(format))

    def to_dict(self) -> Result:
        """All that it holds, as App() takes it."""
        with Call() as call:
            held = written(lambda path: call.do("inlay_app_write", self._handle.pointer, path, b"json"))
        return json.loads(held, object_hook=Result)

    def to_networkx(self) -> Any:
        """A graph of networkx, which has to be installed; App() takes it back. Data blocks are an attribute of it."""
        import networkx
        held = self.to_dict()
        pairs = {(link["from"], link["to"]) for link in held.get("links", [])}
        kind = networkx.DiGraph if len(pairs) == len(held.get("links", [])) else networkx.MultiDiGraph
        graph = kind(**{k: v for k, v in held.items() if k not in ("inlay_application", "modules", "links")})
        for module in held.modules:
            graph.add_node(module["name"], **{k: v for k, v in module.items() if k != "name"})
        for link in held.get("links", []):
            graph.add_edge(link["from"], link["to"], **{k: v for k, v in link.items() if k not in ("from", "to")})
        return graph


def plain_number(value: Any) -> Any:
    """Numbers of numpy and the like as Python's."""
    return value.item() if hasattr(value, "item") else str(value)


def _from_networkx(graph: Any) -> Dict[str, Any]:
    return {**{str(k): v for k, v in graph.graph.items()},
            "modules": [{"name": str(node), **data} for node, data in graph.nodes(data=True)],
            "links": [{"from": str(a), "to": str(b), **data} for a, b, data in graph.edges(data=True)]}


class Machine:
    """A machine: a string (``bus:17``), a file of any format, or ``host``; attributes stand behind it or as arguments:
    ``Machine("bus:17", capacity="1.25GB/s", latency="20us")``."""

    def __init__(self, source: Any, **attributes: Any) -> None:
        self.source = ",".join([os.fspath(source), *(f"{name}={value}" for name, value in attributes.items())])
        with Call(self.source) as call:
            self._handle = self._read(call)
            self.warnings = call.warnings

    @classmethod
    def of(cls, source: Any) -> "Machine":
        return source if isinstance(source, Machine) else cls(source)

    def _read(self, call: Call) -> Handle:
        return call.make("inlay_machine_read", "inlay_machine_free", text(self.source))

    def _for(self, app: App, speed: Any, call: Call) -> Handle:
        """The machine with its speeds related to the processor on which the application's times hold."""
        asked = opt.flops("reference_speed", speed) if speed is not None else 0.0
        asked = getattr(asked, "value", asked)
        if not asked and lib.inlay_machine_flops(self._handle.pointer, None):
            asked = lib.inlay_app_reference_speed(app._handle.pointer)
        if not asked:
            return self._handle
        referred = self._read(Call(self.source))  # the machine that others use stays as it is
        call.do("inlay_machine_refer", referred.pointer, c.c_double(asked))
        return referred

    @property
    def name(self) -> str:
        return lib.inlay_machine_name(self._handle.pointer).decode(errors="replace")

    @property
    def processors(self) -> int:
        return lib.inlay_machine_processors(self._handle.pointer)

    def __repr__(self) -> str:
        return f"<inlay.Machine {self.source}: {self.processors} processors>"

    def write(self, path: Any, format: Optional[str] = None) -> None:
        """Write it in any format that Inlay writes, as its name or the file's ending says."""
        with Call() as call:
            call.do("inlay_machine_write_as", self._handle.pointer, text(path), text(format), c.c_double(0))
