// The in-process stock of a setup, as the service recorded it: spans along z on a grid of rays.
export interface Grid {
  motion: string;
  x: number;
  y: number;
  step: number;
  width: number;
  height: number;
  low: number; // a height h is at low + h · unit, mm
  unit: number;
  states: string[];
}

// Spans are the spans of all rays: those of ray r are start[r] to start[r + 1] - 1.
export interface Spans { start: Uint32Array; lo: Uint16Array; hi: Uint16Array }

// readStock decodes a record: its grid, and a function that returns a state.
export function readStock(data: ArrayBuffer): { grid: Grid; states: Spans[] } {
  const size = new DataView(data).getUint32(0, true);
  const grid = JSON.parse(new TextDecoder().decode(new Uint8Array(data, 4, size))) as Grid;
  const words = new Uint16Array(data, 4 + size);
  const rays = grid.width * grid.height;
  let at = 0;
  const long = () => { at += 2; return words[at - 2]! + words[at - 1]! * 65536; };
  let before: Spans = { start: new Uint32Array(rays + 1), lo: new Uint16Array(0), hi: new Uint16Array(0) };
  const states: Spans[] = [];
  for (let n = 0; n < grid.states.length; n++) {
    const runs = long(), changed = long(), spans = long();
    const counts = at + 2 * runs, values = counts + changed;
    if (values + 2 * spans > words.length) throw new Error("The stock of the program is incomplete.");
    // A first pass counts, a second one fills.
    const start = new Uint32Array(rays + 1);
    const from = new Int32Array(rays).fill(-1); // changed rays: their entry
    for (let r = 0, k = 0, run = 0; run < runs; run++) {
      r += words[at + 2 * run]!;
      for (let m = words[at + 2 * run + 1]!; m > 0; m--) from[r++] = k++;
    }
    for (let r = 0; r < rays; r++) {
      start[r + 1] = start[r]! + (from[r]! >= 0 ? words[counts + from[r]!]! : before.start[r + 1]! - before.start[r]!);
    }
    const lo = new Uint16Array(start[rays]!), hi = new Uint16Array(start[rays]!);
    let l = 0, h = 0, v = values;
    for (let r = 0; r < rays; r++) {
      let to = start[r]!;
      if (from[r]! < 0) {
        for (let k = before.start[r]!; k < before.start[r + 1]!; k++, to++) {
          lo[to] = before.lo[k]!;
          hi[to] = before.hi[k]!;
        }
        continue;
      }
      for (; to < start[r + 1]!; to++, v += 2) {
        lo[to] = l = (l + words[v]!) & 0xffff;
        hi[to] = h = (h + words[v + 1]!) & 0xffff;
      }
    }
    at = values + 2 * spans;
    before = { start, lo, hi };
    states.push(before);
  }
  return { grid, states };
}

// highest is the greatest height of a state.
export function highest(s: Spans): number {
  let top = 0;
  for (const h of s.hi) if (h > top) top = h;
  return top;
}
