"""Inlay: how many processors, which machine and which placement a parallel program needs, and how long it will take.

    import inlay
    mapping = inlay.map("graphs/cholesky4.dot", "bus:17", time_frame=464)
    mapping.elapsed, mapping.clusters[0].modules

A result is a dictionary, the JSON that the command of the same name prints, whose members are attributes too. Options are
those of the commands with _ in place of -. What goes wrong is an InlayError, what is worth knowing an InlayWarning.
"""
import ctypes as c
import json
import os
import shutil
import subprocess
import tempfile
import threading
from typing import Any, Dict, Iterable, List, Mapping as Dictionary, Optional, Sequence, Tuple, Union

from . import _options as opt
from ._native import (VERSION as __version__, BadArgument, BadInput, Call, Handle, InlayError, InlayWarning, NoAnswer,
                      NoMemory, SystemFailed, TooLarge, lib, make_error, new, tell, text)
from ._structs import STRUCTS

__all__ = ["App", "Machine", "Result", "Answer", "Mapping", "map", "evaluate", "load", "sweep", "pareto", "compare",
           "simulate", "explain", "info", "select", "decompose", "partition", "InlayError", "NoAnswer", "BadInput",
           "BadArgument", "TooLarge", "NoMemory", "SystemFailed", "InlayWarning", "__version__"]

_drawing = threading.Lock()  # Graphviz keeps state of its own


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


def _written(write: Any) -> str:
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
        return cls._of(_written(lambda path: call.do(write, of, *args, c.byref(context), path)), _handle=handle, **own)

    def rows(self) -> List[Result]:
        """The rows of the command's table."""
        return self.get(self._rows, [])

    def frame(self, rows: Optional[str] = None) -> Any:
        """The rows, or another list of the result, as a frame of pandas, which has to be installed."""
        import pandas
        return pandas.json_normalize(self[rows] if rows else self.rows())

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
        with Call() as call, _drawing:
            drawn = _written(lambda to: self._picture(call, to))
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
                data = json.dumps({"inlay_application": 1, **source}, default=_plain).encode()
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
            written = _written(lambda path: call.do("inlay_app_write", self._handle.pointer, path, b"json"))
        return json.loads(written, object_hook=Result)

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


def _plain(value: Any) -> Any:
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


def info(*of: Any, **options: Any) -> Answer:
    """Facts of applications, or of machines, as `inlay info`. What is no App and no Machine is taken for an application."""
    things = [x if isinstance(x, Machine) else App.of(x) for x in of]
    kinds = {type(x) for x in things}
    if len(kinds) != 1:
        raise BadArgument("info() takes applications alone or machines alone, at least one")
    facts = new("inlay_app_facts")
    opt.fill(facts, {"processors": opt.whole(), "parallelism": opt.yes}, options, "info")
    pointers = (c.c_void_p * len(things))(*(x._handle.pointer.value for x in things))
    of_apps = kinds == {App}
    with Call(*things) as call:
        return Answer._told(call, "info", f"inlay_{'apps' if of_apps else 'machines'}_write_json", pointers,
                            c.c_size_t(len(things)), *([c.byref(facts)] if of_apps else []),
                            file=things[0].path if of_apps else things[0].source, _keep=things)


# ---- Mappings ---------------------------------------------------------------------------------------------------------


class Mapping(Answer):
    """Who runs what, where, in which order, at what cost: what map(), evaluate() and load() give."""

    app: App
    machine: Machine
    file: Optional[str] = None
    _rows, _draw = "clusters", "inlay_mapping_draw_svg"

    def _picture(self, call: Call, path: bytes) -> None:
        call.do(self._draw, self._handle.pointer, None, path)

    @property
    def placement(self) -> Dict[str, int]:
        """The processor of every module, as evaluate() takes it."""
        return {module: cluster.processor for cluster in self.clusters for module in _names(cluster)}

    def simulate(self, **options: Any) -> "Simulation":
        """simulate() of this mapping."""
        return simulate(self, **options)

    def explain(self, **options: Any) -> Answer:
        """explain() of this mapping."""
        return explain(self, **options)


