// The worker of a playback: it holds moves and stock of a setup, and answers with the state at any moment.
//
// Within an operation the stock is that of the server before it, cut off by a height map that the tool lowers; at its
// end the server's stock takes over, so that the preview cannot drift from the proof. Key frames of the map bound the
// work of a jump.
import { surfaceOf, topsOf } from "./columns";
import { highest, readStock, type Grid, type Spans } from "./dexels";
import { chords, lengthOf, moveAt, pointOn, segmentsOf, type RawMoves, type Segments } from "./motion";
import { HeightMap, undersideOf, type Underside } from "./sweep";
import { last, trace } from "./trace";
import type { At, Go, Open, Out, PathOf, Point, Trace } from "./wire";

const keysAtMost = 96;
const costOfMove = 150; // cells
const cellsOfKey = 400_000; // between two key frames at first
const pathPoints = 3000;
const slopeSagitta = 0.02; // mm

interface Key { operation: number; segment: number; map: Uint16Array }

class Playback {
  readonly operations: Segments[];
  readonly grid: Grid;
  readonly states: Spans[];
  readonly raw: RawMoves;
  readonly tools = new Map<number, Underside>();
  readonly undercut = new Set<number>();
  readonly keys: Key[] = [];
  private readonly work: HeightMap;
  private readonly fresh: Uint16Array;
  private now = { operation: -1, segment: 0, share: 0 };
  private top = 0;

  constructor(open: Open) {
    this.raw = JSON.parse(new TextDecoder().decode(open.moves)) as RawMoves;
    const of = this.raw.setups[open.setup];
    if (!of) throw new Error(`The program has no setup ${open.setup + 1}.`);
    const { grid, states } = readStock(open.stock);
    if (grid.motion !== this.raw.motion) throw new Error("The stock is of another program than the moves. Load the page again.");
    if (states.length !== of.operations.length + 2) throw new Error("The stock has other operations than the moves.");
    this.grid = grid;
    this.states = states;
    this.operations = of.operations.map(segmentsOf);
    for (const t of this.raw.tools) {
      this.tools.set(t.number, undersideOf(t, grid.unit));
      if (t.undercut) this.undercut.add(t.number);
    }
    this.fresh = new Uint16Array(grid.width * grid.height).fill(65535);
    this.work = new HeightMap(grid, this.fresh.slice());
  }

  // build sweeps all operations once and keeps frames.
  build(progress: (share: number) => void): void {
    let every = cellsOfKey, since = 0, told = 0;
    const total = this.operations.reduce((n, o) => n + o.feed.length, 0);
    let done = 0;
    this.operations.forEach((o, k) => {
      this.begin(k);
      for (let i = 0; i < o.feed.length; i++) {
        const before = this.work.cells;
        this.sweep(k, i, 0, 1);
        since += this.work.cells - before + costOfMove;
        if (since < every) continue;
        since = 0;
        this.keys.push({ operation: k, segment: i + 1, map: this.work.map.slice() });
        if (this.keys.length > keysAtMost) { // every other goes
          for (let n = this.keys.length - 1; n >= 0; n -= 2) this.keys.splice(n, 1);
          every *= 2;
        }
      }
      done += o.feed.length;
      if (done - told > total / 20) progress((told = done) / total);
    });
    this.now.operation = -1;
  }

  private begin(operation: number): void {
    this.work.map.set(this.fresh);
    this.now = { operation, segment: 0, share: 0 };
    this.top = highest(this.before(operation));
  }

  // before is the server's stock before an operation.
  before(operation: number): Spans { return this.states[operation + 1]!; }

  // sweep does segment i of an operation between two shares of it.
  private sweep(operation: number, i: number, from: number, share: number): void {
    const o = this.operations[operation]!, tool = this.tools.get(o.tool);
    if (!tool || this.undercut.has(o.tool)) return;
    const a = o.at, k = 3 * i, g = this.grid;
    if (Math.min(a[k + 2]!, a[k + 5]!) >= g.low + this.top * g.unit) return; // above everything
    let goesOn = from > 0 || (i > 0 && Math.abs(a[k + 2]! - a[k - 1]!) < 1e-6 && Math.abs(a[k + 5]! - a[k + 2]!) < 1e-6);
    // beside a slope, a chord is as wrong in height as at the side
    const sagitta = tool.flat === tool.radius ? 0.3 * g.step : Math.min(0.3 * g.step, slopeSagitta);
    chords(o, i, share, sagitta, (x0, y0, z0, x1, y1, z1) => {
      this.work.line(tool, x0, y0, z0, x1, y1, z1, goesOn);
      goesOn = true;
    });
  }

