# SPDX-License-Identifier: GPL-3.0-or-later
"""The Python package against the command line: the same questions give the same bytes. tests/python.sh runs it."""
import ctypes
import gc
import importlib.util
import json
import locale
import os
import pickle
import re
import subprocess
import tempfile
import threading
import unittest
import warnings

import inlay
from inlay import _structs

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
INLAY = os.environ.get("INLAY", os.path.join(ROOT, "build", "inlay"))
APP, TOY, FLOW = "graphs/cholesky4.dot", "graphs/toy.dot", "graphs/workflow.json"
SELECT = "graphs/sten2.dot", "architectures/suns-metasystem.dot"
os.chdir(ROOT)


def command(*words):
    """What the command prints with --json."""
    return subprocess.run([INLAY, *words, "--json", "--quiet"], capture_output=True, text=True, check=True).stdout


class Number:
    """A number of numpy's, as far as this package can tell."""

    def __init__(self, number):
        self.number = number

    def __index__(self):
        return self.number

    def item(self):
        return self.number


class SameAsCommand(unittest.TestCase):
    def same(self, answer, *words):
        self.assertEqual(answer.json, command(*words))
        self.assertEqual(json.loads(answer.json), answer)

    def test_map(self):
        self.same(inlay.map(APP, "bus:17", time_frame=464), "map", APP, "bus:17", "-T", "464")
        self.same(inlay.map(APP, "mesh:4x4", method="houstis", reduce="h1", parallel="overlap", unrelated=False, seed=3),
                  "map", APP, "mesh:4x4", "--method", "houstis", "--reduce", "h1", "--parallel", "overlap", "--unrelated",
                  "no", "--seed", "3")
        self.same(inlay.map(APP, "bus:4", time_frame="200", reduce_by="traffic", reduce_when="before", blocking="no",
                            start="finish", order="bottom-level", copies="each", max_events=10, ignore_cores=True),
                  "map", APP, "bus:4", "-T", "200", "--reduce-by", "traffic", "--reduce-when", "before", "--blocking", "no",
                  "--start", "finish", "--order", "bottom-level", "--copies", "each", "--max-events", "10",
                  "--ignore-cores")
        self.same(inlay.map(FLOW, inlay.Machine("architectures/cluster17.dot"), effort=Number(50), processors=Number(3),
                            risk="q90", threads=1),
                  "map", FLOW, "architectures/cluster17.dot", "--effort", "50", "-p", "3", "--risk", "q90")
        self.same(inlay.map(APP, "bus:3,capacity=1GB/s,message_size=1MB", tick=1e-3, effort=0),
                  "map", APP, "bus:3,capacity=1GB/s,message_size=1MB", "--tick", "1ms", "--effort", "0")

    def test_speeds_are_related_for_one_call(self):
        text = "bus:3,speed=2Gf,capacity=1GB/s"
        machine = inlay.Machine("bus:3", speed="2Gf", capacity="1GB/s")
        for speed in ("1Gf", "3Gf"):
            self.same(inlay.map(FLOW, machine, reference_speed=speed, method="heft"),
                      "map", FLOW, text, "--reference-speed", speed, "--method", "heft")

    def test_evaluate(self):
        given = inlay.map(APP, "bus:17", time_frame=464)
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "m.json")
            given.save(path)
            self.same(inlay.evaluate(APP, "bus:17", path), "evaluate", APP, "bus:17", path)
            loaded = inlay.load(path)
            self.assertEqual((loaded, loaded.app.name, loaded.on_machine.processors), (given, "cholesky4", 17))
            self.same(loaded.simulate(), "simulate", path)
            self.same(loaded.simulate(module_time="normal:0.2", transfer_time="uniform", replications=5, seed=7, overlap="no",
                                      cores=2, contention="none", scale={"compute": 0.5, "processor1": 2}),
                      "simulate", path, "--module-time", "normal:0.2", "--transfer-time", "uniform", "--replications", "5",
                      "--seed", "7", "--overlap", "no", "--cores", "2", "--contention", "none", "--scale",
                      "compute=0.5,processor1=2")
            self.same(loaded.explain(), "explain", path)
        names = given.app.modules
        placed = inlay.evaluate(given.app, "bus:17", given.placement)
        self.assertEqual(placed.placement, given.placement)
        self.assertEqual(inlay.evaluate(APP, "bus:17", [Number(given.placement[n]) for n in names]).elapsed, placed.elapsed)
        ordered = [cluster.modules for cluster in given.clusters]
        self.assertEqual(inlay.evaluate(APP, "bus:17", ordered).elapsed, given.elapsed)
        # by hand: one processor takes as long as all modules together
        alone = inlay.evaluate(TOY, "bus:4", dict.fromkeys("ABCDE", 0))
        self.assertEqual((alone.elapsed, alone.messages), (10 + 20 + 15 + 30 + 5, 0))

    def test_many(self):
        self.same(inlay.sweep(APP, "bus:17", from_=200, points=4), "sweep", APP, "bus:17", "--from", "200", "--points", "4")
        front = inlay.pareto(TOY, "bus:17", processors="2..4")
        self.same(front, "pareto", TOY, "bus:17", "--processors", "2..4")
        self.assertEqual(inlay.pareto(TOY, "bus:17", (2, 4)), front)
        self.assertEqual([p.processors for p in front.table()], [2, 3, 4])
        self.same(inlay.compare([APP, TOY], ["bus:4", "architectures/omega16.dot"], sort="efficiency", processors=3),
                  "compare", APP, TOY, "bus:4", "architectures/omega16.dot", "--sort", "efficiency", "-p", "3")

    def test_info(self):
        self.same(inlay.info(APP, parallelism=True), "info", APP, "--parallelism")
        self.same(inlay.info(inlay.Machine("mesh:4x4")), "info", "mesh:4x4")

    def test_data_parallel(self):
        self.same(inlay.select(*SELECT, define={"N": 300}, map="real", method="h1", best=2, processors=[2, 3]),
                  "select", *SELECT, "-D", "N=300", "--map", "real", "--method", "h1", "--best", "2", "-p", "2,3")
        self.same(inlay.decompose((400, 200), [6, 4, 3.5], method="best", tries=50),
                  "decompose", "400x200", "6,4,3.5", "--method", "best", "--tries", "50")
        self.same(inlay.decompose("200x100", "6,4,3", phase=["wavefront,flops=20", "stencil9,weight=2,name=b"], mtu="1000+50",
                                  unit="4x8", wiring="switch", latency="1ms", per_byte=0, fewer=False, bounded=True, item="4B",
                                  shares="hamilton", alike=True, down=True, mflops=2),
                  "decompose", "200x100", "6,4,3", "--phase", "wavefront,flops=20", "--phase", "stencil9,weight=2,name=b",
                  "--mtu", "1000+50", "--unit", "4x8", "--wiring", "switch", "--latency", "1ms", "--per-byte", "0s",
                  "--fewer", "no", "--bounded", "--item", "4B", "--shares", "hamilton", "--alike", "--down", "--mflops", "2")
        self.same(inlay.decompose("docs/examples/thermal.grid", "2,1", method="row", mtu=0),
                  "decompose", "docs/examples/thermal.grid", "2,1", "--method", "row", "--mtu", "0")

    @unittest.skipUnless(os.access(os.path.join(os.path.dirname(INLAY), "inlay-partition"), os.X_OK), "no inlay-partition")
    def test_partition(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "line.graph")
            with open(path, "w", encoding="ascii") as file:
                file.write("4 3\n2\n1 3\n2 4\n3\n")
            found = inlay.partition(path, parts=2, processes=1)
            self.assertEqual((found.edge_cut, found.part_of[0], found.part_of[3]), (1, found.part_of[1], found.part_of[2]))
            with open(path, "w", encoding="ascii") as file:
                file.write("4 3\n2\n1 3\n2 4\n\n")
            with self.assertRaises(inlay.BadInput) as wrong:
                inlay.partition(path, processes=1)
            self.assertEqual((wrong.exception.file, wrong.exception.line), (path, 4))


