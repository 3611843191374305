# SPDX-License-Identifier: Apache-2.0
"""Headless Chromium, driven over its DevTools protocol."""

import base64
import json
import os
import shutil
import struct
import subprocess
import tempfile
import time
import urllib.request
import zlib
from pathlib import Path

from websocket import WebSocket

PROGRAM = os.environ.get("SWELL_CHROMIUM") or shutil.which("chromium") or shutil.which("chromium-browser")
PATIENCE = 90  # seconds: WebGL in software is slow on a busy machine


def read_png(data):
    """Width, height and rows of RGB pixels of an 8-bit PNG without interlacing."""
    at, packed = 8, b""
    while at < len(data):
        length, kind = struct.unpack(">I4s", data[at:at + 8])
        body = data[at + 8:at + 8 + length]
        if kind == b"IHDR":
            width, height, depth, colour, _, _, interlaced = struct.unpack(">IIBBBBB", body)
            assert depth == 8 and colour in (2, 6) and interlaced == 0
            bytes_each = 3 if colour == 2 else 4
        if kind == b"IDAT":
            packed += body
        at += 12 + length
    raw, stride = zlib.decompress(packed), width * bytes_each
    rows, above = [], bytearray(stride)
    for y in range(height):
        kind, line = raw[y * (stride + 1)], bytearray(raw[y * (stride + 1) + 1:(y + 1) * (stride + 1)])
        for i in range(stride):
            left = line[i - bytes_each] if i >= bytes_each else 0
            corner = above[i - bytes_each] if i >= bytes_each else 0
            if kind == 1:
                line[i] = (line[i] + left) & 255
            elif kind == 2:
                line[i] = (line[i] + above[i]) & 255
            elif kind == 3:
                line[i] = (line[i] + (left + above[i]) // 2) & 255
            elif kind == 4:
                guess = left + above[i] - corner
                nearest = min((left, above[i], corner), key=lambda v: abs(guess - v))
                line[i] = (line[i] + nearest) & 255
        rows.append([tuple(line[k:k + 3]) for k in range(0, stride, bytes_each)])
        above = line
    return width, height, rows


class Browser:
    def __init__(self, width=1280, height=800):
        self.folder = tempfile.mkdtemp(prefix="swell-browser-")
        words = [PROGRAM, "--headless=new", "--remote-debugging-port=0", f"--user-data-dir={self.folder}", "--no-sandbox",
                 "--disable-dev-shm-usage", "--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--no-first-run",
                 "--disable-extensions", "--disable-accelerated-2d-canvas", "--disable-background-networking", f"--window-size={width},{height}", "about:blank"]
        self.process = subprocess.Popen(words, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                                        env=dict(os.environ, HOME=self.folder))
        self.number, self.answers = 0, {}
        self.complaints, self.requests = [], []
        port_file = Path(self.folder, "DevToolsActivePort")
        self.wait(lambda: port_file.exists() and port_file.read_text().count("\n") > 0, "the browser opens its port")
        port = int(port_file.read_text().split()[0])
        targets = json.load(urllib.request.urlopen(f"http://127.0.0.1:{port}/json", timeout=PATIENCE))
        target = next(one for one in targets if one["type"] == "page")
        path = target["webSocketDebuggerUrl"].split(str(port), 1)[1]
        self.socket = WebSocket(port, path, headers={"Origin": None}, timeout=PATIENCE)
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.ask(f"{domain}.enable")
        self.ask("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)

    def wait(self, claim, what):
        until = time.monotonic() + PATIENCE
        while not claim():
            if time.monotonic() > until:
                raise AssertionError(f"after {PATIENCE} s: {what}; complaints: {self.complaints}")
            time.sleep(0.05)

    def ask(self, method, **parameters):
        self.number += 1
        self.socket.send({"id": self.number, "method": method, "params": parameters})
        while True:
            message = json.loads(self.socket.receive()[1])
            if message.get("id") == self.number:
                if "error" in message:
                    raise AssertionError(f"{method}: {message['error']}")
                return message["result"]
            self.note(message)

    def note(self, event):
        """Keeps what a console would show in red, and every address that was asked for."""
        about = event.get("params", {})
        if event["method"] == "Runtime.exceptionThrown":
            self.complaints.append(json.dumps(about["exceptionDetails"]))
        if event["method"] == "Runtime.consoleAPICalled" and about["type"] in ("error", "assert"):
            self.complaints.append(json.dumps(about["args"]))
        if event["method"] == "Log.entryAdded" and about["entry"]["level"] == "error":
            self.complaints.append(about["entry"]["text"])
        if event["method"] == "Network.requestWillBeSent":
            self.requests.append(about["request"]["url"])

    def open(self, address):
        self.ask("Page.navigate", url=address)

    def evaluate(self, text):
        result = self.ask("Runtime.evaluate", expression=text, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in result:
            raise AssertionError(f"{text}: {result['exceptionDetails']}")
        return result["result"].get("value")

    def text(self, name):
        return self.evaluate(f"document.getElementById('{name}')?.textContent ?? ''")

    def wait_text(self, name, claim, what):
        self.wait(lambda: claim(self.text(name)), f"{what}; it says {self.text(name)!r}")

    def choose(self, name, value):
        """Sets a control as a user does."""
        what = "checked" if isinstance(value, bool) else "value"
        self.evaluate(f"(() => {{ const it = document.getElementById('{name}'); it.{what} = {json.dumps(value)};"
                      "it.dispatchEvent(new Event('input', {bubbles: true})); it.dispatchEvent(new Event('change', {bubbles: true})); })()")

    def click(self, name):
        """As a user does: once more where the page moved under the mouse."""
        found = f"document.getElementById('{name}')"
        self.evaluate(f"{found}.addEventListener('click', event => {{ event.currentTarget.dataset.clicked = 'yes'; }}, {{once: true}})")
        for _ in range(5):
            self.press_mouse_on(name)
            if self.evaluate(f"!{found} || {found}.dataset.clicked === 'yes'"):
                self.evaluate(f"{found} && delete {found}.dataset.clicked")
                return
        raise AssertionError(f"{name} was not hit by five clicks")

    def press_mouse_on(self, name):
        box = self.evaluate(f"(() => {{ const b = document.getElementById('{name}').getBoundingClientRect();"
                            "return [b.x + b.width / 2, b.y + b.height / 2]; })()")
        for kind in ("mousePressed", "mouseReleased"):
            self.ask("Input.dispatchMouseEvent", type=kind, x=box[0], y=box[1], button="left", clickCount=1)

    def press(self, key):
        text = {"text": key} if len(key) == 1 else {}
        self.ask("Input.dispatchKeyEvent", type="keyDown", key=key, **text)
        self.ask("Input.dispatchKeyEvent", type="keyUp", key=key)

    def drag(self, name, dx, dy):
        x, y = self.evaluate(f"(() => {{ const b = document.getElementById('{name}').getBoundingClientRect();"
                             "return [b.x + b.width / 2, b.y + b.height / 2]; })()")
        self.ask("Input.dispatchMouseEvent", type="mousePressed", x=x, y=y, button="left", clickCount=1)
        self.ask("Input.dispatchMouseEvent", type="mouseMoved", x=x + dx, y=y + dy, button="left")
        self.ask("Input.dispatchMouseEvent", type="mouseReleased", x=x + dx, y=y + dy, button="left", clickCount=1)

    def picture(self):
        """The canvas as rows of pixels, a few of them: every fourth."""
        data = self.evaluate("""new Promise((done) => requestAnimationFrame(() => {
          const from = document.getElementById('picture'), to = document.createElement('canvas');
          to.width = from.width >> 2; to.height = from.height >> 2;
          const pen = to.getContext('2d'); pen.fillStyle = '#ff00ff'; pen.fillRect(0, 0, to.width, to.height);
          pen.imageSmoothingEnabled = false; pen.drawImage(from, 0, 0, to.width, to.height);
          done(to.toDataURL('image/png')); }))""")
        return read_png(base64.b64decode(data.split(",", 1)[1]))[2]

    def screenshot(self, file):
        Path(file).write_bytes(base64.b64decode(self.ask("Page.captureScreenshot", format="png")["data"]))

    def close(self):
        self.socket.close()
        self.process.terminate()
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        shutil.rmtree(self.folder, ignore_errors=True)
