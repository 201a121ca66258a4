// The surface of columns along z: a stock that the height map cuts off above.
import type { Grid, Spans } from "./dexels";
import type { Surface } from "./wire";

// tolerance (mm) is the height above or below the part that is not marked as too much or too little.
const tolerance = 0.1;

// cut returns the spans of a stock below the heights of a map, of every n-th ray.
export function cut(s: Spans, map: Uint16Array | null, grid: Grid, every: number): Spans & { width: number; height: number } {
  const width = Math.ceil(grid.width / every), height = Math.ceil(grid.height / every);
  const start = new Uint32Array(width * height + 1);
  const lo = new Uint16Array(s.lo.length), hi = new Uint16Array(s.lo.length);
  let n = 0;
  for (let j = 0; j < height; j++) {
    const row = Math.min(j * every + (every >> 1), grid.height - 1) * grid.width;
    for (let i = 0; i < width; i++) {
      const r = row + Math.min(i * every + (every >> 1), grid.width - 1);
      const most = map ? map[r]! : 65535;
      for (let k = s.start[r]!; k < s.start[r + 1]!; k++) {
        if (s.lo[k]! >= most) break;
        lo[n] = s.lo[k]!;
        hi[n++] = Math.min(s.hi[k]!, most);
      }
      start[j * width + i + 1] = n;
    }
  }
  return { start, lo, hi, width, height };
}

// topsOf returns the uppermost heights of all rays; 0: no material.
export function topsOf(s: Spans, map: Uint16Array | null): Uint16Array {
  const out = new Uint16Array(s.start.length - 1);
  for (let r = 0; r < out.length; r++) {
    const most = map ? map[r]! : 65535;
    for (let k = s.start[r]!; k < s.start[r + 1]! && s.lo[k]! < most; k++) out[r] = Math.min(s.hi[k]!, most);
  }
  return out;
}

// Quads collects rectangles as triangles.
class Quads {
  positions = new Float32Array(1 << 16);
  normals = new Int8Array(1 << 16);
  marks = new Uint8Array(1 << 15);
  mark = 0; // of the rectangles to come
  n = 0; // points

  add(x0: number, y0: number, z0: number, x1: number, y1: number, z1: number,
    x2: number, y2: number, z2: number, x3: number, y3: number, z3: number, nx: number, ny: number, nz: number): void {
    if (3 * (this.n + 4) > this.positions.length) {
      const p = new Float32Array(2 * this.positions.length), m = new Int8Array(2 * this.normals.length);
      p.set(this.positions);
      m.set(this.normals);
      this.positions = p;
      this.normals = m;
    }
    if (this.n + 4 > this.marks.length) {
      const t = new Uint8Array(2 * this.marks.length);
      t.set(this.marks);
      this.marks = t;
    }
    this.marks.fill(this.mark, this.n, this.n + 4);
    const p = this.positions, m = this.normals;
    let k = 3 * this.n;
    p[k] = x0; p[k + 1] = y0; p[k + 2] = z0; p[k + 3] = x1; p[k + 4] = y1; p[k + 5] = z1;
    p[k + 6] = x2; p[k + 7] = y2; p[k + 8] = z2; p[k + 9] = x3; p[k + 10] = y3; p[k + 11] = z3;
    for (const end = k + 12; k < end; k += 3) { m[k] = nx; m[k + 1] = ny; m[k + 2] = nz; }
    this.n += 4;
  }

  surface(): Surface {
    const index = new Uint32Array((this.n / 4) * 6);
    for (let q = 0, i = 0; q < this.n; q += 4) {
      index[i++] = q; index[i++] = q + 1; index[i++] = q + 2;
      index[i++] = q; index[i++] = q + 2; index[i++] = q + 3;
    }
    return {
      positions: this.positions.slice(0, 3 * this.n), normals: this.normals.slice(0, 3 * this.n), index,
      marks: this.marks.slice(0, this.n),
    };
  }
}