class Errors(unittest.TestCase):
    def refused(self, kind, file, line, function, *args, **options):
        with self.assertRaises(kind) as wrong:
            function(*args, **options)
        error = wrong.exception
        self.assertEqual((error.file, error.line, str(error)), (file, line, error.message))
        return error

    def test_kinds(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "a:1: b.dot")
            with open(path, "w", encoding="ascii") as file:
                file.write("digraph x {\n a [time=3];\n b [tyme=3];\n}\n")
            self.refused(inlay.BadInput, path, 3, inlay.App, path)
        self.refused(ValueError, "nix.dot", None, inlay.map, "nix.dot", "bus:2")
        self.refused(inlay.BadInput, "bus:17,x=1", None, inlay.Machine, "bus:17", x=1)
        self.refused(inlay.BadInput, "job", 1, inlay.App, {"name": "job", "modules": [{"name": "a", "time": -1}]})
        late = self.refused(inlay.NoAnswer, None, None, inlay.map, APP, "bus:17", time_frame=100)
        self.assertEqual(late.remedies, {"time_frame": "133"})
        self.assertEqual(inlay.map(APP, "bus:17", **late.remedies).time_frame, 133)
        self.refused(inlay.BadArgument, None, None, inlay.map, APP, "bus:17", method="best", objective="period", risk="mean")
        self.refused(inlay.NoAnswer, None, None, inlay.compare(TOY, "bus:2").svg)

    def test_arguments(self):
        for name, values in {"processors": (0, -1, 2**31, 1.5, True, "3", None.__class__), "reduce": ("h4", 1),
                             "time_frame": ("", "-1", float("nan"), "3 parsecs"), "tick": (-1, float("inf"), "1"),
                             "effort": (-1, "x"), "method": ("nix", "best\0"), "ignore_cores": ("yes",)}.items():
            for value in values:
                with self.subTest(name=name, value=value):
                    self.refused(inlay.BadArgument, None, None, inlay.map, TOY, "bus:2", **{name: value})
        for options in ({"scale": {"compute": "x"}}, {"scale": {"processor9": 1}}, {"module_time": "normal:-1"}):
            self.refused(inlay.BadArgument, None, None, inlay.map(TOY, "bus:2").simulate, **options)
        with self.assertRaisesRegex(TypeError, "'procesors'; expected 'processors'"):
            inlay.map(TOY, "bus:2", procesors=3)

    def test_warnings(self):
        text = {"time_unit": "ms", "modules": [{"name": "a", "time": 1}, {"name": "b", "time": 1}],
                "links": [{"from": "a", "to": "b", "bytes": 1, "data": "d"}, {"from": "a", "to": "b", "bytes": 2, "data": "d"}]}
        with warnings.catch_warnings(record=True) as heard:
            warnings.simplefilter("always")
            app = inlay.App(text)
            mapping = inlay.map(app, "bus:2")
        self.assertTrue(app.warnings)
        self.assertEqual(mapping.warnings, [str(w.message) for w in heard])  # each once, and in the result
        self.assertEqual({(w.category, w.filename) for w in heard}, {(inlay.InlayWarning, __file__)})


