// SPDX-License-Identifier: Apache-2.0
// Plots that grow: the energy, and the signals of receivers.
import uPlot from "uplot";
import "uplot/dist/uPlot.min.css";
import { shortNumber } from "./scale";
import type { SeriesNews } from "./protocol";

const plotWidth = 270, plotHeight = 140;
const milliseconds = 400; // between two drawings of a plot that grows

const palette = ["#2a7fc1", "#d1622b", "#2f9e6e", "#9a5bc0", "#b8891d", "#c2417c", "#5f7486", "#14a3a8", "#8a6d4b"];

// Just enough digits for the numbers of an axis.
function tickTexts(ticks: (number | null)[]): string[] {
  const numbers = ticks.filter((tick) => tick !== null);
  const largest = Math.max(...numbers.map(Math.abs), 0);
  const slack = 1e-3 * Math.abs((numbers[1] ?? 0) - (numbers[0] ?? 0));
  const powers = largest !== 0 && (largest < 1e-3 || largest >= 1e5);
  for (let digits = 1; ; ++digits) {
    const texts = ticks.map((tick) => (tick === null ? "" : powers ? tick.toExponential(digits - 1) : String(Number(tick.toPrecision(digits)))));
    if (digits === 8 || ticks.every((tick, i) => tick === null || Math.abs(Number(texts[i]) - tick) <= slack)) return texts;
  }
}

function extremes(column: (number | null)[], from: number, to: number): [number | null, number | null] {
  let low: number | null = null, high: number | null = null;
  for (let k = from; k < to; ++k) {
    const value = column[k];
    if (value === null) continue;
    if (low === null || value < low) low = value;
    if (high === null || value > high) high = value;
  }
  return [low, high];
}

class Signal {
  times: number[] = [];
  values: (number | null)[][];

  constructor(readonly name: string, readonly columns: string[]) {
    this.values = columns.map(() => []);
  }

  take(news: SeriesNews): void {
    this.times.length = news.from;
    this.times.push(...news.times);
    news.values.forEach((column, i) => {
      this.values[i].length = news.from;
      this.values[i].push(...column);
    });
  }

  // Where there are more points than a plot has columns: the smallest and the largest of each stretch, so that nothing is lost
  // that could be seen.
  data(): uPlot.AlignedData {
    const stretch = Math.ceil(this.times.length / plotWidth);
    if (stretch < 4) return [this.times, ...this.values] as uPlot.AlignedData;
    const times: number[] = [], values: (number | null)[][] = this.columns.map(() => []);
    for (let from = 0; from < this.times.length; from += stretch) {
      const to = Math.min(from + stretch, this.times.length);
      times.push(this.times[from], this.times[Math.floor((from + to) / 2)]);
      this.values.forEach((column, i) => values[i].push(...extremes(column, from, to)));
    }
    return [times, ...values] as uPlot.AlignedData;
  }
}

class Plot {
  private plot: uPlot | null = null;
  private shown: Signal | null = null;

  constructor(private host: HTMLElement) {}

  show(signal: Signal): void {
    if (this.shown === signal && this.plot) {
      this.plot.setData(signal.data());
      return;
    }
    this.plot?.destroy();
    this.shown = signal;
    const soft = () => getComputedStyle(document.documentElement).getPropertyValue("--soft");
    const line = () => getComputedStyle(document.documentElement).getPropertyValue("--line");
    const axis = { stroke: soft, grid: { stroke: line, width: 1 }, ticks: { stroke: line, width: 1 }, font: "10px system-ui" };
    this.plot = new uPlot(
      {
        width: plotWidth, height: plotHeight, padding: [8, 14, 0, 0], legend: { show: signal.columns.length > 1 }, cursor: { drag: { x: true, y: false } }, scales: { x: { time: false } },
        axes: [{ ...axis, size: 28 }, { ...axis, size: 58, values: (_, ticks) => tickTexts(ticks) }],
        series: [
          { label: "t", value: (_, value) => (value === null ? "" : shortNumber(value)) },
          ...signal.columns.map((label, i) => ({
            label, stroke: palette[i % palette.length], width: 1.5, points: { show: false },
            value: (_: uPlot, value: number | null) => (value === null ? "" : shortNumber(value)),
          })),
        ],
      },
      signal.data(), this.host);
  }

  redraw(): void {
    this.plot?.redraw(false);
  }
}

export class Plots {
  private signals: Signal[] = [];
  private energy = new Plot(this.element("energy-plot"));
  private receivers = new Plot(this.element("receiver-plot"));
  private waiting = false;
  private chooser = this.element("receiver") as HTMLSelectElement;

  constructor() {
    this.chooser.onchange = () => this.show();
  }

  private element(id: string): HTMLElement {
    return document.getElementById(id) as HTMLElement;
  }

  take(news: SeriesNews[]): void {
    for (const one of news) {
      if (!this.signals[one.series]) {
        this.signals[one.series] = new Signal(one.name, one.columns);
        if (one.series > 0) this.chooser.add(new Option(one.name, String(one.series)));
      }
      this.signals[one.series].take(one);
    }
    if (this.waiting) return;
    this.waiting = true;
    setTimeout(() => {
      this.waiting = false;
      this.show();
    }, milliseconds);
  }

  // The first series is the energy, the others are receivers.
  show(): void {
    const energy = this.signals[0], receiver = this.signals[Number(this.chooser.value)];
    this.element("energy-card").hidden = !energy;
    this.element("receiver-card").hidden = this.chooser.options.length === 0;
    if (energy) this.energy.show(energy);
    if (receiver && this.chooser.value) this.receivers.show(receiver);
  }

  redraw(): void {
    this.energy.redraw();
    this.receivers.redraw();
  }
}
