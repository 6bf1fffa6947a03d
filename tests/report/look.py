# SPDX-License-Identifier: GPL-3.0-or-later
#
# Usage: look.py BROWSER FOLDER: the pages small.html, hostile.html and large.html of tests/report.sh.
import json, os, sys
from browser import Browser

folder, failed, passed = sys.argv[2], 0, 0
LEFT, TOP, RIGHT, ROW, WIDTH = 56, 4, 10, 26, 8  # of the Gantt picture, and the numbers of a block
MARK = (0xB3, 0x47, 0x00)


def check(holds, what):
    global failed, passed
    passed += bool(holds)
    failed += not holds
    if not holds:
        print("report pages: FAILED: " + what)


def text(selector):
    return page.run(f"document.querySelector({json.dumps(selector)}).textContent")


def quiet(name):
    said = page.complaints()
    check(said == [], f"{name}: the console or the network: {said[:3]}")


def shot(name, whole=False):
    page.screenshot(os.path.join(folder, name + ".png"), whole)


def canvas():
    """Where the Gantt picture stands in the window."""
    page.run("document.querySelector('#run').scrollIntoView()")
    return page.run("(() => { const r = document.querySelector('.gantt canvas').getBoundingClientRect();"
                    "return [r.left, r.top, r.width, r.height]; })()")


def middle(gantt, i):
    """The middle of a block while the whole run is shown."""
    left, top, width, _ = canvas()
    row, begin, end = gantt["blocks"][i * WIDTH:i * WIDTH + 3]
    inner = width - LEFT - RIGHT
    return left + LEFT + (begin + end) / 2 / gantt["end"] * inner, top + TOP + (row + 0.5) * ROW


def marked():
    """Whether some pixel of the Gantt picture has the colour of what is chosen."""
    return page.run("(() => { const c = document.querySelector('.gantt canvas');"
                    "const d = c.getContext('2d').getImageData(0, 0, c.width, c.height).data;"
                    f"for (let i = 0; i < d.length; i += 4) if (d[i] === {MARK[0]} && d[i+1] === {MARK[1]} && d[i+2] === {MARK[2]}) return true;"
                    "return false; })()")


page = Browser(sys.argv[1])

