"""Options: the command line's names with _ in place of -, and what the library's structures take for them."""
import ctypes as c
import difflib
import operator
from typing import Any, Callable, Dict, Iterable, List, Tuple, Union

from ._native import BadArgument, InlayError, lib, new, text

Read = Callable[[str, Any], Any]
Table = Dict[str, Union[Read, Tuple[str, Read]]]


def refuse(name: str, value: Any, expected: str) -> InlayError:
    return BadArgument(f"{name}={value!r}: expected {expected}")


def whole(least: int = 1, most: int = 2**31 - 1) -> Read:
    """A whole number: numpy's too, no float and no bool."""
    def read(name: str, value: Any) -> int:
        try:
            number = operator.index(value)
        except TypeError:
            number = least - 1
        if isinstance(value, bool) or not least <= number <= most:
            raise refuse(name, value, f"a whole number from {least} to {most}")
        return number
    return read


def word(words: str) -> Read:
    """The place of a word among those of the option. Of yes and no, True is yes."""
    names = words.split("|")

    def read(name: str, value: Any) -> int:
        if names == ["yes", "no"] and isinstance(value, bool):
            return not value
        if value not in names:
            raise refuse(name, value, nearest(str(value), names, " or ".join(map(repr, names))))
        return names.index(value)
    return read


def parsed(function: str, make: Callable[[], Any], expected: str, plain: bool = False) -> Read:
    """What a function of units.h makes of text. plain: numbers stand for themselves, else for their digits."""
    def read(name: str, value: Any) -> Any:
        if plain and isinstance(value, (int, float)) and not isinstance(value, bool) and 0 <= value < float("inf"):
            return value
        to = make()
        digits = value if isinstance(value, str) else repr(value.item() if hasattr(value, "item") else value)
        if getattr(lib, function)(text(digits), c.byref(to)) != 0 or digits.lstrip().startswith("-"):
            raise refuse(name, value, expected)
        return to
    return read


def yes(name: str, value: Any) -> bool:
    if not isinstance(value, (bool, int)):
        raise refuse(name, value, "True or False")
    return bool(value)


def method(name: str, value: Any) -> int:
    found = lib.inlay_method_named(text(value))
    if not found:
        raise refuse(name, value, "a method, such as 'best' or 'houstis'")
    return found


def effort(name: str, value: Any) -> Any:
    if isinstance(value, str) and not value.isdigit():
        return new("inlay_effort", seconds=seconds(name, value).value)
    number = whole(0, 2**63 - 1)(name, int(value) if isinstance(value, str) else value)
    return new("inlay_effort", evaluations=number or -1)


def spread(name: str, value: Any) -> Any:
    """'normal:0.2': a distribution and its coefficient of variation."""
    form, _, cv = str(value).partition(":")
    kind = word("constant|exponential|uniform|normal|kind")(name, form)
    takes = form in ("uniform", "normal")
    try:
        number = float(cv) if cv else 0.1 if takes else 0.0
    except ValueError:
        number = -1.0
    if not 0 <= number <= (1 if takes or not cv else -1):
        raise refuse(name, value, "constant, exponential, uniform:CV, normal:CV or kind")
    return new("inlay_spread", kind=kind, cv=number)


duration = parsed("inlay_duration_parse", lambda: new("inlay_duration"), "a time, such as 464 or '2.5ms'")
seconds = parsed("inlay_seconds_parse", c.c_double, "a time with a unit, such as '1us', or seconds", plain=True)
flops = parsed("inlay_flops_parse", c.c_double, "operations a second, such as '1Gf'", plain=True)
size = parsed("inlay_bytes_parse", c.c_int64, "bytes, such as 4096 or '4KiB'")
seed = whole(0, 2**64 - 1)

