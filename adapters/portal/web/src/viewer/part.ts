// PartView is the picture of a part: its model on a stage, with picking.
import type { Camera, View } from "./camera";
import { standardViews } from "./camera";
import { readGLB, type Mesh } from "./glb";
import { Model, type Color, type RegionState } from "./model";
import { steer, type Habit } from "./pointer";
import { Stage } from "./stage";

export interface PartEvents {
  pick(region: number | null, add: boolean): void; // null: beside the part; add: with shift
  hover(region: number | null): void;
  viewed(view: View): void; // after a frame with another camera
  lost(): void; // the browser took the picture away
}

// Loaded is a mesh with the times that it took, ms.
export interface Loaded {
  mesh: Mesh;
  parse: number;
}

// load reads the mesh at an address of the service. told gets the bytes that have come, uncompressed.
export async function load(address: string, told: (bytes: number) => void, stop: AbortSignal): Promise<Loaded> {
  const response = await fetch(address, { credentials: "same-origin", signal: stop });
  if (!response.ok || !response.body) throw new Error(`The service answered with status ${response.status}.`);
  const pieces: Uint8Array[] = [];
  let length = 0;
  for (const reader = response.body.getReader(); ;) {
    const { done, value } = await reader.read();
    if (done) break;
    pieces.push(value);
    told((length += value.length));
  }
  const data = new Uint8Array(length);
  let at = 0;
  for (const piece of pieces) {
    data.set(piece, at);
    at += piece.length;
  }
  const start = performance.now();
  const mesh = readGLB(data.buffer);
  return { mesh, parse: performance.now() - start };
}

export class PartView {
  readonly stage: Stage;
  readonly model: Model;
  private release = () => {};
  private asked = 0; // frame in which the pointer is looked at
  private pointer: [number, number] | null = null;
  private over: number | null = null;
  private last = "";

  constructor(host: HTMLElement, mesh: Mesh, edgeColor: Color, habit: () => Habit, private readonly on: PartEvents) {
    this.model = new Model(mesh, edgeColor);
    this.stage = new Stage(host, (canvas, camera) => {
      this.release();
      this.release = this.steer(canvas, camera, habit);
    }, () => {
      this.close();
      on.lost();
    });
    this.stage.scene.add(this.model.group);
    this.stage.fit(this.model.box);
    this.stage.drawn = () => {
      const now = JSON.stringify(this.camera.view);
      if (now !== this.last && this.last !== "") on.viewed(this.camera.view);
      this.last = now;
    };
    if ("requestIdleCallback" in window) requestIdleCallback(() => this.model.prepare());
  }

  get camera(): Camera {
    return this.stage.camera;
  }

  setStates(of: (region: number) => RegionState): void {
    this.model.setStates(of);
    this.stage.invalidate();
  }

  setEdgeColor(c: Color): void {
    this.model.setEdgeColor(c);
    this.stage.invalidate();
  }

  fit(): void {
    this.stage.again();
  }

  standard(key: number): void {
    const v = standardViews[key];
    if (!v) return;
    this.camera.turn(v.yaw, v.pitch);
    this.fit();
  }

  // frame shows regions, from a side that sees them. The present side is kept if it does.
  frame(regions: readonly number[]): void {
    const box = this.model.boxOf(regions);
    if (box.isEmpty()) return;
    const samples = this.model.samples(regions, 24), wanted = new Set(regions), now = this.camera.view;
    const seen = () => samples.filter((p) => {
      const hit = this.model.pick(this.camera.through(p));
      return hit !== null && wanted.has(hit.region) && hit.facing > grazing;
    }).length;
    let best = seen(), side = now;
    if (best < samples.length / 4) {
      for (const v of sides) {
        this.camera.turn(v.yaw, v.pitch);
        const n = seen();
        if (n > best) [best, side] = [n, { ...now, ...v }];
      }
      this.camera.turn(side.yaw, side.pitch);
    }
    this.camera.frame(box, 3);
  }

  // regionAt is the region at a point, from -1 to 1 across the picture.
  regionAt(x: number, y: number): number | null {
    return this.model.pick(this.camera.ray(x, y))?.region ?? null;
  }

  close(): void {
    this.release();
    cancelAnimationFrame(this.asked);
    this.model.dispose();
    this.stage.dispose();
  }

  private steer(canvas: HTMLCanvasElement, camera: Camera, habit: () => Habit): () => void {
    const look = () => {
      this.asked = 0;
      const region = this.pointer ? this.regionAt(...this.pointer) : null;
      if (region === this.over) return;
      this.over = region;
      this.on.hover(region);
    };
    const ask = (to: [number, number] | null) => {
      this.pointer = to;
      if (this.asked === 0) this.asked = requestAnimationFrame(look);
    };
    return steer(canvas, camera, habit, {
      pick: (x, y, e) => this.on.pick(this.regionAt(x, y), e.shiftKey || e.ctrlKey || e.metaKey),
      hover: (x, y) => ask([x, y]),
      away: () => ask(null),
      turningPoint: (x, y) => {
        const hit = this.model.pick(camera.ray(x, y));
        if (hit) camera.turnAbout(hit.point);
      },
    });
  }
}

// grazing is the facing up to which a face counts as not seen: the wall of a hole from along its axis.
const grazing = 0.15;
// tilt (degrees) shows the wall of a deep hole from near its axis.
const tilt = 20;

// sides are the directions that frame tries, those between axes first.
const sides = [
  { yaw: -45, pitch: 35 }, { yaw: 45, pitch: 35 }, { yaw: 135, pitch: 35 }, { yaw: -135, pitch: 35 },
  { yaw: -45, pitch: -35 }, { yaw: 45, pitch: -35 }, { yaw: 135, pitch: -35 }, { yaw: -135, pitch: -35 },
  ...standardViews.slice(1).map(({ yaw, pitch }) => ({ yaw, pitch })),
  ...standardViews.slice(1).map(({ yaw, pitch }) => ({ yaw: yaw + tilt, pitch: pitch > 0 ? pitch - tilt : pitch + tilt })),
];
