# SPDX-License-Identifier: Apache-2.0
"""Runs with a view, and a page of Python that looks at them."""

import json
import re
import signal
import struct
import subprocess
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "commands"))
from support import PROGRAM, CommandTest, cavity, needs_checkpoints, receiver  # noqa: E402, F401
from websocket import BINARY, CLOSE, TEXT, WebSocket  # noqa: E402

# A wave that goes on until the test has seen enough.
LONG_CASE = cavity("A wave to look at", 4, 3) + receiver("probe", [0.2, 0.3]) + """[time]
end = 1e6
[device]
backend = "cpu:1"
[output]
folder = "out"
"""


def read_binary(data):
    """The head of a binary message and the numbers behind it."""
    length = struct.unpack("<I", data[:4])[0]
    return json.loads(data[4:4 + length]), data[4 + length:]


class Page:
    """The work of the page in a browser, without a browser."""

    def __init__(self, port, token, **options):
        self.socket = WebSocket(port, f"/{token}/socket", **options)
        self.statuses, self.series, self.geometries = [], {}, {}
        self.hello = self.read()

    def read(self):
        opcode, data = self.socket.receive()
        if opcode == TEXT:
            message = json.loads(data)
            if message["type"] == "status":
                self.statuses.append(message)
            if message["type"] == "series":
                for news in message["news"]:
                    points = self.series.setdefault(news["name"], [])
                    points[news["from"]:] = list(zip(news["times"], *news["values"]))
            return message
        if opcode == CLOSE:
            raise ConnectionError("the server has said goodbye")
        assert opcode == BINARY, opcode
        head, numbers = read_binary(data)
        if head["type"] == "geometry":
            self.geometries[head["number"]] = (head, numbers)
        else:
            count = sum(part["corners"] for part in head["parts"])
            head["values"] = struct.unpack(f"<{count}f", numbers)
        return head

    def want(self, field=0, picture=0, plane=None):
        self.socket.send({"type": "want", "field": field, "picture": picture, "slice": plane})

    def read_until(self, found):
        while True:
            message = self.read()
            if found(message):
                return message

    def frame(self, **wish):
        self.want(**wish)
        return self.read_until(lambda message: message["type"] == "frame")

    def command(self, name):
        self.socket.send({"type": name})

    def status(self, name):
        return self.read_until(lambda message: message["type"] == "status" and message["status"] == name)


class ViewTest(CommandTest):
    def start(self, *words, **options):
        self.launch([PROGRAM, *map(str, words)], **options)

    def launch(self, words, preexec=None):
        """A program with a view in the background: sets self.process, self.port and self.token."""
        log = open(self.root / "stderr.txt", "w", encoding="utf-8")
        self.addCleanup(log.close)
        self.end()
        self.process = subprocess.Popen(words, cwd=self.root, env=self.environment(), text=True,
                                        stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=log, preexec_fn=preexec)
        self.addCleanup(self.end)
        line = self.process.stdout.readline()
        found = re.match(r"View: (http://127\.0\.0\.1:(\d+)/([0-9a-f]{32})/)$", line)
        self.assertTrue(found, f"{line!r}; {self.said()}")
        self.address, self.port, self.token = found[1], int(found[2]), found[3]

    def start_run(self, text=LONG_CASE, *words, **options):
        self.write("case.toml", text)
        self.start("run", "case.toml", "--view", *words, **options)

    def said(self):
        return (self.root / "stderr.txt").read_text(encoding="utf-8")

    process = None

    def end(self):
        if self.process is None:
            return
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGINT)
            try:
                self.process.wait(30)
            except subprocess.TimeoutExpired:
                self.process.kill()
        self.process.wait()
        self.process.stdout.close()

    def page_of_short_run(self, text):
        """On a busy machine such a run may end before a page has come."""
        for _ in range(10):
            self.start_run(text)
            try:
                return self.page()
            except ConnectionError:
                self.end()
        self.fail("the run always ended before a page had come")

    def page(self, **options):
        page = Page(self.port, self.token, **options)
        self.addCleanup(page.socket.close)
        return page

    def cost(self):
        """The cost of the view as the run reports it: frames, megabytes, seconds, and seconds of its thread on a processor."""
        found = re.search(r"View: (\d+) frames, (\S+) MB; they held the run for (\S+) s, (\S+) s of it computing", self.said())
        self.assertTrue(found, self.said())
        return int(found[1]), *(float(found[i]) for i in range(2, 5))

    def wait_for(self, claim, what, seconds=30):
        until = time.monotonic() + seconds
        while not claim():
            self.assertLess(time.monotonic(), until, f"after {seconds} s: {what}")
            time.sleep(0.02)