def _names(cluster: Result) -> List[str]:
    return [m if isinstance(m, str) else m["name"] for m in cluster["modules"]]


def _mapping(call: Call, command: str, handle: Handle, app: App, machine: Machine, seed: Any) -> Mapping:
    origin = new("inlay_origin", command=command.encode(), app_path=text(app.path), app_format=text(app.format),
                 seed=seed or 0)
    in_order = None
    if lib.inlay_machine_has_links(c.c_void_p(lib.inlay_mapping_machine(handle.pointer))):
        with Call() as quiet:
            try:
                in_order = quiet.make("inlay_mapping_in_order", "inlay_mapping_free", handle.pointer)
                origin.in_order = in_order.pointer.value
            except NoAnswer:
                pass  # there is nothing to compare with
    written = _written(lambda path: call.do("inlay_mapping_write", handle.pointer, c.byref(origin), path))
    return Mapping._of(written, _handle=handle, app=app, machine=machine)


def _lay(command: str, table: opt.Table, app: Any, machine: Any, placement: Any, options: Dict[str, Any]) -> Mapping:
    speed, format = options.pop("reference_speed", None), options.pop("format", None)
    app, machine, chosen = App.of(app, format), Machine.of(machine), new("inlay_options")
    opt.fill(chosen, table, options, command, ("reference_speed", "format"))
    schedule = new("inlay_task_schedule")
    with Call(app, machine) as call:
        on = machine._for(app, speed, call)
        try:
            if placement is None:
                args = ["inlay_map", "inlay_mapping_free", app._handle.pointer, on.pointer]
            else:
                call.sources.append(str(placement))
                call.do("inlay_task_schedule_read", text(placement), app._handle.pointer, on.pointer, c.byref(schedule))
                args = ["inlay_evaluate_schedule", "inlay_mapping_free", app._handle.pointer, on.pointer,
                        c.byref(schedule)]
            handle = call.make(*args, c.byref(chosen), keep=(app, on))
        finally:
            lib.inlay_task_schedule_clear(c.byref(schedule))
        return _mapping(call, command, handle, app, machine, options.get("seed"))


def map(app: Any, machine: Any, **options: Any) -> Mapping:
    """Lay an application into a machine and predict the elapsed time, as `inlay map`."""
    return _lay("map", opt.MAP, app, machine, None, options)


def evaluate(app: Any, machine: Any, placement: Any, **options: Any) -> Mapping:
    """Cost a placement of your own, as `inlay evaluate`: {module: processor}, a list of the modules of each processor in
    the order in which it runs them, or a file."""
    if isinstance(placement, (str, os.PathLike)):
        return _lay("evaluate", opt.RULES, app, machine, placement, options)
    plain = dict(placement) if isinstance(placement, Dictionary) else [list(modules) for modules in placement]
    with tempfile.TemporaryDirectory(prefix="inlay-") as folder:
        path = os.path.join(folder, "placement.json")
        with open(path, "w", encoding="utf-8") as file:
            json.dump(plain, file, default=_plain)
        return _lay("evaluate", opt.RULES, app, machine, path, options)


def load(path: Any, app: Any = None) -> Mapping:
    """Read a mapping.json, as map --output and save() write it; `app` names its application where that has moved."""
    loaded, known = new("inlay_loaded"), object.__new__(App)
    with Call(os.fspath(path)) as call:
        call.do("inlay_mapping_read", text(path), text(app), c.byref(loaded))
        with open(path, encoding="utf-8") as file:
            written = file.read()
        known._handle, machine = Handle(c.c_void_p(loaded.app), "inlay_app_free"), object.__new__(Machine)
        machine._handle = Handle(c.c_void_p(loaded.machine), "inlay_machine_free")
        handle = Handle(c.c_void_p(loaded.mapping), "inlay_mapping_free", known, machine)
        mapping = Mapping._of(written, _handle=handle, app=known, machine=machine, file=os.fspath(path))
        known.path = known.source = text(app).decode() if app else mapping.application.path
        known.format, known.warnings = mapping.application.format, call.warnings
        machine.source, machine.warnings = mapping.machine_text, []
        return mapping


