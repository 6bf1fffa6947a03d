"""libinlay through ctypes: finding it, calling it, and what its statuses become."""
import ctypes as c
import os
import re
import shutil
import sys
import warnings
from typing import Any, Dict, List, Optional, Sequence

from ._structs import STRUCTS

VERSION = "0.1.0"  # of the headers that _structs.py follows


class InlayError(Exception):
    """What Inlay says where it has no result.

    message is the line that the command would print; file and line tell where, as far as that is known; remedies are
    options that would work, as arguments of the same function: ``map(app, machine, **error.remedies)``.
    """

    def __init__(self, message: str, file: Optional[str] = None, line: Optional[int] = None,
                 remedies: Optional[Dict[str, str]] = None) -> None:
        super().__init__(message)
        self.message, self.file, self.line, self.remedies = message, file, line, remedies or {}


class NoAnswer(InlayError):
    """The question has no answer under its constraints."""


class BadInput(InlayError, ValueError):
    """A file, a graph or a machine says something that cannot be."""


class BadArgument(InlayError, ValueError):
    """An option is out of range, or two contradict each other."""


class TooLarge(InlayError, OverflowError):
    """Exact sums would leave 64 bits."""


class NoMemory(InlayError, MemoryError):
    """Out of memory."""


class SystemFailed(InlayError):
    """The operating system refused: a file that cannot be written, a program that is not there."""


class InlayWarning(UserWarning):
    """What is ignored in an input, or should be known of a result."""


KINDS = {-1: NoAnswer, -2: BadInput, -3: BadArgument, -4: TooLarge, -5: NoMemory, -6: SystemFailed}


def _load() -> c.CDLL:
    """INLAY_LIBRARY, beside this package, in the checkout's build/, where the loader looks, or by the program `inlay`."""
    here = os.path.dirname(os.path.abspath(__file__))
    named = os.environ.get("INLAY_LIBRARY")
    tried = [named] if named else [os.path.join(here, "libinlay.so"),
                                   os.path.join(here, "..", "..", "build", "libinlay.so"),
                                   "libinlay.so.0", "/usr/local/lib/libinlay.so.0",
                                   os.path.join(os.path.dirname(shutil.which("inlay") or ""), "..", "lib", "libinlay.so.0")]
    for path in tried:
        if path and (named or "/" not in path or os.path.exists(path)):
            try:
                return c.CDLL(path)
            except OSError as error:
                if named:
                    raise ImportError(f"INLAY_LIBRARY: {error}") from None
    raise ImportError("libinlay.so is not found; expected it installed (make install), or its path in INLAY_LIBRARY")


lib = _load()

# What functions return where it is no status.
for _kind, _names in {
    c.c_void_p: "inlay_diag_new inlay_method_named inlay_grid_ranking_row inlay_mapping_machine",
    c.c_char_p: "inlay_version inlay_diag_message inlay_diag_warning inlay_diag_remedy_option_at inlay_status_text "
                "inlay_diag_remedy_value_at inlay_app_name inlay_app_module_name inlay_machine_name "
                "inlay_grid_method_name",
    c.c_size_t: "inlay_diag_warnings inlay_diag_remedies",
    c.c_int64: "inlay_app_links",
    c.c_double: "inlay_app_reference_speed",
    c.c_bool: "inlay_machine_flops inlay_machine_has_links",
    None: "inlay_diag_free inlay_diag_keep_warnings inlay_diag_add_warning",
}.items():
    for _name in _names.split():
        getattr(lib, _name).restype = _kind

if lib.inlay_version().decode() != VERSION:
    raise ImportError(f"libinlay.so is of version {lib.inlay_version().decode()}; this package expects {VERSION}")


def new(name: str, /, **members: Any) -> Any:
    """A structure of the headers, zero but for the members."""
    return STRUCTS[name](**members)


