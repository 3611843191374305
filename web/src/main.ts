// SPDX-License-Identifier: Apache-2.0
// The page: joins the server's messages, the picture, the plots and the controls.
import { Connection, type Frame, type Geometry, type Hello, type SeriesNews, type Status } from "./protocol";
import { Plots } from "./plots";
import { drawBar, Scale, shortNumber, tableOf, type MapChoice } from "./scale";
import { Stage, type Surface } from "./stage";
import "./style.css";

function element<Kind extends HTMLElement>(id: string): Kind {
  return document.getElementById(id) as Kind;
}

const field = element<HTMLSelectElement>("field"), map = element<HTMLSelectElement>("map");
const follow = element<HTMLInputElement>("follow"), lines = element<HTMLInputElement>("lines");
const low = element<HTMLInputElement>("low"), high = element<HTMLInputElement>("high");
const surface = element<HTMLSelectElement>("surface"), slice = element<HTMLSelectElement>("slice");
const place = element<HTMLInputElement>("slice-place"), slider = element<HTMLInputElement>("slider");
const pause = element<HTMLButtonElement>("pause"), stop = element<HTMLButtonElement>("stop");
const play = element<HTMLButtonElement>("play"), notice = element("notice"), statusPill = element("status");

class Page {
  private about: Hello | null = null;
  private stage = new Stage(element<HTMLCanvasElement>("picture"));
  private plots = new Plots();
  private scale = new Scale();
  private tables: Record<"sequential" | "diverging", Uint8Array> = { sequential: new Uint8Array(1024), diverging: new Uint8Array(1024) };
  private shownTable: Uint8Array | null = null;
  private connection = new Connection(this);
  private drawnBar = "";
  private playing = false;
  private ended = false;
  private arrivals: number[] = [];
  private shownField = -1;

  hello(message: Hello): void {
    this.about = message;
    document.title = `${message.title} · Swell`;
    element("title").textContent = message.title;
    const elements = message.elements.toLocaleString("en").replaceAll(",", "\u202f");
    element("subtitle").textContent =
      `${message.model}, ${elements} elements` + (message.device ? `, ${message.device}` : "") +
      (message.complete ? "" : " (drawn with fewer points than it has)");
    field.replaceChildren(...message.fields.map((name, i) => new Option(name, String(i))));
    this.tables = { sequential: tableOf(message.colours.sequential), diverging: tableOf(message.colours.diverging) };
    element("solid-controls").hidden = message.dim !== 3;
    element("player").hidden = message.live;
    element("rate-fact").hidden = pause.hidden = stop.hidden = !message.live;
    element("progress").hidden = !message.live || !(message.end > 0);
    if (!message.live) element("step-name").textContent = "picture";
    slider.max = String(Math.max(message.times.length - 1, 0));
    this.stage.begin(message.dim, message.low, message.high);
    this.look();
    this.want();
  }

  status(message: Status): void {
    statusPill.textContent = message.status;
    statusPill.dataset.status = message.status;
    const paused = message.status === "paused";
    this.ended = !paused && message.status !== "running";
    pause.textContent = paused ? "Resume" : "Pause";
    pause.disabled = stop.disabled = this.ended;
    this.tell(message.message);
  }

  series(news: SeriesNews[]): void {
    this.plots.take(news);
  }

  geometry(geometry: Geometry): void {
    this.stage.setGeometry(geometry);
  }

  frame(frame: Frame): void {
    if (frame.field !== this.shownField) this.scale.forget();
    this.shownField = frame.field;
    this.scale.see(frame.low, frame.high);
    this.stage.setValues(frame.values);
    this.showScale();
    element("time").textContent = shortNumber(frame.time);
    element("step").textContent = this.about?.live ? String(frame.step) : `${frame.picture + 1} of ${this.about?.times.length}`;
    element("rate").textContent = frame.rate ? shortNumber(frame.rate) : "–";
    if (this.about && this.about.end > 0)
      (element("progress").firstElementChild as HTMLElement).style.width = `${Math.min(100, (100 * frame.time) / this.about.end)}%`;
    element("slider-time").textContent = `t = ${shortNumber(frame.time)}`;
    this.countFrames();
    if (this.playing) this.advance();
    // The next frame is asked for once this one is on the screen.
    else requestAnimationFrame(() => this.want());
  }

  gone(): void {
    if (!this.ended) {
      statusPill.textContent = "gone";
      statusPill.dataset.status = "gone";
      this.tell("The program behind this page has ended; the last picture stays.");
    }
    pause.disabled = stop.disabled = play.disabled = slider.disabled = true;
  }

  private tell(text: string): void {
    notice.textContent = text;
    notice.hidden = text === "";
  }

  private countFrames(): void {
    const now = performance.now();
    this.arrivals = [...this.arrivals.filter((time) => now - time < 2000), now];
    const seconds = (now - this.arrivals[0]) / 1000;
    element("frames").textContent = seconds > 0.2 ? ((this.arrivals.length - 1) / seconds).toFixed(1) : "–";
  }

  private plane(): number[] | null {
    if (!this.about || this.about.dim !== 3 || slice.value === "") return null;
    const axis = Number(slice.value), part = Number(place.value) / 1000;
    // A little off, since faces of cells often lie at round places.
    const at = this.about.low[axis] + (this.about.high[axis] - this.about.low[axis]) * Math.min(Math.max(part + 1e-6, 1e-4), 1 - 1e-4);
    element("slice-at").textContent = `at ${shortNumber(at)}`;
    return [0, 1, 2].map((d) => (d === axis ? at : 0)).concat([0, 1, 2].map((d) => (d === axis ? 1 : 0)));
  }