class Simulation(Answer):
    """A mapping run event by event; its picture is the Gantt chart."""

    _rows, _draw = "processors", "inlay_simulation_draw_svg"


def simulate(mapping: Mapping, *, scale: Optional[Union[str, Dict[str, float]]] = None, **options: Any) -> Simulation:
    """Run a mapping event by event, as `inlay simulate`. scale: {"compute": 0.5, "network": 2, "processor3": 0.5}."""
    chosen = new("inlay_simulation_options", record=True)
    opt.fill(chosen, opt.SIMULATE, options, "simulate", ("scale",))
    chosen.interval, chosen.confidence = chosen.replications <= 1, chosen.confidence / 100
    words = scale if scale is None or isinstance(scale, str) else ",".join(f"{k}={v:.17g}" for k, v in scale.items())
    by_processor = (c.c_double * max(mapping.machine.processors, 1))(*[1.0] * mapping.machine.processors)
    for name, _, factor in (part.partition("=") for part in words.split(",")) if words else ():
        try:
            if name in ("compute", "network"):
                setattr(chosen, name + "_scale", float(factor))
            else:
                by_processor[int(name[len("processor"):] if name.startswith("processor") else "")] = float(factor)
                chosen.processor_scale = c.addressof(by_processor)
        except (ValueError, IndexError):
            raise opt.refuse("scale", scale, "factors: compute, network, or processorK of the machine's") from None
    with Call(mapping.app, mapping.machine) as call:
        handle = call.make("inlay_simulate", "inlay_simulation_free", mapping._handle.pointer, c.byref(chosen),
                           keep=(mapping, by_processor))
        return Simulation._told(call, "simulate", "inlay_simulation_write_json", handle, text(words),
                                seed=options.get("seed"), file=mapping.file)


def explain(mapping: Mapping, **options: Any) -> Answer:
    """What limits a mapping, and which single change helps most, as `inlay explain`."""
    chosen = new("inlay_simulation_options")
    opt.fill(chosen, {name: opt.SIMULATE[name] for name in ("overlap", "contention", "seed", "threads")}, options, "explain")
    with Call(mapping.app, mapping.machine) as call:
        handle = call.make("inlay_explain", "inlay_explanation_free", mapping._handle.pointer, c.byref(chosen))
        told = new("inlay_explained", explanation=handle.pointer.value, mapping=mapping._handle.pointer.value,
                   file=text(mapping.file or "MAPPING"), no_overlap=chosen.no_overlap)
        return Answer._told(call, "explain", "inlay_explained_write_json", c.byref(told), seed=options.get("seed"),
                            file=mapping.file)


# ---- Many mappings ----------------------------------------------------------------------------------------------------


class Sweep(Answer):
    """Every time frame at which the clustering changes."""

    _rows, _draw = "rows", "inlay_sweep_draw_svg"


class Front(Answer):
    """Elapsed time against processors."""

    _rows, _draw = "points", "inlay_pareto_draw_svg"


class Comparison(Answer):
    """Machines ranked."""

    _rows = "rows"


def _search(cls: Any, name: str, table: opt.Table, app: Any, machine: Any, chosen: Any, free: str,
            options: Dict[str, Any]) -> Any:
    speed, format = options.pop("reference_speed", None), options.pop("format", None)
    app, machine = App.of(app, format), Machine.of(machine)
    opt.fill(chosen, table, options, name, ("reference_speed", "format"))
    with Call(app, machine) as call:
        on = machine._for(app, speed, call)
        handle = call.make(f"inlay_{name}", free, app._handle.pointer, on.pointer, c.byref(chosen), keep=(app, on))
        return cls._told(call, name, f"inlay_{name}_write_json", handle, seed=options.get("seed"), file=app.path)


