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
import tempfile
from collections.abc import Mapping as Dictionary
from typing import Any, Dict, List, Optional, Sequence, Union

from . import _options as opt
from ._meshes import Partition, partition
from ._native import (VERSION as __version__, BadArgument, BadInput, Call, Handle, InlayError, InlayWarning, NoAnswer,
                      NoMemory, SystemFailed, TooLarge, lib, new, text)
from ._structs import STRUCTS
from ._things import Answer, App, Machine, Result, plain_number, written

__all__ = ["App", "Machine", "Result", "Answer", "Mapping", "Partition", "map", "evaluate", "load", "sweep", "pareto", "compare",
           "simulate", "explain", "info", "select", "decompose", "partition", "InlayError", "NoAnswer", "BadInput",
           "BadArgument", "TooLarge", "NoMemory", "SystemFailed", "InlayWarning", "__version__"]


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
    on_machine: Machine  # as the machine of the JSON is `machine`
    file: Optional[str] = None
    _rows, _draw = "clusters", "inlay_mapping_draw_svg"

    def _picture(self, call: Call, path: bytes) -> None:
        call.do(self._draw, self._handle.pointer, None, path)

    @property
    def placement(self) -> Dict[str, int]:
        """The processor of every module, as evaluate() takes it."""
        return {module: cluster.processor for cluster in self.clusters for module in cluster.modules}

    def simulate(self, **options: Any) -> Answer:
        """simulate() of this mapping."""
        return simulate(self, **options)

    def explain(self, **options: Any) -> Answer:
        """explain() of this mapping."""
        return explain(self, **options)


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
    told = written(lambda path: call.do("inlay_mapping_write", handle.pointer, c.byref(origin), path))
    return Mapping._of(told, _handle=handle, app=app, on_machine=machine)


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
    the order in which it runs them, the processor of each module (also of numpy), or a file."""
    if isinstance(placement, (str, os.PathLike)):
        return _lay("evaluate", opt.RULES, app, machine, placement, options)
    app = App.of(app, options.pop("format", None))
    if isinstance(placement, Dictionary):
        plain: Any = dict(placement)
    else:
        plain = list(placement)
        if len(plain) == len(app) and not isinstance(plain[0], (str, list, tuple)):
            plain = dict(zip(app.modules, plain))
    with tempfile.TemporaryDirectory(prefix="inlay-") as folder:
        path = os.path.join(folder, "placement.json")
        with open(path, "w", encoding="utf-8") as file:
            json.dump(plain, file, default=plain_number)
        return _lay("evaluate", opt.RULES, app, machine, path, options)


def load(path: Any, app: Any = None) -> Mapping:
    """Read a mapping.json, as map --output and save() write it; `app` names its application where that has moved."""
    loaded, known = new("inlay_loaded"), object.__new__(App)
    with Call(os.fspath(path)) as call:
        call.do("inlay_mapping_read", text(path), text(app), c.byref(loaded))
        with open(path, encoding="utf-8") as file:
            told = file.read()
        known._handle, machine = Handle(c.c_void_p(loaded.app), "inlay_app_free"), object.__new__(Machine)
        machine._handle = Handle(c.c_void_p(loaded.machine), "inlay_machine_free")
        handle = Handle(c.c_void_p(loaded.mapping), "inlay_mapping_free", known, machine)
        mapping = Mapping._of(told, _handle=handle, app=known, on_machine=machine, file=os.fspath(path))
        known.path = known.source = text(app).decode() if app else mapping.application.path
        known.format, known.warnings = mapping.application.format, call.warnings
        machine.source, machine.warnings = mapping.machine.text, []
        return mapping


def simulate(mapping: Mapping, *, scale: Optional[Union[str, Dict[str, float]]] = None, **options: Any) -> Answer:
    """Run a mapping event by event, as `inlay simulate`. scale: {"compute": 0.5, "network": 2, "processor3": 0.5}."""
    chosen = new("inlay_simulation_options", record=True)
    opt.fill(chosen, opt.SIMULATE, options, "simulate", ("scale",))
    chosen.interval, chosen.confidence = chosen.replications <= 1, chosen.confidence / 100
    words = scale if scale is None or isinstance(scale, str) else ",".join(f"{k}={v}" for k, v in scale.items())
    by_processor = (c.c_double * max(mapping.on_machine.processors, 1))(*[1.0] * mapping.on_machine.processors)
    for name, _, factor in (part.partition("=") for part in words.split(",")) if words else ():
        try:
            if name in ("compute", "network"):
                setattr(chosen, name + "_scale", float(factor))
            else:
                by_processor[int(name[len("processor"):] if name.startswith("processor") else "")] = float(factor)
                chosen.processor_scale = c.addressof(by_processor)
        except (ValueError, IndexError):
            raise opt.refuse("scale", scale, "factors: compute, network, or processorK of the machine's") from None
    with Call(mapping.app, mapping.on_machine) as call:
        handle = call.make("inlay_simulate", "inlay_simulation_free", mapping._handle.pointer, c.byref(chosen),
                           keep=(mapping, by_processor))
        return Answer._told(call, "simulate", "inlay_simulation_write_json", handle, text(words), seed=options.get("seed"),
                            file=mapping.file, _rows="processors", _draw="inlay_simulation_draw_svg")


def explain(mapping: Mapping, **options: Any) -> Answer:
    """What limits a mapping, and which single change helps most, as `inlay explain`."""
    chosen = new("inlay_simulation_options")
    opt.fill(chosen, {name: opt.SIMULATE[name] for name in ("overlap", "contention", "seed", "threads")}, options, "explain")
    with Call(mapping.app, mapping.on_machine) as call:
        handle = call.make("inlay_explain", "inlay_explanation_free", mapping._handle.pointer, c.byref(chosen))
        told = new("inlay_explained", explanation=handle.pointer.value, mapping=mapping._handle.pointer.value,
                   file=text(mapping.file or "MAPPING"), no_overlap=chosen.no_overlap)
        return Answer._told(call, "explain", "inlay_explained_write_json", c.byref(told), seed=options.get("seed"),
                            file=mapping.file)


# ---- Many mappings ----------------------------------------------------------------------------------------------------


def _search(rows: str, name: str, table: opt.Table, app: Any, machine: Any, chosen: Any, free: str,
            options: Dict[str, Any]) -> Answer:
    speed, format = options.pop("reference_speed", None), options.pop("format", None)
    app, machine = App.of(app, format), Machine.of(machine)
    opt.fill(chosen, table, options, name, ("reference_speed", "format"))
    with Call(app, machine) as call:
        on = machine._for(app, speed, call)
        handle = call.make(f"inlay_{name}", free, app._handle.pointer, on.pointer, c.byref(chosen), keep=(app, on))
        return Answer._told(call, name, f"inlay_{name}_write_json", handle, seed=options.get("seed"), file=app.path,
                            _rows=rows, _draw=f"inlay_{name}_draw_svg")


def sweep(app: Any, machine: Any, **options: Any) -> Answer:
    """What every time frame makes of an application on a machine, as `inlay sweep`. `from` is from_ here."""
    return _search("breakpoints", "sweep", opt.SWEEP, app, machine, new("inlay_sweep_options"), "inlay_sweep_free", options)


def pareto(app: Any, machine: Any, processors: Any = None, **options: Any) -> Answer:
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
    return _search("points", "pareto", opt.PARETO, app, machine, chosen, "inlay_pareto_free", options)


def compare(apps: Any, machines: Any, **options: Any) -> Answer:
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
        return Answer._told(call, "compare", "inlay_comparison_write_json", handle, seed=options.get("seed"),
                            file=things[0].source, _rows="rows")


# ---- Data-parallel programs -------------------------------------------------------------------------------------------


def select(program: Any, machine: Any, *, define: Optional[Dict[str, float]] = None,
           processors: Optional[Union[Sequence[int], Dict[str, int]]] = None, **options: Any) -> Answer:
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
        handle = call.make("inlay_select_ask", "inlay_select_result_free", c.byref(asked), keep=(of, on))
        return Answer._told(call, "select", "inlay_select_result_write_json", handle, seed=options.get("seed"),
                            file=program, _rows="clusters")


class Decomposition(Answer):
    """Ways to cut a grid, ranked; the picture is of the best."""

    _rows, _draw = "methods", "inlay_decomposition_draw_svg"

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
    asked, owner, owned = new("inlay_grid_question"), c.c_void_p(), None
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
        if known.network.ways and {"latency", "per_byte", "wiring"} & set(given):
            asked.network.ways = None
            if "wiring" not in given:
                asked.network.wiring = known.mean
        elif known.network.ways:
            asked.routes.other = 0
        if mtu is not None:
            sizes = [opt.size("mtu", part).value for part in str(mtu).split("+")]
            if len(sizes) > 2 or (len(sizes) == 1 and sizes[0]):
                raise opt.refuse("mtu", mtu, "bytes of data and of headers, such as '1460+58', or 0")
            asked.network.payload, asked.network.frame = (sizes + [0])[:2]
        asked.options.redistribute = read.phases > 1
        if owners is not None:
            call.sources.append(os.fspath(owners))
            call.do("inlay_grid_owners_read", text(owners), c.byref(asked.problem), c.c_void_p(known.name), c.byref(owner))
            owned, asked.options.owner = Handle(owner, "free"), owner.value
        count = len(opt.GRID_METHODS)
        own, named = (1 << (count + 1) if owners is not None else 0), (1 << count) - 1
        place = opt.word("|".join(["all", "best", "map", *opt.GRID_METHODS]))("method", method)
        asked.options.methods = own | [named, named | 1 << count, 0, *(1 << i for i in range(count))][place]
        if unit is not None and unit in ("point", "row", "column"):
            asked.options.decomposition.unit = 1 + ["point", "row", "column"].index(unit)
        elif unit is not None:
            rows, columns = c.c_int64(), c.c_int64()
            if lib.inlay_grid_extent_parse(text(unit), c.byref(rows), c.byref(columns)) != 0:
                raise opt.refuse("unit", unit, "point, row, column, or a block such as '4x8'")
            asked.options.decomposition.unit, asked.options.decomposition.unit_rows = 4, rows.value
            asked.options.decomposition.unit_columns = columns.value
        handle = call.make("inlay_grid_ask", "inlay_grid_result_free", c.byref(asked), keep=(program, on, owned))
        return Decomposition._told(call, "decompose", "inlay_grid_result_write_json", handle, seed=options.get("seed"),
                                   file=grid)


for _function, _table in ((map, opt.MAP), (evaluate, opt.RULES), (sweep, opt.SWEEP), (pareto, opt.PARETO),
                          (compare, opt.COMPARE), (simulate, opt.SIMULATE), (select, opt.SELECT),
                          (decompose, opt.DECOMPOSE)):
    _function.__doc__ = f"{_function.__doc__}\n\nOptions: {', '.join(_table)}."