# ---- The 4 x 4 Cholesky factorisation ----
data = json.load(open(os.path.join(folder, "small.json")))
names, answer = data["names"], data["points"][-1]
page.open(os.path.join(folder, "small.html"))
check(text("#answer").startswith("cholesky4 takes %g ticks on %d processors" % (answer["elapsed"], answer["clusters"])), "the answer")
embedded = json.loads(text("#data"))
check({**embedded, "commands": 0} == {**data, "commands": 0}, "the page's data are those of --json")
check(page.run("document.querySelectorAll('.uplot canvas').length") == 4, "four curves")
shot("small")
gantt = answer["gantt"]
blocks = gantt["blocks"]
waits = next(i for i in range(len(blocks) // WIDTH) if blocks[i * WIDTH + 6] == 2)
x, y = middle(gantt, waits)
page.mouse("mouseMoved", x, y)
said = text(".said")
block = blocks[waits * WIDTH:(waits + 1) * WIDTH]
check(said.startswith("%s on processor %d, %g to" % (names[block[5]], gantt["processors"][block[0]], block[1])), "hover: " + said)
check("waits" in said and "message of " + names[block[7][0]] in said, "why it waited: " + said)
check(not marked(), "nothing is chosen yet")
page.click(x, y)
check(marked(), "a click marks the module")
shot("small-chosen")
page.run("document.querySelector('.gantt canvas').focus()")
page.key("ArrowRight")
check(text(".said").startswith(names[blocks[(waits + 1) * WIDTH + 5]] + " on"), "the arrow key goes on: " + text(".said"))
for _ in range(3):
    page.run("document.querySelector('[aria-label=\"Zoom in\"]').click()")
page.mouse("mouseMoved", x, y)
zoomed = page.screenshot()
page.run("document.querySelector('[aria-label=\"The whole run\"]').click()")
check(zoomed != page.screenshot(), "zooming changes the picture")
page.run("document.querySelector('#processors').focus()")
before, used = text("#chosen"), text("#used")
page.key("ArrowLeft")
point = data["points"][-2]
check(text("#chosen") != before and ("%d processors: %g ticks" % (point["clusters"], point["elapsed"])) in text("#chosen"), "the slider: " + text("#chosen"))
check(text("#points tr[aria-current] td") == str(point["clusters"]), "the slider moves the table")
check(text("#used") != used and page.run("document.querySelectorAll('#used tbody tr').length") == point["clusters"], "the slider moves the mapping")
check(page.run("document.querySelector('.clusters:not([hidden])').dataset.point") == str(len(data["points"]) - 2), "the slider moves the picture")
page.run("document.querySelector('#frame').focus()")
page.key("ArrowRight")
page.key("ArrowRight")
first = next(i for i, f in enumerate(data["frames"]) if f["elapsed"] is not None)
chosen = data["frames"][first + 2]
check(text("#chosen-frame").startswith("%g ticks: %d cluster" % (chosen["time_frame"], chosen["clusters"])) and
      "busiest %.4g %% of T" % (100 * chosen["most"]) in text("#frame-slider"), "the slider over T: " + text("#frame-slider"))
x, y = middle(point["gantt"], 0)
page.mouse("mouseMoved", x, y)
check(text(".said").startswith(names[point["gantt"]["blocks"][5]] + " on"), "the slider moves the run")
shot("small-slider", True)
check(all(page.run("[...document.querySelectorAll('details[data-csv] pre')].map(e => e.textContent.split('\\n').length > 2)")), "numbers behind every picture")
page.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": "dark"}])
check(page.run("getComputedStyle(document.body).backgroundColor") == "rgb(20, 24, 28)", "dark")
shot("small-dark", True)
page.call("Emulation.setEmulatedMedia", features=[])
page.call("Emulation.setDeviceMetricsOverride", width=380, height=800, deviceScaleFactor=1, mobile=True)
page.open(os.path.join(folder, "small.html"))
check(page.run("document.documentElement.scrollWidth") <= 380, "it fits a small screen: %s" % page.run("document.documentElement.scrollWidth"))
shot("small-phone", True)
page.call("Emulation.clearDeviceMetricsOverride")
quiet("small.html")
page.use_scripts(False)
page.open(os.path.join(folder, "small.html"))
shown = page.run("[...document.querySelectorAll('figure svg')].filter(e => e.getBoundingClientRect().height > 50).length")
check(shown >= 7, "pictures without JavaScript: %s" % shown)
shot("small-still", True)
page.use_scripts(True)

# ---- Names that would be more ----
page.open(os.path.join(folder, "hostile.html"))
check(page.run("document.title") != "taken", "the title: " + page.run("document.title"))
check(page.run("document.scripts.length") == 2 and page.run("document.images.length") == 0, "a name became an element")
check(page.run("document.querySelectorAll('[onerror], [onload], [onmouseover], b').length") == 0, "a name became an attribute")
check("<img src=x onerror=document.title='taken'>" in text("#used"), "names are shown as they are")
quiet("hostile.html")
shot("hostile", True)

# ---- 10,000 modules ----
page.open(os.path.join(folder, "large.html"))
check(page.run("JSON.parse(document.querySelector('#data').textContent).application.modules") == 10000, "10,000 modules")
left, top, width, height = canvas()
page.mouse("mouseMoved", left + LEFT + (width - LEFT) / 2, top + TOP + ROW / 2)
check("on processor 0" in text(".said"), "hover over one of 10,000: " + text(".said"))
page.click(left + LEFT + (width - LEFT) / 2, top + TOP + ROW / 2)
check(marked(), "a click marks one of 10,000")
page.run("document.querySelector('#processors').focus()")
before = text("#chosen")
page.key("ArrowLeft")
check(text("#chosen") != before, "the slider of 10,000")
shot("large", True)
quiet("large.html")
page.close()
print(f"{passed} passed, {failed} failed, 0 skipped")
sys.exit(failed > 0)