def sweep(app: Any, machine: Any, **options: Any) -> Sweep:
    """What every time frame makes of an application on a machine, as `inlay sweep`. `from` is from_ here."""
    return _search(Sweep, "sweep", opt.SWEEP, app, machine, new("inlay_sweep_options"), "inlay_sweep_free", options)


def pareto(app: Any, machine: Any, processors: Any = None, **options: Any) -> Front:
    """Elapsed time against processors, as `inlay pareto`. processors: "2..6", (2, 6), or the most alone."""
    chosen = new("inlay_pareto_options")
    if processors is not None:
        ends = processors.split("..") if isinstance(processors, str) else processors
        ends = list(ends) if isinstance(ends, (list, tuple)) else [ends]
        try:
            chosen.to = opt.whole()("processors", int(ends[-1]))
            setattr(chosen, "from", opt.whole()("processors", int(ends[0])) if len(ends) == 2 else 1)
        except (ValueError, IndexError):
            raise opt.refuse("processors", processors, "a range such as '2..6', or a number") from None
    return _search(Front, "pareto", opt.PARETO, app, machine, chosen, "inlay_pareto_free", options)


def compare(apps: Any, machines: Any, **options: Any) -> Comparison:
    """Machines ranked for each application, as `inlay compare`; both are one or a list."""
    speed, format = options.pop("reference_speed", None), options.pop("format", None)
    of = [App.of(a, format) for a in (apps if isinstance(apps, (list, tuple)) else [apps])]
    on = [Machine.of(m) for m in (machines if isinstance(machines, (list, tuple)) else [machines])]
    chosen = new("inlay_compare_options")
    opt.fill(chosen, opt.COMPARE, options, "compare", ("reference_speed", "format"))
    things: List[Any] = [*of, *on]
    with Call(*things) as call:
        handles = [x._handle if isinstance(x, App) else x._read(Call(x.source)) for x in things]  # speeds are related
        apps_of = (c.c_void_p * len(things))(*(h.pointer.value if isinstance(x, App) else None
                                               for x, h in zip(things, handles)))
        machines_of = (c.c_void_p * len(things))(*(h.pointer.value if isinstance(x, Machine) else None
                                                   for x, h in zip(things, handles)))
        asked = opt.flops("reference_speed", speed) if speed is not None else 0.0
        call.do("inlay_compare_speeds", apps_of, machines_of, c.c_size_t(len(things)),
                c.c_double(getattr(asked, "value", asked)))
        names = [x.source if isinstance(x, Machine) and ":" in x.source and not os.path.exists(x.source) else x.name
                 for x in things]
        names = [x.source if names.count(n) > 1 else n for x, n in zip(things, names)]
        inputs = (STRUCTS["inlay_compare_input"] * len(things))(
            *(new("inlay_compare_input", app=a, machine=m, name=text(n), source=text(x.source))
              for a, m, n, x in zip(apps_of, machines_of, names, things)))
        handle = call.make("inlay_compare", "inlay_comparison_free", inputs, c.c_size_t(len(things)), c.byref(chosen),
                           keep=(things, handles, inputs))
        return Comparison._told(call, "compare", "inlay_comparison_write_json", handle, seed=options.get("seed"),
                                file=things[0].source)


# ---- Data-parallel programs -------------------------------------------------------------------------------------------


class Selection(Answer):
    """Which processors of unlike clusters, and how much data each."""

    _rows = "clusters"