// surfaceOf returns the surface of a stock below a map: floors joined in rows of equal height, and the sides that no
// neighbor covers. With a part, floors are marked by their height above it.
export function surfaceOf(
  stock: Spans, map: Uint16Array | null, grid: Grid, every: number, part: Spans | null = null,
): Surface {
  const tops = part ? topsOf(part, null) : null;
  const markOf = (i: number, j: number, h: number): number => {
    if (!tops) return 0;
    const r = Math.min(j * every + (every >> 1), grid.height - 1) * grid.width +
      Math.min(i * every + (every >> 1), grid.width - 1);
    const above = (h - tops[r]!) * grid.unit;
    return tops[r] === 0 || above > tolerance ? 1 : above < -tolerance ? 3 : 2;
  };
  const s = cut(stock, map, grid, every), { width, height, start, lo, hi } = s;
  const step = grid.step * every;
  // the corner of the first column: its ray, number every >> 1, is in the middle
  const shift = ((every >> 1) - every / 2) * grid.step;
  const x0 = grid.x + shift, y0 = grid.y + shift;
  const q = new Quads();
  const z = (h: number) => grid.low + h * grid.unit;
  const topOf = (r: number) => (start[r + 1]! > start[r]! ? hi[start[r + 1]! - 1]! : -1);
  const near = (1.5 * step) / grid.unit; // a difference of heights that is a slope and no wall
  // floors: tops with a normal of the slope where they stand alone, undersides
  for (let j = 0; j < height; j++) {
    const ya = y0 + j * step, yb = ya + step;
    for (let i = 0; i < width; ) {
      const r = j * width + i;
      const n = start[r + 1]! - start[r]!;
      if (n === 0) { i++; continue; }
      let e = i + 1;
      if (n === 1) {
        const k = start[r]!;
        while (e < width) {
          const m = start[j * width + e]!;
          if (start[j * width + e + 1]! - m !== 1 || hi[m] !== hi[k] || lo[m] !== lo[k]) break;
          if (tops && markOf(e, j, hi[k]!) !== markOf(i, j, hi[k]!)) break;
          e++;
        }
      }
      const xa = x0 + i * step, xb = x0 + e * step;
      for (let k = start[r]!; k < start[r + 1]!; k++) {
        const t = z(hi[k]!), b = z(lo[k]!);
        let nx = 0, ny = 0, nz = 127;
        if (e === i + 1 && k === start[r + 1]! - 1) {
          const slopeOf = (a: number, c: number) => {
            const h = hi[k]!, dl = a >= 0 && Math.abs(a - h) < near ? h - a : NaN, dr = c >= 0 && Math.abs(c - h) < near ? c - h : NaN;
            return Number.isNaN(dl) ? (Number.isNaN(dr) ? 0 : dr) : Number.isNaN(dr) ? dl : (dl + dr) / 2;
          };
          const gx = (slopeOf(i > 0 ? topOf(r - 1) : -1, i + 1 < width ? topOf(r + 1) : -1) * grid.unit) / step;
          const gy = (slopeOf(j > 0 ? topOf(r - width) : -1, j + 1 < height ? topOf(r + width) : -1) * grid.unit) / step;
          const l = 127 / Math.hypot(gx, gy, 1);
          nx = -gx * l; ny = -gy * l; nz = l;
        }
        q.mark = k === start[r + 1]! - 1 ? markOf(i, j, hi[k]!) : 0;
        q.add(xa, ya, t, xb, ya, t, xb, yb, t, xa, yb, t, nx, ny, nz);
        q.mark = 0;
        q.add(xa, yb, b, xb, yb, b, xb, ya, b, xa, ya, b, 0, 0, -127);
      }
      i = e;
    }
  }
  // sides: of column r against column o, -1 outside
  const side = (r: number, o: number, emit: (a: number, b: number) => void) => {
    let m = o < 0 ? 0 : start[o]!;
    const end = o < 0 ? 0 : start[o + 1]!;
    for (let k = start[r]!; k < start[r + 1]!; k++) {
      let at = lo[k]!;
      const top = hi[k]!;
      for (; m < end && lo[m]! < top; m++) {
        if (hi[m]! <= at) continue;
        if (lo[m]! > at) emit(at, lo[m]!);
        at = Math.max(at, hi[m]!);
        if (hi[m]! > top) break;
      }
      if (at < top) emit(at, top);
    }
  };
  for (let j = 0; j < height; j++) {
    const ya = y0 + j * step, yb = ya + step;
    for (let i = 0; i < width; i++) {
      const r = j * width + i, xa = x0 + i * step, xb = xa + step;
      if (start[r + 1] === start[r]) continue;
      side(r, i > 0 ? r - 1 : -1, (a, b) => q.add(xa, yb, z(a), xa, ya, z(a), xa, ya, z(b), xa, yb, z(b), -127, 0, 0));
      side(r, i + 1 < width ? r + 1 : -1, (a, b) => q.add(xb, ya, z(a), xb, yb, z(a), xb, yb, z(b), xb, ya, z(b), 127, 0, 0));
      side(r, j > 0 ? r - width : -1, (a, b) => q.add(xa, ya, z(a), xb, ya, z(a), xb, ya, z(b), xa, ya, z(b), 0, -127, 0));
      side(r, j + 1 < height ? r + width : -1, (a, b) => q.add(xb, yb, z(a), xa, yb, z(a), xa, yb, z(b), xb, yb, z(b), 0, 127, 0));
    }
  }
  return q.surface();
}