  // to brings the height map to a share of a segment.
  to(operation: number, segment: number, share: number): void {
    const at = this.now;
    const isAhead = at.operation === operation &&
      (at.segment < segment || (at.segment === segment && at.share <= share));
    let key: Key | null = null;
    for (const f of this.keys) {
      if (f.operation === operation && f.segment <= segment) key = f; // they ascend
    }
    if (!isAhead || (key && key.segment > at.segment)) {
      if (key) {
        this.work.map.set(key.map);
        this.now = { operation, segment: key.segment, share: 0 };
        this.top = highest(this.before(operation));
      } else {
        this.begin(operation);
      }
    }
    for (; this.now.segment < segment; this.now.segment++) {
      this.sweep(operation, this.now.segment, this.now.share, 1);
      this.now.share = 0;
    }
    if (share > this.now.share) {
      this.sweep(operation, segment, this.now.share, share);
      this.now.share = share;
    }
  }

  map(): Uint16Array { return this.work.map; }

  bytes(): number {
    const cells = this.fresh.byteLength;
    let n = (this.keys.length + 2) * cells;
    for (const s of this.states) n += s.start.byteLength + s.lo.byteLength + s.hi.byteLength;
    for (const o of this.operations) {
      n += o.at.byteLength + o.feed.byteLength + o.turn.byteLength + o.center.byteLength + o.first.byteLength + o.seconds.byteLength;
    }
    return n;
  }

  // moment resolves what is asked for: operation, move, the segment that is under way and the share of it.
  moment(go: Go): { operation: number; move: number; segment: number; share: number; time: number } {
    const last = this.operations.length - 1;
    let k = Math.min(Math.max(go.operation ?? 0, 0), last);
    if (go.time !== undefined) {
      k = 0;
      while (k < last && this.operations[k + 1]!.begin <= go.time) k++;
    }
    const o = this.operations[k]!, moves = o.seconds.length;
    if (go.time === undefined) {
      const move = Math.min(go.move ?? -1, moves - 1);
      const time = o.begin + (move >= 0 ? o.seconds[move]! : 0);
      return { operation: k, move, segment: move >= 0 ? o.first[move + 1]! : 0, share: 0, time };
    }
    const second = go.time - o.begin;
    if (moves === 0 || second <= 0) return { operation: k, move: -1, segment: 0, share: 0, time: go.time };
    if (second >= o.seconds[moves - 1]!) {
      return { operation: k, move: moves - 1, segment: o.feed.length, share: 0, time: go.time };
    }
    const move = moveAt(o, second);
    const from = move > 0 ? o.seconds[move - 1]! : 0, span = o.seconds[move]! - from;
    let share = span > 0 ? (second - from) / span : 1;
    // the share of a move with several segments goes by their lengths
    const a = o.first[move]!, b = o.first[move + 1]!;
    let length = 0;
    for (let i = a; i < b; i++) length += lengthOf(o, i);
    let left = share * length;
    for (let i = a; i < b; i++) {
      const l = lengthOf(o, i);
      if (left < l) return { operation: k, move, segment: i, share: left / l, time: go.time };
      left -= l;
    }
    return { operation: k, move, segment: b, share: (share = 0), time: go.time };
  }

  // airUntil is the second at which the rapids and the tool change end that a moment is in; its own: none.
  airUntil(m: { operation: number; move: number; segment: number; time: number }): number {
    const o = this.operations[m.operation]!, isOver = m.segment >= o.feed.length;
    if (isOver && m.move === o.seconds.length - 1) return this.operations[m.operation + 1]?.begin ?? m.time;
    let end = m.move < 0 ? Math.max(o.begin, m.time) : m.time;
    for (let k = Math.max(0, m.move); k < o.seconds.length; k++) {
      for (let i = o.first[k]!; i < o.first[k + 1]!; i++) if (o.feed[i] !== 0) return end;
      end = Math.max(end, o.begin + o.seconds[k]!);
    }
    return end;
  }

  tip(operation: number, segment: number, share: number): Point {
    const o = this.operations[operation]!;
    if (share > 0) return pointOn(o, segment, share);
    return [o.at[3 * segment]!, o.at[3 * segment + 1]!, o.at[3 * segment + 2]!];
  }
}

