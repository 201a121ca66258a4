// Mouse, touch and wheel on the picture, in the habits of several CAD systems.
import type { Camera } from "./camera";

export type Habit = "default" | "fusion" | "solidworks" | "onshape" | "trackpad";

type Move = "orbit" | "pan";

// Buttons are 0 left, 1 middle, 2 right. The left button picks in every habit, when it does not move.
const moves: Record<Habit, (button: number, e: PointerEvent) => Move | null> = {
  default: (b) => (b === 0 ? "orbit" : "pan"),
  fusion: (b, e) => (b === 1 ? (e.shiftKey ? "orbit" : "pan") : null),
  solidworks: (b, e) => (b === 1 ? (e.ctrlKey ? "pan" : "orbit") : null),
  onshape: (b, e) => (b === 2 ? (e.ctrlKey ? "pan" : "orbit") : b === 1 ? "pan" : null),
  trackpad: (b, e) => (b === 0 ? (e.shiftKey ? "pan" : "orbit") : "pan"),
};

// habits are the names that a person chooses from.
export const habits: Record<Habit, string> = {
  default: "Left turns, right moves", fusion: "As Fusion", solidworks: "As SolidWorks", onshape: "As Onshape",
  trackpad: "Trackpad: two fingers turn",
};

export interface PointerEvents {
  pick(x: number, y: number, e: PointerEvent): void; // x and y from -1 to 1 across the picture
  hover(x: number, y: number): void;
  away(): void; // the pointer left, or the view moves
  turningPoint(x: number, y: number): void;
}

const still = 4; // px that a pointer moves within a click

// middle is the middle of the pixel that a browser gives by its whole number.
const middle = (at: number) => (Number.isInteger(at) ? at + 0.5 : at);

// steer connects a canvas to a camera, until the returned function is called.
export function steer(canvas: HTMLCanvasElement, camera: Camera, habit: () => Habit, on: PointerEvents): () => void {
  const down = new Map<number, PointerEvent>();
  let moved = 0, moving: Move | null = null;
  const place = (e: MouseEvent) => {
    const r = canvas.getBoundingClientRect();
    const left = middle(e.clientX) - r.left, top = middle(e.clientY) - r.top;
    return { x: (2 * left) / r.width - 1, y: 1 - (2 * top) / r.height, h: r.height };
  };
  const handlers: { [K in keyof HTMLElementEventMap]?: (e: HTMLElementEventMap[K]) => void } = {
    pointerdown(e) {
      canvas.setPointerCapture(e.pointerId);
      down.set(e.pointerId, e);
      if (down.size === 1) moved = 0;
      moving = e.pointerType === "touch" ? "orbit" : moves[habit()](e.button, e);
      if (e.button === 1) e.preventDefault(); // or the page scrolls
    },
    pointermove(e) {
      const before = down.get(e.pointerId), { x, y, h } = place(e);
      if (!before) {
        if (e.pointerType !== "touch") on.hover(x, y);
        return;
      }
      const dx = e.clientX - before.clientX, dy = e.clientY - before.clientY;
      moved = Math.max(moved, Math.hypot(dx, dy));
      if (moved <= still && down.size === 1) return;
      moved = Infinity;
      on.away();
      if (down.size === 2) {
        const other = [...down.values()].find((p) => p.pointerId !== e.pointerId)!;
        const apart = (p: PointerEvent) => Math.hypot(p.clientX - other.clientX, p.clientY - other.clientY);
        camera.pan(dx / h / 2, dy / h / 2);
        const between = place(new MouseEvent("x", {
          clientX: (e.clientX + other.clientX) / 2, clientY: (e.clientY + other.clientY) / 2,
        }));
        camera.zoom(apart(e) / Math.max(1, apart(before)), between.x, between.y);
      } else if (moving === "orbit") camera.orbit(dx / h, dy / h);
      else if (moving === "pan") camera.pan(dx / h, dy / h);
      down.set(e.pointerId, e);
    },
    pointerup(e) {
      const was = down.delete(e.pointerId), { x, y } = place(e);
      if (was && down.size === 0 && moved <= still && e.button === 0) on.pick(x, y, e);
    },
    pointercancel: (e) => void down.delete(e.pointerId),
    pointerleave: () => on.away(),
    contextmenu: (e) => e.preventDefault(),
    dblclick(e) {
      const { x, y } = place(e);
      on.turningPoint(x, y);
    },
    wheel(e) {
      e.preventDefault();
      on.away();
      const { x, y, h } = place(e), lines = e.deltaMode === 1 ? 30 : 1;
      if (habit() === "trackpad" && !e.ctrlKey) {
        if (e.shiftKey) camera.pan(-e.deltaX / h, -e.deltaY / h);
        else camera.orbit(-e.deltaX / h, -e.deltaY / h);
      } else camera.zoom(Math.exp(-e.deltaY * lines * (e.ctrlKey ? 0.01 : 0.0015)), x, y);
    },
  };
  for (const [name, run] of Object.entries(handlers)) {
    canvas.addEventListener(name, run as EventListener, { passive: false });
  }
  return () => {
    for (const [name, run] of Object.entries(handlers)) canvas.removeEventListener(name, run as EventListener);
  };
}