class Objects(unittest.TestCase):
    def test_dictionary(self):
        app = inlay.App(APP)
        self.assertEqual(app.to_dict(), json.loads(subprocess.run([INLAY, "convert", APP, "--format", "json"],
                                                                  capture_output=True, check=True).stdout))
        self.assertEqual(inlay.App(app.to_dict()).to_dict(), app.to_dict())
        self.assertEqual((len(app), app.modules[:2], repr(app)),
                         (16, ["m1", "m2"], "<inlay.App cholesky4: 16 modules, 24 links>"))

    @unittest.skipUnless(importlib.util.find_spec("networkx"), "no networkx")
    def test_networkx(self):
        graph = inlay.App(APP).to_networkx()
        self.assertEqual((len(graph), graph.size()), (16, 24))
        self.assertEqual(inlay.App(graph).to_dict(), inlay.App(APP).to_dict())
        self.assertEqual(inlay.App(inlay.App("graphs/blocks.dot").to_networkx()).to_dict(),
                         inlay.App("graphs/blocks.dot").to_dict())

    @unittest.skipUnless(importlib.util.find_spec("pandas"), "no pandas")
    def test_pandas(self):
        self.assertEqual(list(inlay.pareto(APP, "bus:3").frame()["processors"]), [1, 2, 3])

    def test_pictures(self):
        mapping = inlay.map(APP, "bus:17", time_frame=464)
        for answer in (mapping, mapping.simulate(), inlay.sweep(APP, "bus:4"), inlay.pareto(TOY, "bus:3"),
                       inlay.decompose("40x40", "2,1")):
            self.assertIn("<svg", answer._repr_svg_())
            self.assertTrue(answer.table())
        self.assertIsNone(inlay.compare(APP, "bus:3")._repr_svg_())

    def test_attributes(self):
        mapping = inlay.map(TOY, "bus:2")
        self.assertIn("elapsed", dir(mapping))
        self.assertEqual(mapping.clusters[0].processor, mapping["clusters"][0]["processor"])
        self.assertEqual(pickle.loads(pickle.dumps(mapping)).clusters, mapping.clusters)
        with self.assertRaisesRegex(AttributeError, "no 'elapse'"):
            mapping.elapse

    def test_results_outlive_their_inputs(self):
        simulation = inlay.map(inlay.App(APP), inlay.Machine("bus:17")).simulate()
        gc.collect()
        self.assertIn("<svg", simulation.svg())

    def test_threads(self):
        found, app = [], inlay.App(APP)

        def work(t):
            found.append((t, inlay.map(app, "bus:17", time_frame=t, threads=1).json, inlay.map(APP, "bus:3").svg()))
        threads = [threading.Thread(target=work, args=(133 + 20 * i,)) for i in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(len(found), 4)
        for t, told, _ in found:
            self.assertEqual(told, inlay.map(APP, "bus:17", time_frame=t).json)

    def test_german(self):
        try:
            locale.setlocale(locale.LC_ALL, "de_DE.UTF-8")
        except locale.Error:
            self.skipTest("no German locale")
        try:
            self.assertEqual(locale.localeconv()["decimal_point"], ",")
            self.assertEqual(inlay.map(APP, "bus:17", time_frame=464.5).json, command("map", APP, "bus:17", "-T", "464.5"))
            self.assertEqual(inlay.map(TOY, "bus:2").simulate(scale={"compute": 0.5}).options.scale, "compute=0.5")
        finally:
            locale.setlocale(locale.LC_ALL, "C")

    def test_structures(self):
        """Sizes and offsets are those of the headers."""
        lines = ["#include <stddef.h>", "#include <inlay/inlay.h>"]
        for name, kind in _structs.STRUCTS.items():
            if name not in _structs.PARTIAL:
                lines.append(f'_Static_assert(sizeof({name}) == {ctypes.sizeof(kind)}, "{name}");')
            for field, _ in kind._fields_:
                place = getattr(kind, field)
                lines.append(f'_Static_assert(offsetof({name}, {field}) == {place.offset} && '
                             f'sizeof((({name} *)0)->{field}) == {place.size}, "{name}.{field}");')
        done = subprocess.run([os.environ.get("CC", "cc").split()[-1], "-std=c17", "-fsyntax-only", "-Iinclude", "-x", "c", "-"],
                              input="\n".join(lines), text=True, capture_output=True)
        self.assertEqual((done.returncode, done.stderr), (0, ""))

    def test_version(self):
        with open("include/inlay/inlay.h", encoding="utf-8") as header:
            version = re.search(r'INLAY_VERSION "(.*)"', header.read())[1]
        with open("python/pyproject.toml", encoding="utf-8") as project:
            self.assertIn(f'version = "{version}"', project.read())
        self.assertEqual(inlay.__version__, version)

    def test_notebook(self):
        """The code of the notebook runs, and prints what it shows."""
        with open("docs/examples/python.ipynb", encoding="utf-8") as file:
            cells = [cell for cell in json.load(file)["cells"] if cell["cell_type"] == "code"]
        script = "\n".join("".join(cell["source"]) + "\nprint('---')" for cell in cells)
        shown = "".join("".join(line for out in cell["outputs"] for line in out.get("text", [])) + "---\n" for cell in cells)
        ran = subprocess.run([os.sys.executable, "-W", "error", "-c", script], cwd=ROOT, capture_output=True, text=True)
        self.assertEqual((ran.stderr, ran.stdout), ("", shown))


if __name__ == "__main__":
    result = unittest.main(exit=False).result
    failed = len(result.failures) + len(result.errors)
    for test, why in result.skipped:
        print(f"skipped: {test}: {why}")
    print(f"{result.testsRun - failed - len(result.skipped)} passed, {failed} failed, {len(result.skipped)} skipped")
    os.sys.exit(failed > 0)