def text(value: Any) -> Optional[bytes]:
    """Text or a path as the library takes it; None stays."""
    if value is None:
        return None
    told = os.fsencode(value if isinstance(value, (bytes, os.PathLike)) else str(value))
    if b"\0" in told:
        raise BadArgument(f"{value!r}: expected text without a byte of 0")
    return told


class Handle:
    """A pointer that the library gave, freed with the last reference. `keep` are those that it points to."""

    def __init__(self, pointer: c.c_void_p, free: str, *keep: Any) -> None:
        self.pointer, self.keep, self._free = pointer, keep, getattr(lib, free)

    def __del__(self) -> None:
        self._free(self.pointer)


def tell(texts: Sequence[str]) -> None:
    """Python's warnings, of the line that called this package."""
    depth, frame = 1, sys._getframe(0)
    while frame is not None and os.path.dirname(frame.f_code.co_filename) == os.path.dirname(__file__):
        depth, frame = depth + 1, frame.f_back
    for said in texts:
        warnings.warn(said, InlayWarning, stacklevel=depth)


class Call:
    """A diagnostic and the calls that it hears of. Leaving it tells the warnings that it did not begin with."""

    def __init__(self, *sources: Any) -> None:
        """sources: texts that errors may name, and objects whose reading has warned already."""
        self.sources = [s if isinstance(s, str) else getattr(s, "source", "") for s in sources]
        self.diag = c.c_void_p(lib.inlay_diag_new())
        if not self.diag:
            raise NoMemory("out of memory")
        lib.inlay_diag_keep_warnings(self.diag, c.c_bool(True))
        for said in [w for s in sources for w in getattr(s, "warnings", ())]:
            lib.inlay_diag_add_warning(self.diag, said.encode())
        self.heard = len(self.warnings)

    def __enter__(self) -> "Call":
        return self

    def __exit__(self, kind: Any, *_: Any) -> None:
        if kind is None:
            tell(self.warnings[self.heard:])

    def __del__(self) -> None:
        lib.inlay_diag_free(self.diag)

    @property
    def warnings(self) -> List[str]:
        count = lib.inlay_diag_warnings(self.diag)
        return [lib.inlay_diag_warning(self.diag, c.c_size_t(i)).decode(errors="replace") for i in range(count)]

    def do(self, function: str, *args: Any) -> None:
        """Call a function whose last argument is the diagnostic."""
        status = getattr(lib, function)(*args, self.diag)
        if status != 0:
            raise self.error(status)

    def make(self, function: str, free: str, *args: Any, keep: Sequence[Any] = ()) -> Handle:
        """The same of one that makes an object, through the pointer before the diagnostic."""
        made = c.c_void_p()
        self.do(function, *args, c.byref(made))
        return Handle(made, free, *keep)

    def error(self, status: int) -> InlayError:
        said = lib.inlay_diag_message(self.diag).decode(errors="replace")
        said = said or lib.inlay_status_text(status).decode()
        remedies = {}
        for i in range(lib.inlay_diag_remedies(self.diag)):
            option = lib.inlay_diag_remedy_option_at(self.diag, c.c_size_t(i)).decode()
            name = {"-T": "time_frame", "MACHINE": "machine"}.get(option, option.lstrip("-").replace("-", "_"))
            remedies[name] = lib.inlay_diag_remedy_value_at(self.diag, c.c_size_t(i)).decode()
        return make_error(KINDS.get(status, InlayError), said, self.sources, remedies)


def make_error(kind: type, said: str, sources: Sequence[str] = (), remedies: Optional[Dict[str, str]] = None) -> InlayError:
    """With file and line, where the message begins with them."""
    for source in sources:
        if source and said.startswith(source + ":"):
            line = re.match(r"(\d+): ", said[len(source) + 1:])
            return kind(said, source, int(line[1]) if line else None, remedies)
    found = re.match(r"(.+?):(\d+): ", said)
    if found and os.path.exists(found[1]):
        return kind(said, found[1], int(found[2]), remedies)
    return kind(said, None, None, remedies)
