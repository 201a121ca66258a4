// The moves of a setup as segments in typed arrays.
import type { Point, ToolShape } from "./wire";

type RawMove = (number | RawMove[])[];
interface RawOperation {
  operationId: string;
  tool: number;
  spindleRpm: number;
  start: Point;
  begin: number;
  seconds: number[];
  moves: RawMove[];
}
export interface RawMoves {
  motion: string;
  tools: ToolShape[];
  setups: { operations: RawOperation[] }[];
}

const dwell = 7, cycle = 8;

// Segments are the paths of an operation's moves, cycles expanded. Segment i leads from point i to point i + 1.
export interface Segments {
  id: string;
  tool: number;
  spindleRpm: number;
  begin: number;
  seconds: Float64Array; // the end of each move, from begin
  first: Uint32Array; // of each move, the first of its segments; the last entry is their number
  kind: Uint8Array; // of each move
  at: Float64Array; // x, y, z of the points
  feed: Float32Array; // of each segment; 0: rapid
  turn: Float32Array; // of each segment, rad; 0: a line
  center: Float64Array; // x, y of each segment
}

export function segmentsOf(o: RawOperation): Segments {
  const at: number[] = [...o.start], feed: number[] = [], turn: number[] = [], center: number[] = [];
  const first = new Uint32Array(o.moves.length + 1), kind = new Uint8Array(o.moves.length);
  const add = (m: RawMove) => {
    if (m[0] === dwell) return;
    at.push(m[1] as number, m[2] as number, m[3] as number);
    feed.push((m[4] as number | undefined) ?? 0);
    const degrees = (m[7] as number | undefined) ?? 0;
    turn.push((degrees * Math.PI) / 180);
    center.push((m[5] as number | undefined) ?? 0, (m[6] as number | undefined) ?? 0);
  };
  o.moves.forEach((m, i) => {
    first[i] = feed.length;
    kind[i] = m[0] as number;
    if (m[0] === cycle) (m[1] as RawMove[]).forEach(add);
    else add(m);
  });
  first[o.moves.length] = feed.length;
  return {
    id: o.operationId, tool: o.tool, spindleRpm: o.spindleRpm, begin: o.begin, seconds: Float64Array.from(o.seconds),
    first, kind, at: Float64Array.from(at), feed: Float32Array.from(feed), turn: Float32Array.from(turn),
    center: Float64Array.from(center),
  };
}

// lengthOf is the length of segment i.
export function lengthOf(s: Segments, i: number): number {
  const a = s.at, k = 3 * i, turn = s.turn[i]!;
  const rise = a[k + 5]! - a[k + 2]!;
  if (turn === 0) return Math.hypot(a[k + 3]! - a[k]!, a[k + 4]! - a[k + 1]!, rise);
  return Math.hypot(turn * Math.hypot(a[k]! - s.center[2 * i]!, a[k + 1]! - s.center[2 * i + 1]!), rise);
}

// pointOn is the point of segment i after a share of it.
export function pointOn(s: Segments, i: number, share: number): Point {
  const a = s.at, k = 3 * i, turn = s.turn[i]!;
  if (share >= 1) return [a[k + 3]!, a[k + 4]!, a[k + 5]!];
  const z = a[k + 2]! + share * (a[k + 5]! - a[k + 2]!);
  if (turn === 0) return [a[k]! + share * (a[k + 3]! - a[k]!), a[k + 1]! + share * (a[k + 4]! - a[k + 1]!), z];
  const cx = s.center[2 * i]!, cy = s.center[2 * i + 1]!;
  const c = Math.cos(share * turn), n = Math.sin(share * turn), x = a[k]! - cx, y = a[k + 1]! - cy;
  return [cx + c * x - n * y, cy + n * x + c * y, z];
}

// chords calls visit with the ends of the chords of segment i up to a share of it, and the share at the later end.
// sagitta is their deviation.
export function chords(
  s: Segments, i: number, share: number, sagitta: number,
  visit: (x0: number, y0: number, z0: number, x1: number, y1: number, z1: number, share: number) => void,
): void {
  const a = s.at, k = 3 * i, turn = s.turn[i]! * Math.min(share, 1);
  let n = 1;
  if (turn !== 0) {
    const r = Math.hypot(a[k]! - s.center[2 * i]!, a[k + 1]! - s.center[2 * i + 1]!);
    n = Math.max(1, Math.ceil(Math.abs(turn) / (2 * Math.acos(Math.max(1 - sagitta / r, 0)))));
  }
  let x = a[k]!, y = a[k + 1]!, z = a[k + 2]!;
  for (let j = 1; j <= n; j++) {
    const at = (Math.min(share, 1) * j) / n, [x1, y1, z1] = pointOn(s, i, at);
    visit(x, y, z, x1, y1, z1, at);
    x = x1; y = y1; z = z1;
  }
}

// moveAt is the move during which a second of the operation lies.
export function moveAt(s: Segments, second: number): number {
  let lo = 0, hi = s.seconds.length - 1;
  while (lo < hi) {
    const mid = (lo + hi) >> 1;
    if (s.seconds[mid]! < second) lo = mid + 1;
    else hi = mid;
  }
  return lo;
}