  want(): void {
    this.connection.want({ field: Number(field.value), picture: Number(slider.value), slice: this.plane() });
  }

  private showScale(): void {
    const table = this.scale.diverging ? this.tables.diverging : this.tables.sequential;
    if (table !== this.shownTable) this.stage.setColours(table);
    this.shownTable = table;
    this.stage.setScale(this.scale.low, this.scale.high);
    element("bar-field").textContent = this.about?.fields[this.shownField] ?? "";
    const drawn = `${this.scale.low} ${this.scale.high} ${this.scale.diverging}`;
    if (drawn !== this.drawnBar) drawBar(element<HTMLCanvasElement>("bar-colours"), element("bar-ticks"), table, this.scale);
    this.drawnBar = drawn;
    for (const [input, value] of [[low, this.scale.low], [high, this.scale.high]] as const)
      if (document.activeElement !== input) input.value = String(Number(value.toPrecision(6)));
  }

  look(): void {
    const dark = document.documentElement.dataset.theme === "dark";
    this.stage.setLook(surface.value as Surface, lines.checked, dark);
    this.plots.redraw();
  }

  // Controls.

  setMap(choice: MapChoice): void {
    this.scale.choice = choice;
    this.shownTable = null;
    this.showScale();
  }

  setFollow(on: boolean): void {
    follow.checked = this.scale.follows = on;
    this.showScale();
  }

  fixScale(): void {
    follow.checked = false;
    this.scale.fix(Number(low.value), Number(high.value));
    this.showScale();
  }

  setSlice(axis: string): void {
    const had = slice.value;
    slice.value = axis;
    if (axis === "") this.stage.dropSlice();
    if (axis !== "" && surface.value === "solid") surface.value = "glass";
    if (axis === "" && had !== "" && surface.value === "glass") surface.value = "solid";
    this.look();
    this.want();
  }

  moveSlice(by: number): void {
    place.value = String(Number(place.value) + by);
    this.want();
  }

  nextField(by: number): void {
    const count = field.options.length;
    field.selectedIndex = (field.selectedIndex + by + count) % count;
    this.want();
  }

  togglePause(): void {
    if (!this.about?.live) return this.togglePlay();
    if (!pause.disabled) this.connection.command(pause.textContent === "Pause" ? "pause" : "resume");
  }

  stopRun(): void {
    this.connection.command("stop");
  }

  togglePlay(): void {
    this.playing = !this.playing;
    play.textContent = this.playing ? "Pause" : "Play";
    if (!this.playing) return this.want();
    if (slider.value === slider.max) slider.value = "0";
    this.want();
    this.advance();
  }

  private advance(): void {
    setTimeout(() => {
      if (!this.playing) return;
      if (slider.value === slider.max) return this.togglePlay();
      slider.value = String(Number(slider.value) + 1);
      this.want();
    }, 80);
  }

  moveTime(by: number): void {
    slider.value = String(Number(slider.value) + by);
    this.want();
  }

  get live(): boolean {
    return this.about?.live ?? true;
  }

  fit(): void {
    this.stage.fit();
  }

  save(): void {
    const link = document.createElement("a");
    link.href = this.stage.picture();
    link.download = `${field.selectedOptions[0]?.text ?? "field"}.png`;
    link.click();
  }
}

function setTheme(dark: boolean): void {
  document.documentElement.dataset.theme = dark ? "dark" : "light";
}

setTheme(matchMedia("(prefers-color-scheme: dark)").matches);
const page = new Page();

function toggleTheme(): void {
  setTheme(document.documentElement.dataset.theme !== "dark");
  page.look();
}

field.onchange = () => page.want();
map.onchange = () => page.setMap(map.value as MapChoice);
follow.onchange = () => page.setFollow(follow.checked);
low.onchange = high.onchange = () => page.fixScale();
lines.onchange = surface.onchange = () => page.look();
slice.onchange = () => page.setSlice(slice.value);
place.oninput = slider.oninput = () => page.want();
pause.onclick = () => page.togglePause();
stop.onclick = () => page.stopRun();
play.onclick = () => page.togglePlay();
element("theme").onclick = toggleTheme;
element("help").onclick = () => element<HTMLDialogElement>("keys").showModal();
element("fit").onclick = () => page.fit();
element("save").onclick = () => page.save();

const keys: Record<string, () => void> = {
  " ": () => page.togglePause(),
  "[": () => page.nextField(-1),
  "]": () => page.nextField(1),
  m: () => ((lines.checked = !lines.checked), page.look()),
  l: () => page.setFollow(!follow.checked),
  x: () => page.setSlice(slice.value === "0" ? "" : "0"),
  y: () => page.setSlice(slice.value === "1" ? "" : "1"),
  z: () => page.setSlice(slice.value === "2" ? "" : "2"),
  ArrowLeft: () => (page.live ? page.moveSlice(-20) : page.moveTime(-1)),
  ArrowRight: () => (page.live ? page.moveSlice(20) : page.moveTime(1)),
  f: () => page.fit(),
  s: () => page.save(),
  d: toggleTheme,
  "?": () => element<HTMLDialogElement>("keys").showModal(),
};

addEventListener("keydown", (event) => {
  const target = event.target as HTMLElement;
  // A control that has the focus keeps its own keys.
  if (event.ctrlKey || event.metaKey || event.altKey || ["INPUT", "SELECT", "BUTTON"].includes(target.tagName)) return;
  const action = keys[event.key];
  if (!action) return;
  event.preventDefault();
  action();
});
