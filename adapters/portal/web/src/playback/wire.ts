// What the page and the worker of a playback say to each other. Lengths are mm in the frame of the setup, times seconds.

// ToolShape is the outline of a tool, from its axis at the tip upward: radius, height and zone of each point.
export interface ToolShape { number: number; undercut: boolean; outline: [number, number, number][] }

export interface Open {
  type: "open";
  moves: ArrayBuffer; // the answer of …/moves
  stock: ArrayBuffer; // the answer of …/stock
  setup: number; // from 0
  findings: { operation: string; move: number }[]; // whose seconds Ready has
}

// PathOf asks for the whole path of an operation.
export interface PathOf { type: "path"; operation: number }

// Go asks for the state at a second of the setup, or at the end of a move (-1: the beginning) of an operation. Before:
// at the end of an operation, the stock is the preview's, not yet the server's.
export interface Go {
  type: "go";
  id: number;
  time?: number;
  operation?: number;
  move?: number;
  before?: boolean;
  // the surface of the stock, that of every second ray, the uppermost heights of all rays, or nothing of the stock
  want: "surface" | "coarse" | "heights" | "tip";
}

export interface OperationInfo {
  id: string;
  tool: number; // its number
  spindleRpm: number;
  begin: number; // s
  end: number;
  moves: number;
  start: Point;
  undercut: boolean; // of its tool: the stock changes at the end only
}

export type Point = [number, number, number];

export interface Ready {
  type: "ready";
  motion: string;
  operations: OperationInfo[];
  tools: ToolShape[];
  seconds: number; // of the setup
  grid: { x: number; y: number; step: number; width: number; height: number; low: number; unit: number };
  box: { min: Point; max: Point }; // of the stock at the start
  findings: number[]; // s, the ends of the moves of findings; -1: there is no such move
  bytes: number; // held by the worker
  ms: number; // to get ready
}

export interface Surface {
  positions: Float32Array;
  normals: Int8Array; // 127 is 1
  index: Uint32Array;
  marks: Uint8Array; // of each point: 0 nothing, 1 above the part, 2 within the tolerance, 3 below
}

// Trace is a path of the tip.
export interface Trace {
  points: Float32Array; // x, y, z of each
  kinds: Uint8Array; // of the move that ends at each point
  seconds: Float64Array; // of the setup, at each point
}

export interface At {
  type: "at";
  id: number;
  operation: number;
  move: number; // that ends next or has just ended; -1: before the first one
  time: number;
  tip: Point;
  feed: number; // mm/min; 0: a rapid or none
  airUntil: number; // s: the end of the rapids and of the tool change that are under way; time: none
  kind: number;
  isServer: boolean; // the stock is the server's, at the end of the operation
  surface: Surface | null; // null: it was not asked for
  heights: Uint16Array | null; // 0: no material
  isFine: boolean; // the surface is that of all rays
  trace: Trace; // the last points
  ms: number; // of the worker
}

export type Out = Ready | At | { type: "path"; operation: number; trace: Trace } |
  { type: "progress"; share: number } | { type: "failed"; text: string };
