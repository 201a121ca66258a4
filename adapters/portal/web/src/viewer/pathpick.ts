// The place of a path that a click in the picture means.
import { Matrix4, type OrthographicCamera } from "three";
import type { Trace } from "../playback/wire";

const within = 6; // px from the line
const behind = 0.004; // share of the depth of the picture by which a line may be below what hides it

// secondNear is the second of the path at (x, y), from -1 to 1 across a picture of a size in px; null: no path is there.
// Parts of the path deeper than hidden, from -1 to 1, do not count. Of those in one pixel, the uppermost is meant.
export function secondNear(
  t: Trace, camera: OrthographicCamera, size: { width: number; height: number }, x: number, y: number, hidden: number,
): number | null {
  const m = new Matrix4().multiplyMatrices(camera.projectionMatrix, camera.matrixWorldInverse).elements;
  const w = size.width / 2, h = size.height / 2, p = t.points;
  let best = within, depth = Infinity, second: number | null = null;
  let px = 0, py = 0, pz = 0;
  for (let i = 0; i < t.kinds.length; i++) {
    const a = p[3 * i]!, b = p[3 * i + 1]!, c = p[3 * i + 2]!;
    const qx = (m[0]! * a + m[4]! * b + m[8]! * c + m[12]! - x) * w;
    const qy = (m[1]! * a + m[5]! * b + m[9]! * c + m[13]! - y) * h;
    const qz = m[2]! * a + m[6]! * b + m[10]! * c + m[14]!;
    if (i > 0) {
      const dx = qx - px, dy = qy - py, len2 = dx * dx + dy * dy;
      const s = len2 > 0 ? Math.max(0, Math.min(1, -(px * dx + py * dy) / len2)) : 1;
      const away = Math.round(Math.hypot(px + s * dx, py + s * dy)), z = pz + s * (qz - pz);
      if (away <= within && z <= hidden + behind && (second === null || away < best || (away === best && z < depth))) {
        best = away;
        depth = z;
        second = t.seconds[i - 1]! + s * (t.seconds[i]! - t.seconds[i - 1]!);
      }
    }
    px = qx; py = qy; pz = qz;
  }
  return second;
}
