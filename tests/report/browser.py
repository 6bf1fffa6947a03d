# SPDX-License-Identifier: GPL-3.0-or-later
#
# A headless Chromium, told what to do over its DevTools protocol. Nothing but Python's own library.
import base64, json, os, socket, struct, subprocess, tempfile, time, urllib.request


class Browser:
    def __init__(self, program, width=1200, height=900):
        self.folder = tempfile.TemporaryDirectory()
        self.process = subprocess.Popen(
            [program, "--headless", "--no-sandbox", "--disable-gpu", "--remote-debugging-port=0", "--hide-scrollbars",
             f"--user-data-dir={self.folder.name}", f"--window-size={width},{height}", "about:blank"],
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.number, self.events, self.scripts = 0, [], True
        self.connect(self.find_port())
        for domain in ("Page", "Runtime", "Network", "Log"):
            self.call(domain + ".enable")

    def find_port(self):
        path = os.path.join(self.folder.name, "DevToolsActivePort")
        for _ in range(600):
            if os.path.exists(path) and os.path.getsize(path) > 0:
                return int(open(path).readline())
            time.sleep(0.05)
        raise SystemExit("the browser does not start")

    def connect(self, port):
        pages = json.load(urllib.request.urlopen(f"http://127.0.0.1:{port}/json"))
        address = next(p["webSocketDebuggerUrl"] for p in pages if p["type"] == "page")
        self.socket = socket.create_connection(("127.0.0.1", port), timeout=60)
        key = base64.b64encode(os.urandom(16)).decode()
        self.socket.sendall(f"GET {address.split(str(port))[1]} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nUpgrade: websocket\r\n"
                            f"Connection: Upgrade\r\nSec-WebSocket-Key: {key}\r\nSec-WebSocket-Version: 13\r\n\r\n".encode())
        self.input = self.socket.makefile("rb")
        while self.input.readline() not in (b"\r\n", b""):
            pass

    def receive(self):
        text = b""
        while True:
            first, second = self.input.read(2)
            size = second & 127
            if size == 126:
                size = struct.unpack(">H", self.input.read(2))[0]
            elif size == 127:
                size = struct.unpack(">Q", self.input.read(8))[0]
            text += self.input.read(size)
            if first & 128:
                return json.loads(text)

    def call(self, method, **params):
        self.number += 1
        data = json.dumps({"id": self.number, "method": method, "params": params}).encode()
        mask = os.urandom(4)
        size = struct.pack(">BBQ", 129, 255, len(data)) if len(data) > 65535 else struct.pack(">BBH", 129, 254, len(data))
        self.socket.sendall(size + mask + bytes(b ^ mask[i % 4] for i, b in enumerate(data)))
        while True:
            said = self.receive()
            if said.get("id") == self.number:
                if "error" in said:
                    raise SystemExit(f"{method}: {said['error']}")
                return said["result"]
            self.events.append(said)

    def open(self, path):
        self.events.clear()
        self.call("Page.navigate", url="file://" + os.path.abspath(path))
        for _ in range(600):
            if self.run("document.readyState") == "complete":
                return
            time.sleep(0.05)
        raise SystemExit(path + " does not load")

    def run(self, script):
        result = self.call("Runtime.evaluate", expression=script, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in result:
            raise SystemExit(f"{script}: {result['exceptionDetails']}")
        return result["result"].get("value")

    def use_scripts(self, use):
        self.scripts = use
        self.call("Emulation.setScriptExecutionDisabled", value=not use)

    def mouse(self, kind, x, y):
        self.call("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left" if kind != "mouseMoved" else "none",
                  clickCount=int(kind != "mouseMoved"))

    def click(self, x, y):
        self.mouse("mousePressed", x, y)
        self.mouse("mouseReleased", x, y)

    def key(self, name):
        for kind in ("keyDown", "keyUp"):
            self.call("Input.dispatchKeyEvent", type=kind, key=name, code=name,
                      windowsVirtualKeyCode={"ArrowLeft": 37, "ArrowRight": 39}.get(name, 0))

    def screenshot(self, path=None, whole=False):
        if self.scripts:
            self.run("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")
        data = base64.b64decode(self.call("Page.captureScreenshot", captureBeyondViewport=whole)["data"])
        if path:
            open(path, "wb").write(data)
        return data

    def complaints(self):
        """What the console was told, and what the page asked a network for."""
        found = []
        for event in self.events:
            method, params = event["method"], event["params"]
            if method == "Runtime.exceptionThrown" or method == "Log.entryAdded" or method == "Runtime.consoleAPICalled":
                found.append(json.dumps(params)[:300])
            if method == "Network.requestWillBeSent" and not params["request"]["url"].startswith(("file:", "data:", "blob:")):
                found.append("asked for " + params["request"]["url"])
        return found

    def close(self):
        self.process.terminate()
        self.process.wait()
        self.folder.cleanup()
