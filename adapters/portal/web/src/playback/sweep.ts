// Sweep removes what a tool passes from a height map: a cell becomes the lowest height of the tool's underside over it.
// A level line fills the cells near it row by row. A flat tool on a slope is exact too; another one goes down it in
// steps of slope mm.
import type { Grid } from "./dexels";
import type { ToolShape } from "./wire";

const slope = 0.02;
const entries = 2048; // of the table of the underside

// Underside is the height of a tool above its tip by the square of the distance from its axis.
export interface Underside { radius: number; flat: number; table: Float32Array }

// undersideOf returns the underside of a tool's flutes; units are those of the grid's heights.
export function undersideOf(t: ToolShape, unit: number): Underside {
  const cutting = t.outline.filter((p) => p[2] === 0);
  const radius = cutting.reduce((r, p) => Math.max(r, p[0]), 0);
  const table = new Float32Array(entries + 2);
  let flat = 0;
  for (let i = 0; i < table.length; i++) {
    const r = radius * Math.sqrt(Math.min(i / entries, 1)) * (1 - 1e-9);
    let h = Infinity;
    for (let k = 1; k < cutting.length; k++) {
      const [x0, y0] = cutting[k - 1]!, [x1, y1] = cutting[k]!;
      if (x0 === x1 || r < Math.min(x0, x1) || r > Math.max(x0, x1)) continue;
      h = Math.min(h, y0 + ((r - x0) / (x1 - x0)) * (y1 - y0));
    }
    if (h < 1e-6) flat = r;
    table[i] = h / unit;
  }
  return { radius, flat: flat > radius * 0.999 ? radius : flat, table };
}

export class HeightMap {
  cells = 0; // visited so far
  constructor(readonly grid: Grid, public map: Uint16Array) {}

  // line sweeps a tool along a line. goesOn: the tool has been at its start at the same height.
  line(u: Underside, x0: number, y0: number, z0: number, x1: number, y1: number, z1: number, goesOn: boolean): void {
    const g = this.grid;
    const a = (z0 - g.low) / g.unit, b = (z1 - g.low) / g.unit;
    const level = Math.hypot(x1 - x0, y1 - y0);
    if (level < 1e-9) return this.capsule(u, x0, y0, x0, y0, Math.min(a, b), 0, false);
    const rise = Math.abs(z1 - z0);
    if (rise < 1e-6) return this.capsule(u, x0, y0, x1, y1, a, 0, goesOn);
    if (u.flat === u.radius) return this.capsule(u, x0, y0, x1, y1, a, b - a, false);
    const n = Math.ceil(rise / slope);
    for (let i = 0; i < n; i++) {
      const s = i / n, e = (i + 1) / n, m = (s + e) / 2;
      this.capsule(u, x0 + s * (x1 - x0), y0 + s * (y1 - y0), x0 + e * (x1 - x0), y0 + e * (y1 - y0),
        a + (m + (b > a ? -0.5 : 0.5) / n) * (b - a), 0, false);
    }
  }

  // capsule fills the cells within the radius of a line, from the height a (units) on, which rises by rise along it.
  private capsule(
    u: Underside, x0: number, y0: number, x1: number, y1: number, a: number, rise: number, goesOn: boolean,
  ): void {
    const { step, width, height } = this.grid, map = this.map;
    if (Math.min(a, a + rise) >= 65535) return;
    // in cells
    const ax = (x0 - this.grid.x) / step, ay = (y0 - this.grid.y) / step;
    const bx = (x1 - this.grid.x) / step, by = (y1 - this.grid.y) / step;
    const R = u.radius / step, R2 = R * R, dx = bx - ax, dy = by - ay, len2 = dx * dx + dy * dy, len = Math.sqrt(len2);
    const scale = entries / R2, flat2 = (u.flat / step) * (u.flat / step), table = u.table, isFlat = u.flat === u.radius;
    const j0 = Math.max(0, Math.ceil(Math.min(ay, by) - R)), j1 = Math.min(height - 1, Math.floor(Math.max(ay, by) + R));
    const h0 = Math.max(0, Math.round(a));
    for (let j = j0; j <= j1; j++) {
      // the row's part of the capsule: of both discs, and of the rectangle between them
      let lo = Infinity, hi = -Infinity;
      const pa = R2 - (j - ay) * (j - ay), pb = R2 - (j - by) * (j - by);
      let la = 1, ha = 0;
      if (pa >= 0) { const w = Math.sqrt(pa); la = ax - w; ha = ax + w; lo = la; hi = ha; }
      if (pb >= 0) { const w = Math.sqrt(pb); lo = Math.min(lo, bx - w); hi = Math.max(hi, bx + w); }
      if (len > 0) {
        // where the row crosses the rectangle: |distance from the line| ≤ R and 0 ≤ along ≤ len
        let s = -Infinity, e = Infinity;
        const nx = -dy / len, c = (ax * dy - ay * dx) / len + (j * dx) / len; // distance = nx · x + c
        if (nx !== 0) {
          const p = (-R - c) / nx, q = (R - c) / nx;
          s = Math.min(p, q); e = Math.max(p, q);
        } else if (Math.abs(c) > R) { s = 1; e = 0; }
        const tx = dx / len, d = (-ax * dx + (j - ay) * dy) / len; // along = tx · x + d
        if (tx !== 0) {
          const p = -d / tx, q = (len - d) / tx;
          s = Math.max(s, Math.min(p, q)); e = Math.min(e, Math.max(p, q));
        } else if (d < 0 || d > len) { s = 1; e = 0; }
        if (s <= e) { lo = Math.min(lo, s); hi = Math.max(hi, e); }
      }
      if (lo > hi) continue;
      const i0 = Math.max(0, Math.ceil(lo)), i1 = Math.min(width - 1, Math.floor(hi)), row = j * width;
      if (i0 > i1) continue;
      this.cells += i1 - i0 + 1;
      if (isFlat && rise === 0) {
        let skip0 = i1 + 1, skip1 = i1;
        if (goesOn && la <= ha) { skip0 = Math.ceil(la); skip1 = Math.floor(ha); }
        for (let i = i0, e = Math.min(i1, skip0 - 1); i <= e; i++) if (map[row + i]! > h0) map[row + i] = h0;
        for (let i = Math.max(i0, skip1 + 1); i <= i1; i++) if (map[row + i]! > h0) map[row + i] = h0;
        continue;
      }
      for (let i = i0; i <= i1; i++) {
        const px = i - ax, py = j - ay;
        let h = a;
        if (rise !== 0) { // the flat tool covers the cell on a range of the line: the lower end counts
          const along = len2 > 0 ? (px * dx + py * dy) / len2 : 0;
          const off2 = px * px + py * py - along * along * len2;
          const half = len > 0 ? Math.sqrt(Math.max(R2 - off2, 0)) / len : 0;
          h = a + rise * (rise < 0 ? Math.min(along + half, 1) : Math.max(along - half, 0));
        } else {
          let t = len2 > 0 ? (px * dx + py * dy) / len2 : 0;
          t = t < 0 ? 0 : t > 1 ? 1 : t;
          const ex = px - t * dx, ey = py - t * dy, d2 = ex * ex + ey * ey;
          if (d2 > R2) continue;
          if (d2 > flat2) {
            const f = d2 * scale, n = f | 0;
            h = a + table[n]! + (f - n) * (table[n + 1]! - table[n]!);
          }
        }
        const v = h <= 0 ? 0 : (h + 0.5) | 0;
        if (map[row + i]! > v) map[row + i] = v;
      }
    }
  }
}