def select(program: Any, machine: Any, *, define: Optional[Dict[str, float]] = None,
           processors: Optional[Union[Sequence[int], Dict[str, int]]] = None, **options: Any) -> Selection:
    """Processors and data shares for an SPMD program on unlike clusters, as `inlay select`.

    define: parameters of the program, {"N": 600}; processors: a configuration of your own, by cluster or by its name.
    """
    define = define or {}
    values = [new("inlay_domain_parameter", name=text(k), value=float(v)) for k, v in define.items()]
    parameters = (STRUCTS["inlay_domain_parameter"] * len(values))(*values)
    asked = new("inlay_select_question", program_name=text(program), metasystem_name=text(machine))
    asked.options.best = 5
    opt.fill(asked, opt.SELECT, options, "select", ("define", "processors"))
    with Call(os.fspath(program), os.fspath(machine)) as call:
        of = call.make("inlay_domain_read", "inlay_domain_file_free", text(program), parameters, c.c_size_t(len(values)))
        on = call.make("inlay_metasystem_read", "inlay_metasystem_free", text(machine))
        asked.program, asked.metasystem = of.pointer.value, on.pointer.value
        if processors is not None:
            known = c.cast(on.pointer, c.POINTER(STRUCTS["inlay_metasystem"])).contents
            clusters = c.cast(known.cluster, c.POINTER(STRUCTS["inlay_metasystem_cluster"]))
            names = [clusters[i].name.decode() for i in range(known.clusters)]
            if not isinstance(processors, Dictionary):
                processors = dict(zip(names, processors)) if len(processors) == len(names) else {"": 0}
            if not set(processors) <= set(names):
                raise opt.refuse("processors", processors, f"numbers for the clusters {', '.join(names)}")
            given = (c.c_int32 * len(names))(*(opt.whole(0)("processors", processors.get(n, 0)) for n in names))
            asked.given = c.addressof(given)
        handle = call.make("inlay_select_ask", "inlay_select_result_free", c.byref(asked))
        return Selection._told(call, "select", "inlay_select_result_write_json", handle, seed=options.get("seed"),
                               file=program, _keep=(of, on))


class Decomposition(Answer):
    """Ways to cut a grid, ranked; the picture is of the best."""

    _rows = "ranking"
    _draw = "inlay_decomposition_draw_svg"

    def _picture(self, call: Call, path: bytes) -> None:
        found = c.cast(self._handle.pointer, c.POINTER(STRUCTS["inlay_grid_result"])).contents
        row = c.cast(lib.inlay_grid_ranking_row(c.c_void_p(found.ranking), c.c_size_t(0)),
                     c.POINTER(STRUCTS["inlay_grid_row"])).contents
        machines = c.cast(found.asked.machines, c.POINTER(STRUCTS["inlay_grid_machines"])).contents
        title = (f"{found.asked.problem.rows} x {found.asked.problem.columns} cells on {row.processors} processors: "
                 f"{lib.inlay_grid_method_name(row.method).decode()}")
        picture = new("inlay_decomposition_picture", title=title.encode(), name=machines.name)
        call.do(self._draw, c.c_void_p(row.decomposition), c.byref(picture), path)


