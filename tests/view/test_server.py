# SPDX-License-Identifier: Apache-2.0
"""The server of the live view: who it lets in, what it serves, and that nobody outside slows it down."""

import http.client
import os
import socket
import struct
import time
import unittest
from pathlib import Path

from view_support import ViewTest
from websocket import PING, PONG, TEXT, Refused, WebSocket, frame

PROTOCOL_ERROR, NOT_ACCEPTED, WRONG_TEXT, POLICY, TOO_BIG = 1002, 1003, 1007, 1008, 1009
BUNDLE = Path(__file__).resolve().parents[2] / "web" / "dist"


class Door(ViewTest):
    def setUp(self):
        super().setUp()
        self.start_run()

    def get(self, path, method="GET", **headers):
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=30)
        self.addCleanup(connection.close)
        connection.putrequest(method, path, skip_host="Host" in headers, skip_accept_encoding=True)
        for name, value in headers.items():
            connection.putheader(name, value)
        connection.endheaders()
        response = connection.getresponse()
        return response.status, response.read(), response

    def raw(self, data):
        """The server's answer to bytes that are no proper request."""
        with socket.create_connection(("127.0.0.1", self.port), timeout=30) as client:
            try:
                client.sendall(data)
            except ConnectionError:
                pass  # it has answered and left before all was sent
            answer = b""
            try:
                while part := client.recv(1 << 16):
                    answer += part
            except ConnectionError:
                pass
            return answer

    def test_serves_the_files_of_the_bundle_and_no_other(self):
        for name in sorted(os.listdir(BUNDLE)):
            status, body, _ = self.get(f"/{self.token}/{name}")
            self.assertEqual((status, body), (200, (BUNDLE / name).read_bytes()), name)
        status, body, response = self.get(f"/{self.token}/")
        self.assertEqual((status, body), (200, (BUNDLE / "index.html").read_bytes()))
        self.assertIn("default-src 'none'", response.getheader("Content-Security-Policy"))
        wrong = ["case.toml", "../case.toml", "../../etc/passwd", "%2e%2e/case.toml", "..%2fcase.toml", "/etc/passwd",
                 "dist/app.js", "app.js/", "app.js?x=1", "./app.js", "out/log.txt", "\\..\\case.toml"]
        for name in wrong:
            self.assertEqual(self.get(f"/{self.token}/{name}")[0], 404, name)

    def test_answers_403_to_wrong_tokens(self):
        other = self.token[:-1] + ("0" if self.token[-1] != "0" else "1")
        for path in ["/", "/index.html", "/socket", f"/{other}/", f"/{other}/app.js", f"/{self.token}0/", f"/{self.token[:-1]}/",
                     f"//{self.token}/", f"/?token={self.token}", f"/{self.token.upper()}x/"]:
            self.assertEqual(self.get(path)[0], 403, path)
        with self.assertRaises(Refused) as refused:
            WebSocket(self.port, f"/{other}/socket")
        self.assertEqual(refused.exception.args, (403,))

    def test_answers_403_to_other_hosts_and_origins(self):
        page, here = f"/{self.token}/", f"127.0.0.1:{self.port}"
        self.assertEqual(self.get(page, Host=f"localhost:{self.port}")[0], 200)
        for host in ["evil.example", f"evil.example:{self.port}", "127.0.0.1", f"127.0.0.1:{self.port + 1}", ""]:
            self.assertEqual(self.get(page, Host=host)[0], 403, host)
        self.assertEqual(self.get(page, Origin=f"http://{here}")[0], 200)
        for origin in ["http://evil.example", "null", f"https://{here}", f"http://localhost:{self.port}"]:
            self.assertEqual(self.get(page, Origin=origin)[0], 403, origin)
            with self.assertRaises(Refused, msg=origin) as refused:
                WebSocket(self.port, f"{page}socket", headers={"Origin": origin})
            self.assertEqual(refused.exception.args, (403,))
        with self.assertRaises(Refused):  # every browser says where a WebSocket comes from
            WebSocket(self.port, f"{page}socket", headers={"Origin": None})

    def test_answers_other_methods_and_broken_requests_with_an_error(self):
        self.assertEqual(self.get(f"/{self.token}/", "POST")[0], 405)
        self.assertEqual(self.get(f"/{self.token}/", "HEAD")[:2], (200, b""))
        self.assertEqual(self.get(f"/{self.token}/socket")[0], 403)  # no Origin
        self.assertEqual(self.get(f"/{self.token}/socket", Origin=f"http://127.0.0.1:{self.port}")[0], 400)
        host = f"Host: 127.0.0.1:{self.port}\r\n".encode()
        for text in [b"\r\n\r\n", b"GET /\r\n\r\n", b"GET / HTTP/1.0\r\n" + host + b"\r\n", b"\x16\x03\x01\x02\r\n\r\n",
                     b"GET / HTTP/1.1\r\n" + host + host + b"\r\n", b"GET / HTTP/1.1\r\nno colon\r\n\r\n"]:
            self.assertTrue(self.raw(text).startswith(b"HTTP/1.1 400 "), text)

    def test_answers_huge_heads_with_431_and_reads_no_further(self):
        self.assertTrue(self.raw(b"GET /" + b"a" * 20000).startswith(b"HTTP/1.1 431 "))
        many = b"".join(b"X-%d: y\r\n" % i for i in range(100000))
        self.assertTrue(self.raw(b"GET / HTTP/1.1\r\n" + many).startswith(b"HTTP/1.1 431 "))

    def test_listens_on_the_loopback_address_alone(self):
        with open(f"/proc/{self.process.pid}/net/tcp", encoding="ascii") as table:
            rows = [line.split() for line in table]
        mine = [row[1] for row in rows if row[1].endswith(f":{self.port:04X}") and row[3] == "0A"]
        self.assertEqual(mine, [f"0100007F:{self.port:04X}"])

    def test_keeps_its_token_out_of_the_folder(self):
        self.page().frame()
        for file in (self.root / "out").rglob("*"):
            if file.is_file():
                self.assertNotIn(self.token.encode(), file.read_bytes(), file)


