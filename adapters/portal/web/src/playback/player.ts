// Player loads what a playback needs, and asks its worker for one state at a time: the newest one that is wanted.
import { problemOf } from "../api";
import type { At, Go, Open, Out, Ready, Trace } from "./wire";

// Lines are the lines of g-code of a setup, from 1, by operation and move.
export type Lines = Int32Array[];

// rest (ms) is the pause after which the surface is drawn of all rays.
const rest = 150;

// most (bytes) is the size of the moves from which a person is asked before they are loaded.
const most = 20_000_000;

// TooLarge is the reason why moves are not loaded unasked.
export class TooLarge extends Error {
  constructor(readonly bytes: number) {
    super("The program has very many moves.");
  }
}

interface Policy { createScriptURL(address: string): unknown }
let policy: Policy | null = null;

// trusted returns an address that the policy for scripts accepts. The policy knows the worker alone.
function trusted(address: string): string {
  const factory = (globalThis as { trustedTypes?: { createPolicy(name: string, rules: object): Policy } }).trustedTypes;
  if (!factory) return address;
  policy ??= factory.createPolicy("millwright", {
    createScriptURL: (asked: string) => {
      if (asked !== address) throw new TypeError("This is not the worker of the playback.");
      return asked;
    },
  });
  return policy.createScriptURL(address) as string;
}

async function read(address: string, stop: AbortSignal, upTo = Infinity): Promise<ArrayBuffer> {
  const response = await fetch("/portal/api" + address, { credentials: "same-origin", signal: stop });
  if (!response.ok) throw await problemOf(response);
  const size = Number(response.headers.get("X-Uncompressed-Length"));
  if (size > upTo) throw new TooLarge(size);
  return response.arrayBuffer();
}

export interface PlayerEvents {
  building(share: number): void;
  ready(r: Ready): void;
  isDrawn(): boolean; // the last surface is in the picture: another one is not made before
  at(a: At, isLast: boolean): void; // isLast: nothing else is wanted, and all rays are drawn
  path(operation: number, of: Trace): void;
  failed(reason: Error): void;
}

// Played is a setup of a program.
export interface Played {
  part: string;
  program: string;
  setup: number; // from 1
  findings: Open["findings"];
  isAnyway: boolean; // the moves are loaded whatever their size
}

export class Player {
  private readonly worker: Worker;
  private readonly stop = new AbortController();
  private wanted: Omit<Go, "type" | "id" | "want"> | null = null;
  private isAsked = false;
  private timer = 0;
  private last: Omit<Go, "type" | "id" | "want"> | null = null;
  private n = 0;

  constructor(of: Played, private readonly on: PlayerEvents) {
    this.worker = new Worker(trusted(new URL("playback.js", import.meta.url).href), { type: "module" });
    this.worker.onmessage = (e: MessageEvent<Out>) => this.hear(e.data);
    this.worker.onerror = () => on.failed(new Error("The preview has stopped. Open the tab again."));
    const at = `/parts/${encodeURIComponent(of.part)}/programs/${encodeURIComponent(of.program)}`;
    const { setup, findings } = of, stop = this.stop.signal;
    const stock = read(`${at}/stock?setup=${setup}&cells=256`, stop);
    Promise.all([read(`${at}/moves`, stop, of.isAnyway ? Infinity : most), stock])
      .then(([moves, stock]) => this.worker.postMessage(
        { type: "open", moves, stock, setup: setup - 1, findings } satisfies Open, [moves, stock]))
      .catch((e: Error) => {
        if (stop.aborted) return;
        this.stop.abort();
        on.failed(e);
      });
  }

  // whole asks for the whole path of an operation.
  whole(operation: number): void {
    this.worker.postMessage({ type: "path", operation });
  }

  // go asks for a state. Only the newest one is answered.
  go(to: Omit<Go, "type" | "id" | "want">): void {
    this.wanted = to;
    this.ask();
  }

  close(): void {
    this.stop.abort();
    clearTimeout(this.timer);
    this.worker.terminate();
  }

  private ask(): void {
    if (this.isAsked || !this.wanted) return;
    this.last = this.wanted;
    this.wanted = null;
    this.send(this.on.isDrawn() ? "coarse" : "tip");
  }

  private send(want: Go["want"]): void {
    clearTimeout(this.timer);
    this.isAsked = true;
    this.worker.postMessage({ type: "go", id: ++this.n, ...this.last!, want } satisfies Go);
    if (want !== "surface") this.timer = window.setTimeout(() => this.refine(), rest);
  }

  private refine(): void {
    if (this.isAsked) this.timer = window.setTimeout(() => this.refine(), rest);
    else this.send("surface");
  }

  private hear(m: Out): void {
    if (m.type === "progress") this.on.building(m.share);
    if (m.type === "ready") this.on.ready(m);
    if (m.type === "failed") this.on.failed(new Error(m.text));
    if (m.type === "path") this.on.path(m.operation, m.trace);
    if (m.type !== "at") return;
    this.isAsked = false;
    this.on.at(m, m.isFine && !this.wanted);
    this.ask();
  }
}

interface LinesAnswer { motion: string; post: string; operations: [number, number][][] }

// linesOf unfolds the answer of the service: moves without an entry end one line after the move before them.
export function linesOf(answer: LinesAnswer, moves: readonly number[]): Lines {
  return answer.operations.map((entries, k) => {
    const out = new Int32Array(moves[k] ?? 0);
    let next = 0, line = 0;
    for (let i = 0; i < out.length; i++) {
      if (entries[next]?.[0] === i) line = entries[next++]![1];
      else line++;
      out[i] = line;
    }
    return out;
  });
}

// moveOfLine is the first move that ends with a line, or after it.
export function moveOfLine(lines: Lines, line: number): { operation: number; move: number } | null {
  for (let operation = 0; operation < lines.length; operation++) {
    const of = lines[operation]!;
    if (of.length === 0 || of[of.length - 1]! < line) continue;
    return { operation, move: of.findIndex((l) => l >= line) };
  }
  return null;
}
