// SPDX-License-Identifier: Apache-2.0
// The messages of Swell's server, as src/view/viewer_messages.hpp describes them.

export interface Hello {
  type: "hello";
  title: string;
  model: string;
  device: string;
  fields: string[];
  end: number;
  live: boolean;
  times: number[];
  dim: number;
  low: number[];
  high: number[];
  elements: number;
  complete: boolean;
  colours: { sequential: string; diverging: string };
}

export interface Status {
  type: "status";
  status: string;
  message: string;
}

export interface SeriesNews {
  series: number;
  name: string;
  columns: string[];
  from: number;
  times: number[];
  values: (number | null)[][];
}

export interface Geometry {
  part: "whole" | "slice";
  number: number;
  points: Float32Array;
  triangles: Uint32Array;
  lines: Uint32Array;
}

export interface Frame {
  field: number;
  picture: number;
  time: number;
  step: number;
  rate: number | null;
  low: number | null;
  high: number | null;
  values: Map<number, Float32Array>; // by the number of the geometry
}

export interface Wish {
  field: number;
  picture: number;
  slice: number[] | null;
}

export interface Listener {
  hello(message: Hello): void;
  status(message: Status): void;
  series(news: SeriesNews[]): void;
  geometry(geometry: Geometry): void;
  frame(frame: Frame): void;
  gone(): void;
}

export class Connection {
  private socket: WebSocket;

  constructor(listener: Listener) {
    const address = new URL("socket", location.href);
    address.protocol = "ws:";
    this.socket = new WebSocket(address);
    this.socket.binaryType = "arraybuffer";
    this.socket.onmessage = (event: MessageEvent<string | ArrayBuffer>) => {
      if (typeof event.data === "string") readText(event.data, listener);
      else readBinary(event.data, listener);
    };
    this.socket.onclose = () => listener.gone();
  }

  want(wish: Wish): void {
    this.send({ type: "want", ...wish });
  }

  command(type: "pause" | "resume" | "stop"): void {
    this.send({ type });
  }

  private send(message: object): void {
    if (this.socket.readyState === WebSocket.OPEN) this.socket.send(JSON.stringify(message));
  }
}

function readText(text: string, listener: Listener): void {
  const message = JSON.parse(text) as Hello | Status | { type: "series"; news: SeriesNews[] };
  if (message.type === "hello") listener.hello(message);
  else if (message.type === "status") listener.status(message);
  else listener.series(message.news);
}

interface GeometryHead {
  type: "geometry";
  part: "whole" | "slice";
  number: number;
  corners: number;
  triangles: number;
  lines: number;
}

interface FrameHead extends Omit<Frame, "values"> {
  type: "frame";
  parts: { number: number; corners: number }[];
}

function readBinary(buffer: ArrayBuffer, listener: Listener): void {
  const length = new DataView(buffer).getUint32(0, true);
  const head = JSON.parse(new TextDecoder().decode(new Uint8Array(buffer, 4, length))) as GeometryHead | FrameHead;
  let at = 4 + length;
  const floats = (count: number) => {
    const array = new Float32Array(buffer, at, count);
    at += 4 * count;
    return array;
  };
  const wholes = (count: number) => {
    const array = new Uint32Array(buffer, at, count);
    at += 4 * count;
    return array;
  };
  if (head.type === "geometry") {
    const points = floats(3 * head.corners);
    const triangles = wholes(3 * head.triangles);
    listener.geometry({ part: head.part, number: head.number, points, triangles, lines: wholes(2 * head.lines) });
    return;
  }
  const values = new Map<number, Float32Array>();
  for (const part of head.parts) values.set(part.number, floats(part.corners));
  listener.frame({ ...head, values });
}