RULES: Table = {
    "processors": whole(), "parallel": word("level|overlap"), "unrelated": ("keep_unrelated", word("yes|no")),
    "blocking": word("auto|yes|no"), "start": word("auto|stream|finish"), "max_events": whole(0, 2**63 - 1),
    "order": word("given|paper|bottom-level"), "copies": word("once|each"), "ignore_cores": yes,
    "tick": ("tick_seconds", seconds), "seed": seed, "threads": whole(), "time_frame": duration,
}
METHOD: Table = {"method": method, "effort": effort, "risk": word("none|mean|q90")}
MAP: Table = {
    **RULES, **METHOD, "objective": word("makespan|period"), "reduce": word("h2|h1|none"),
    "reduce_when": word("after|before"), "reduce_by": ("reduce_by_traffic", word("work|traffic")),
    "layout": word("nearest|order|scotch"),
}


def inside(table: Table, *but: str) -> Table:
    """The options of a mapping as they stand in a larger structure."""
    return {name: (f"mapping.{entry[0] if isinstance(entry, tuple) else name}",
                   entry[1] if isinstance(entry, tuple) else entry)
            for name, entry in table.items() if name not in but}


SWEEP: Table = {
    **inside(RULES, "threads"), "from": duration, "to": duration, "points": whole(), "all": yes, "threads": whole(),
}
PARETO: Table = inside({**RULES, **METHOD}, "processors", "parallel", "unrelated", "time_frame")
COMPARE: Table = {**inside({**RULES, **METHOD}, "parallel", "unrelated"), "sort": word("elapsed|price|energy|efficiency")}
SIMULATE: Table = {
    "overlap": ("no_overlap", word("yes|no")), "contention": word("queues|none|free"), "cores": whole(),
    "module_time": spread, "transfer_time": spread, "replications": whole(), "seed": seed, "threads": whole(),
    "confidence": whole(1, 99),
}
SELECT: Table = {
    "phases": ("terms.all_phases", word("dominant|all")), "map": ("terms.map", word("integer|ceil|real|remainder")),
    "router": ("terms.router", word("sum|chain")), "method": ("options.method", word("exact|h1|h2|h3|exhaustive")),
    "limit": ("options.limit", whole()), "best": ("options.best", whole(0, 1000)), "placement": ("tells_tasks", yes),
    "points": whole(2, 400),
}
GRID_METHODS = ["row", "column", "point", "block", "brbd", "fbrd", "fbrd-alternate", "phd", "jagged",
                "column-based", "interleaved", "scatter"]
DECOMPOSE: Table = {
    "bounded": ("problem.bounded", yes), "item": ("problem.item", size), "latency": ("network.latency", seconds),
    "per_byte": ("network.per_byte", seconds), "networks": ("network.networks", whole()),
    "wiring": ("network.wiring", word("single|several|switch|cube|mesh|complete")),
    "fewer": ("options.all", word("yes|no")), "tries": ("options.tries", whole()),
    "shares": ("options.decomposition.shares", word("makespan|hamilton|cumulative")),
    "alike": ("options.decomposition.alike", yes), "down": ("options.decomposition.down", yes),
    "seed": ("options.decomposition.seed", seed),
}


def nearest(name: str, names: Iterable[str], other: str) -> str:
    close = difflib.get_close_matches(name, list(names), 1)
    return f"{close[0]!r}" if close else other


def fill(into: Any, table: Table, given: Dict[str, Any], function: str, also: Iterable[str] = ()) -> List[str]:
    """Set what is given; None stands for not given. The names that were set. `also` are options of the caller's."""
    done = []
    for given_name, value in given.items():
        name = given_name.rstrip("_")  # from_, since `from` is Python's
        if name not in table:
            known = nearest(name, [*table, *also], "one of " + ", ".join([*table, *also]))
            raise TypeError(f"{function}() has no option {given_name!r}; expected {known}")
        if value is None:
            continue
        entry = table[name]
        path, read = entry if isinstance(entry, tuple) else (name, entry)
        at, *parents = into, *path.split(".")[:-1]
        for parent in parents:
            at = getattr(at, parent)
        last = path.split(".")[-1]
        found = read(name, value)
        setattr(at, last, getattr(found, "value", found) if not isinstance(found, c.Structure) else found)
        if hasattr(at, "has_" + last):
            setattr(at, "has_" + last, True)
        done.append(name)
    return done
