// The path of the tip of a tool as points with their times.
import { chords, lengthOf, type Segments } from "./motion";
import type { Trace } from "./wire";

const sagitta = 0.02; // mm, of the chords of arcs
const chordsOfArc = 8; // about

// trace returns the path from the start of a segment to a share of another one.
export function trace(o: Segments, from: number, segment: number, share: number): Trace {
  const points = [o.at[3 * from]!, o.at[3 * from + 1]!, o.at[3 * from + 2]!], kinds = [0], seconds = [o.begin];
  let move = -1, begin = 0, span = 0, length = 0, done = 0; // of the move: s, and mm
  for (let i = from; i <= segment && i < o.feed.length; i++) {
    const until = i < segment ? 1 : share;
    if (until === 0) break;
    if (move < 0 || o.first[move + 1]! <= i) {
      while (o.first[move + 1]! <= i) move++;
      begin = move > 0 ? o.seconds[move - 1]! : 0;
      span = o.seconds[move]! - begin;
      length = done = 0;
      for (let k = o.first[move]!; k < o.first[move + 1]!; k++) {
        const l = lengthOf(o, k);
        length += l;
        if (k < i) done += l;
      }
      if (i === from) seconds[0] = o.begin + begin + (length > 0 ? (span * done) / length : 0);
    }
    const of = lengthOf(o, i);
    chords(o, i, until, sagitta, (_x, _y, _z, x, y, z, at) => {
      points.push(x, y, z);
      kinds.push(o.feed[i] === 0 ? 0 : o.kind[move]!);
      seconds.push(o.begin + begin + (length > 0 ? (span * (done + at * of)) / length : span));
    });
    done += of;
  }
  return { points: Float32Array.from(points), kinds: Uint8Array.from(kinds), seconds: Float64Array.from(seconds) };
}

// last returns the last points of the path to a share of a segment, about so many.
export function last(o: Segments, segment: number, share: number, most: number): Trace {
  let from = segment;
  for (let n = 0; from > 0 && n < most;) {
    from--;
    n += o.turn[from] === 0 ? 1 : chordsOfArc;
  }
  const all = trace(o, from, segment, share), cut = Math.max(0, all.kinds.length - most);
  return { points: all.points.slice(3 * cut), kinds: all.kinds.slice(cut), seconds: all.seconds.slice(cut) };
}