class Hostile(ViewTest):
    def setUp(self):
        super().setUp()
        self.start_run()

    def assert_alive(self):
        page = self.page()
        first = page.frame()
        self.assertGreater(page.frame()["step"], first["step"])

    def test_broken_frames_end_their_own_connection_alone(self):
        wish = b'{"type":"want","field":0}'
        wrong = [(frame(TEXT, wish, masked=False), PROTOCOL_ERROR), (frame(TEXT, wish, reserved=4), PROTOCOL_ERROR),
                 (frame(3, wish), PROTOCOL_ERROR), (frame(TEXT, wish, final=False), NOT_ACCEPTED), (frame(0, wish), NOT_ACCEPTED),
                 (frame(2, wish), NOT_ACCEPTED), (frame(PING, b"x" * 126), PROTOCOL_ERROR), (frame(TEXT, b"x" * 20000), TOO_BIG),
                 (b"\x81\xff" + struct.pack(">Q", 1 << 62), TOO_BIG), (frame(TEXT, b"\xff\xfe"), WRONG_TEXT),
                 (frame(TEXT, b"not json"), WRONG_TEXT), (frame(TEXT, b"[" * 5000), WRONG_TEXT)]
        for data, code in wrong:
            page = self.page()
            page.socket.send_bytes(data if code != TOO_BIG or len(data) > 100 else data + b"\0" * 4)
            self.assertEqual(page.socket.close_code(), code, data[:40])
        self.assert_alive()

    def test_wishes_without_sense_end_the_connection(self):
        for text in ['{"type":"want"}', '{"type":"want","field":99}', '{"type":"want","field":-1}', '{"type":"want","field":"Ez"}',
                     '{"type":"want","field":0,"picture":-1}', '{"type":"want","field":0,"slice":[0,0,0,1,0,0]}', '{"type":"rm"}',
                     '{"field":0}', "7", "null", '{"type":7}', '{"type":"want","field":1e99}']:
            page = self.page()
            page.socket.send_bytes(frame(TEXT, text.encode()))
            self.assertEqual(page.socket.close_code(), WRONG_TEXT, text)
        self.assert_alive()

    def test_answers_a_ping(self):
        page = self.page()
        page.socket.send_bytes(frame(PING, b"here?"))
        while True:
            opcode, data = page.socket.receive()
            if opcode == PONG:
                self.assertEqual(data, b"here?")
                return

    def test_a_flood_of_messages_is_cut_off(self):
        page = self.page()
        try:
            page.socket.send_bytes(frame(TEXT, b'{"type":"want","field":0}') * 5000)
            self.assertEqual(page.socket.close_code(), POLICY)
        except ConnectionError:
            pass  # closed while it was still sending
        self.assert_alive()

    def test_idle_half_open_and_many_clients_keep_no_page_out(self):
        idle = [socket.create_connection(("127.0.0.1", self.port), timeout=30) for _ in range(200)]
        for i, client in enumerate(idle):
            try:
                client.sendall(b"GET / HT" if i % 2 else b"")
            except ConnectionError:
                pass  # sent away for another
        self.assert_alive()
        for client in idle:
            client.close()

    def test_a_silent_request_is_dropped_in_time(self):
        with socket.create_connection(("127.0.0.1", self.port), timeout=30) as client:
            client.sendall(b"GET / HTTP/1.1\r\n")
            begin = time.monotonic()
            self.assertEqual(client.recv(1), b"")
            self.assertLess(time.monotonic() - begin, 15)  # the limit is 5 s

    def test_pages_that_never_read_do_not_hold_the_run(self):
        slow = [self.page() for _ in range(5)]
        for page in slow:
            page.want()
        watcher = self.page()
        first = watcher.frame()
        for _ in range(10):
            for page in slow:
                try:
                    page.want()
                except ConnectionError:
                    pass
            last = watcher.frame()
        self.assertGreater(last["step"], first["step"])
        self.assertIsNone(self.process.poll())


if __name__ == "__main__":
    unittest.main()
