# SPDX-License-Identifier: Apache-2.0
"""A WebSocket client (RFC 6455) from the standard library: for the view's server and for a browser's DevTools."""

import base64
import hashlib
import json
import os
import socket
import struct

TEXT, BINARY, CLOSE, PING, PONG = 1, 2, 8, 9, 10
MAGIC = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11"


class Refused(Exception):
    """The server answered with an ordinary response in place of a handshake: its status is the first argument."""


def frame(opcode, payload, masked=True, final=True, reserved=0):
    """One frame, right or wrong as the arguments say."""
    head = bytes([(0x80 if final else 0) | reserved << 4 | opcode])
    mark = 0x80 if masked else 0
    if len(payload) < 126:
        head += bytes([mark | len(payload)])
    elif len(payload) < 65536:
        head += bytes([mark | 126]) + struct.pack(">H", len(payload))
    else:
        head += bytes([mark | 127]) + struct.pack(">Q", len(payload))
    if not masked:
        return head + payload
    mask = os.urandom(4)
    return head + mask + bytes(byte ^ mask[i % 4] for i, byte in enumerate(payload))


class WebSocket:
    def __init__(self, port, path, headers=None, timeout=60):
        self.socket = socket.create_connection(("127.0.0.1", port), timeout=timeout)
        self.stream = b""
        key = base64.b64encode(os.urandom(16)).decode()
        lines = {"Host": f"127.0.0.1:{port}", "Origin": f"http://127.0.0.1:{port}", "Upgrade": "websocket",
                 "Connection": "Upgrade", "Sec-WebSocket-Key": key, "Sec-WebSocket-Version": "13", **(headers or {})}
        text = f"GET {path} HTTP/1.1\r\n" + "".join(f"{k}: {v}\r\n" for k, v in lines.items() if v is not None)
        self.socket.sendall(text.encode() + b"\r\n")
        while b"\r\n\r\n" not in self.stream:
            self.more()
        head, self.stream = self.stream.split(b"\r\n\r\n", 1)
        status = int(head.split()[1])
        if status != 101:
            self.close()
            raise Refused(status)
        expected = base64.b64encode(hashlib.sha1((key + MAGIC).encode()).digest())
        assert b"Sec-WebSocket-Accept: " + expected in head, head

    def more(self):
        part = self.socket.recv(1 << 16)
        if not part:
            raise ConnectionError("the server has closed the connection")
        self.stream += part

    def take(self, count):
        while len(self.stream) < count:
            self.more()
        part, self.stream = self.stream[:count], self.stream[count:]
        return part

    def receive(self):
        """The next message: its opcode and its bytes."""
        first, length = self.take(2)
        assert first & 0x80 and not length & 0x80, "a server's frame is whole and not masked"
        if length == 126:
            length = struct.unpack(">H", self.take(2))[0]
        elif length == 127:
            length = struct.unpack(">Q", self.take(8))[0]
        return first & 15, self.take(length)

    def send(self, message):
        self.socket.sendall(frame(TEXT, json.dumps(message).encode()))

    def send_bytes(self, data):
        self.socket.sendall(data)

    def close_code(self):
        """Reads on until the server closes the socket, and returns the code that it gives."""
        while True:
            opcode, data = self.receive()
            if opcode == CLOSE:
                return struct.unpack(">H", data[:2])[0]

    def close(self):
        self.socket.close()