const post = (message: Out, transfer: Transferable[] = []) => (self as unknown as Worker).postMessage(message, transfer);

let play: Playback | null = null;

function open(message: Open): void {
  const begin = performance.now();
  const p = new Playback(message);
  p.build((share) => post({ type: "progress", share }));
  play = p;
  const g = p.grid, start = p.states[1]!;
  const box = { min: [Infinity, Infinity, Infinity] as Point, max: [-Infinity, -Infinity, -Infinity] as Point };
  for (let r = 0; r + 1 < start.start.length; r++) {
    if (start.start[r + 1] === start.start[r]) continue;
    const x = g.x + (r % g.width) * g.step, y = g.y + Math.floor(r / g.width) * g.step;
    const lo = g.low + start.lo[start.start[r]!]! * g.unit, hi = g.low + start.hi[start.start[r + 1]! - 1]! * g.unit;
    box.min = [Math.min(box.min[0], x), Math.min(box.min[1], y), Math.min(box.min[2], lo)];
    box.max = [Math.max(box.max[0], x), Math.max(box.max[1], y), Math.max(box.max[2], hi)];
  }
  const operations = p.operations.map((o) => ({
    id: o.id, tool: o.tool, spindleRpm: o.spindleRpm, begin: o.begin,
    end: o.begin + (o.seconds.length > 0 ? o.seconds[o.seconds.length - 1]! : 0), moves: o.seconds.length,
    start: [o.at[0]!, o.at[1]!, o.at[2]!] as Point, undercut: p.undercut.has(o.tool),
  }));
  post({
    type: "ready", motion: p.raw.motion, operations, tools: p.raw.tools,
    seconds: operations.reduce((t, o) => Math.max(t, o.end), 0), grid: g, box, bytes: p.bytes(),
    findings: message.findings.map((f) => {
      const o = p.operations.find((x) => x.id === f.operation), end = o?.seconds[f.move];
      return o && end !== undefined ? o.begin + end : -1;
    }),
    ms: performance.now() - begin,
  });
}

const buffersOf = (t: Trace): Transferable[] => [t.points.buffer, t.kinds.buffer, t.seconds.buffer];

// whole answers with the path of an operation.
function whole(operation: number): void {
  const o = play?.operations[operation];
  if (!o) return;
  const path = trace(o, 0, o.feed.length, 0);
  post({ type: "path", operation, trace: path }, buffersOf(path));
}

function answer(go: Go): void {
  const p = play;
  if (!p) return;
  const begin = performance.now();
  const m = p.moment(go);
  const o = p.operations[m.operation]!;
  const isOver = m.move === o.seconds.length - 1 && m.segment === o.feed.length && !go.before;
  let stock: Spans, map: Uint16Array | null = null;
  if (isOver) {
    stock = p.states[m.operation + 2]!;
  } else {
    p.to(m.operation, m.segment, m.share);
    stock = p.before(m.operation);
    map = p.map();
  }
  const running = Math.min(m.segment, o.feed.length - 1);
  const path = last(o, m.segment, m.share, pathPoints);
  const isShown = go.want === "surface" || go.want === "coarse";
  const surface = isShown ? surfaceOf(stock, map, p.grid, go.want === "coarse" ? 2 : 1, isOver ? p.states[0]! : null) : null;
  const heights = go.want === "heights" ? topsOf(stock, map) : null;
  const at: At = {
    type: "at", id: go.id, operation: m.operation, move: m.move, time: m.time,
    tip: p.tip(m.operation, m.segment, m.share), feed: running >= 0 ? o.feed[running]! : 0,
    airUntil: p.airUntil(m), kind: m.move >= 0 ? o.kind[m.move]! : 0,
    isServer: isOver, surface, heights, isFine: go.want === "surface", trace: path, ms: performance.now() - begin,
  };
  const transfer = buffersOf(path);
  if (surface) transfer.push(surface.positions.buffer, surface.normals.buffer, surface.index.buffer, surface.marks.buffer);
  if (heights) transfer.push(heights.buffer);
  post(at, transfer);
}

self.onmessage = (e: MessageEvent<Open | Go | PathOf>) => {
  try {
    if (e.data.type === "open") open(e.data);
    else if (e.data.type === "path") whole(e.data.operation);
    else answer(e.data);
  } catch (reason) {
    post({ type: "failed", text: reason instanceof Error ? reason.message : String(reason) });
  }
};