def decompose(grid: Any, machine: Any, *, pattern: Optional[str] = None, phase: Sequence[str] = (), flops: float = 10,
              mflops: float = 0, mtu: Any = None, method: str = "all", owners: Any = None, unit: Optional[str] = None,
              **options: Any) -> Decomposition:
    """How to cut a grid for unlike processors, and what each way costs, as `inlay decompose`.

    grid: "4096x4096", (4096, 4096), or a file; machine: speeds ("6,4,4", [6, 4, 4]), or any machine.
    """
    grid = "x".join(str(n) for n in grid) if isinstance(grid, (list, tuple)) else grid
    machine = ",".join(str(s) for s in machine) if isinstance(machine, (list, tuple)) else machine
    asked, owner = new("inlay_grid_question"), c.c_void_p()
    with Call(os.fspath(grid), os.fspath(machine)) as call:
        program = call.make("inlay_grid_program_read", "inlay_grid_program_free", text(grid), c.c_double(flops))
        read = c.cast(program.pointer, c.POINTER(STRUCTS["inlay_grid_program"])).contents
        if pattern is not None and (phase or read.phases):
            raise BadArgument("pattern goes without phase, and without phases in the grid's file")
        for one in [phase] if isinstance(phase, str) else phase or ([] if read.phases else [pattern or "stencil5"]):
            call.do("inlay_grid_program_add", program.pointer, text(one), c.c_double(flops))
        on = call.make("inlay_grid_machines_read", "inlay_grid_machines_free", text(machine), c.c_double(mflops))
        known = c.cast(on.pointer, c.POINTER(STRUCTS["inlay_grid_machines"])).contents
        asked.problem = new("inlay_grid_problem", rows=read.rows, columns=read.columns, bounded=read.bounded,
                            item=read.item or 8, processors=known.processors, speed=known.speed)
        asked.program, asked.machines = program.pointer.value, on.pointer.value
        asked.network = known.network if known.networked else new(
            "inlay_grid_network", latency=2.5e-3, per_byte=1.5e-6, payload=1460, frame=58)
        given = opt.fill(asked, opt.DECOMPOSE, options, "decompose",
                         ("pattern", "phase", "flops", "mflops", "mtu", "method", "owners", "unit"))
        asked.problem.bounded |= read.bounded
        asked.latency_assumed = not known.networked and "latency" not in given
        asked.per_byte_assumed = not known.networked and "per_byte" not in given
        if not {"latency", "per_byte"} <= set(given):
            asked.routes = known.routes
        if mtu is not None:
            sizes = [opt.size("mtu", part).value for part in str(mtu).split("+")]
            if len(sizes) > 2 or (len(sizes) == 1 and sizes[0]):
                raise opt.refuse("mtu", mtu, "bytes of data and of headers, such as '1460+58', or 0")
            asked.network.payload, asked.network.frame = (sizes + [0])[:2]
        asked.options.redistribute = read.phases > 1
        if owners is not None:
            call.sources.append(os.fspath(owners))
            call.do("inlay_grid_owners_read", text(owners), c.byref(asked.problem), c.c_void_p(known.name), c.byref(owner))
            asked.options.owner = owner.value
        own, named = (1 << 11 if owners is not None else 0), (1 << 10) - 1
        place = opt.word("|".join(["all", "best", "map", *opt.GRID_METHODS]))("method", method)
        asked.options.methods = own | [named, named | 1 << 10, 0, *(1 << i for i in range(10))][place]
        if unit is not None and unit in ("point", "row", "column"):
            asked.options.decomposition.unit = 1 + ["point", "row", "column"].index(unit)
        elif unit is not None:
            rows, columns = c.c_int64(), c.c_int64()
            if lib.inlay_grid_extent_parse(text(unit), c.byref(rows), c.byref(columns)) != 0:
                raise opt.refuse("unit", unit, "point, row, column, or a block such as '4x8'")
            asked.options.decomposition.unit, asked.options.decomposition.unit_rows = 4, rows.value
            asked.options.decomposition.unit_columns = columns.value
        handle = call.make("inlay_grid_ask", "inlay_grid_result_free", c.byref(asked))
        return Decomposition._told(call, "decompose", "inlay_grid_result_write_json", handle, seed=options.get("seed"),
                                   file=grid, _keep=(program, on, owner))


# ---- Meshes -----------------------------------------------------------------------------------------------------------


class Partition(Answer):
    """A mesh divided: part_of is the part of each vertex, a list, or by node of a graph of networkx."""

    part_of: Any
    _rows = "part"


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
    beside = os.path.join(os.path.dirname(lib._name), "inlay")
    program = os.environ.get("INLAY_PROGRAM") or (beside if os.access(beside, os.X_OK) else shutil.which("inlay"))
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
            usage = line.startswith("inlay partition: ")
            kind = {1: NoAnswer, 2: BadArgument if usage else BadInput}.get(ran.returncode, SystemFailed)
            raise make_error(kind, line, [str(source)])
        tell(warned)
        with open(out, encoding="ascii") as file:
            part_of = [int(line) for line in file]
        return Partition._of(ran.stdout, part_of=part_of if nodes is None else dict(zip(nodes, part_of)))


for _function, _table in ((map, opt.MAP), (evaluate, opt.RULES), (sweep, opt.SWEEP), (pareto, opt.PARETO),
                          (compare, opt.COMPARE), (simulate, opt.SIMULATE), (select, opt.SELECT),
                          (decompose, opt.DECOMPOSE)):
    _function.__doc__ = f"{_function.__doc__}\n\nOptions: {', '.join(_table)}."
