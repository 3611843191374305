// SPDX-License-Identifier: Apache-2.0
// The colour scale: which values get which colours, and the bar that says so.

export type MapChoice = "automatic" | "sequential" | "diverging";

// Six hexadecimal digits a colour, as RGBA.
export function tableOf(digits: string): Uint8Array {
  const table = new Uint8Array((digits.length / 6) * 4);
  for (let i = 0; i < digits.length / 6; ++i) {
    for (let c = 0; c < 3; ++c) table[4 * i + c] = parseInt(digits.slice(6 * i + 2 * c, 6 * i + 2 * c + 2), 16);
    table[4 * i + 3] = 255;
  }
  return table;
}

// Outwards to two digits of the range, so that a scale that follows does not tremble.
function roundedOut(value: number, range: number, up: boolean): number {
  const unit = 10 ** (Math.floor(Math.log10(range)) - 1);
  if (!(unit > 0) || !Number.isFinite(unit)) return value;
  return unit * (up ? Math.ceil(value / unit - 1e-6) : Math.floor(value / unit + 1e-6));
}

export class Scale {
  low = 0;
  high = 1;
  follows = true;
  choice: MapChoice = "automatic";
  private crossesZero = false; // once seen, so that colours do not change while a wave passes through zero

  get diverging(): boolean {
    return this.choice === "diverging" || (this.choice === "automatic" && this.crossesZero);
  }

  forget(): void {
    this.crossesZero = false;
  }

  see(low: number | null, high: number | null): void {
    if (low === null || high === null) return;
    this.crossesZero ||= low < 0 && high > 0;
    if (!this.follows) return;
    if (this.diverging) {
      const extent = Math.max(Math.abs(low), Math.abs(high));
      [low, high] = [-extent, extent];
    }
    if (!(high > low)) {
      const half = low === 0 ? 1 : 0.5 * Math.abs(low);
      [this.low, this.high] = [low - half, low + half];
      return;
    }
    const range = high - low;
    this.low = roundedOut(low, range, false);
    this.high = roundedOut(high, range, true);
  }

  fix(low: number, high: number): void {
    this.follows = false;
    if (Number.isFinite(low) && Number.isFinite(high) && high > low) [this.low, this.high] = [low, high];
  }
}

export function shortNumber(value: number): string {
  const size = Math.abs(value);
  if (size !== 0 && (size < 1e-3 || size >= 1e5)) return value.toExponential(2);
  return String(Number(value.toPrecision(4)));
}

export function drawBar(canvas: HTMLCanvasElement, ticks: HTMLElement, table: Uint8Array, scale: Scale): void {
  const context = canvas.getContext("2d");
  if (!context) return;
  const image = context.createImageData(1, 256);
  for (let row = 0; row < 256; ++row) image.data.set(table.subarray(4 * (255 - row), 4 * (256 - row)), 4 * row);
  for (let column = 0; column < canvas.width; ++column) context.putImageData(image, column, 0);
  const count = 5;
  ticks.replaceChildren(
    ...Array.from({ length: count }, (_, i) => {
      const tick = document.createElement("span");
      tick.textContent = shortNumber(scale.high + ((scale.low - scale.high) * i) / (count - 1));
      return tick;
    }),
  );
}
