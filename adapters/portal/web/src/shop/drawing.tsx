// Flat drawings of tools and holders, to scale: one silhouette, with a line for each figure.
import type { Doc } from "./schema";

interface Point {
  r: number; // radius, mm
  z: number; // above the tip, mm
}

// Part is a stretch of the silhouette with its look.
interface Stretch {
  zone: "flute" | "shank" | "holder";
  points: Point[];
  isWrong?: boolean; // it collides
}

const number = (v: unknown): number => (typeof v === "number" && Number.isFinite(v) ? v : 0);
const half = (degrees: number) => Math.tan(((degrees / 2) * Math.PI) / 180);

// quarter is an arc of a corner, from its lower to its upper end.
function quarter(r: number, corner: number, z: number): Point[] {
  return Array.from({ length: 9 }, (_, i) => {
    const angle = (i / 8) * (Math.PI / 2);
    return { r: r - corner + corner * Math.sin(angle), z: z + corner - corner * Math.cos(angle) };
  });
}

// flutesOf is the half outline of the cutting end.
function flutesOf(t: Doc): Point[] {
  const r = number(t["diameter"]) / 2;
  const top = number(t["fluteLength"]);
  const corner = Math.min(number(t["cornerRadius"]), r);
  const angle = number(t["tipAngleDeg"]);
  switch (t["kind"]) {
    case "drill": case "centerDrill": case "spotDrill": case "countersink": case "chamferMill": {
      const tip = number(t["tipDiameter"]) / 2;
      const high = angle > 0 && angle < 180 ? Math.max(r - tip, 0) / half(angle) : 0;
      return [{ r: 0, z: 0 }, { r: tip, z: 0 }, { r, z: high }, { r, z: Math.max(top, high) }];
    }
    case "dovetailMill":
      return [{ r: 0, z: 0 }, { r, z: 0 }, { r: Math.max(r - top * half(angle), 0), z: top }];
    case "lollipop": {
      const end = Math.min(top, 2 * r);
      return Array.from({ length: 17 }, (_, i) => {
        const z = (i / 16) * end;
        return { r: Math.sqrt(Math.max(r * r - (z - r) ** 2, 0)), z };
      });
    }
    default:
      return [{ r: 0, z: 0 }, ...(corner > 0 ? quarter(r, corner, 0) : [{ r, z: 0 }]), { r, z: Math.max(top, corner) }];
  }
}

function conesOf(holder: Doc, from: number): Point[] {
  const out: Point[] = [];
  let z = from;
  for (const c of (holder["cones"] ?? []) as Doc[]) {
    out.push({ r: number(c["diameterBottom"]) / 2, z });
    z += number(c["height"]);
    out.push({ r: number(c["diameterTop"]) / 2, z });
  }
  const gauge = from + number(holder["gaugeLength"]);
  if (out.length > 0 && gauge > z) out.push({ r: out.at(-1)!.r, z: gauge });
  return out;
}

const look: Record<string, string> = { flute: "flute", shank: "shank", holder: "cone" };

// Line is a figure of the drawing: where it is measured.
interface Line {
  name: string;
  text: string;
  a: Point;
  b: Point;
}

function draw(stretches: Stretch[], lines: Line[], lit: string | null, height: number, label: string) {
  const all = stretches.flatMap((s) => s.points);
  const high = Math.max(...all.map((p) => p.z), 1);
  const wide = Math.max(...all.map((p) => p.r), 1);
  const margin = lines.length > 0 ? 0.35 * wide + high * 0.12 : wide * 0.1;
  const box = { x: -wide - margin, w: 2 * (wide + margin), h: high + 2 * (high * 0.03) };
  const y = (z: number) => high + high * 0.03 - z;
  const shown = lit === null ? undefined : lines.find((l) => lit === l.name || lit.startsWith(l.name + "/"));
  const size = high / 26;
  return (
    <svg class="toolpicture" viewBox={`${box.x} 0 ${box.w} ${box.h}`} height={height}
      width={Math.min((height * box.w) / box.h, height * 1.6)} role="img" aria-label={label}>
      {stretches.map((s, i) => s.points.length > 1 && (
        <path key={i} class={look[s.zone] + (s.isWrong ? " wrong" : "")} d={[
          ...s.points.map((p) => `${p.r} ${y(p.z)}`), ...s.points.slice().reverse().map((p) => `${-p.r} ${y(p.z)}`),
        ].map((p, at) => (at === 0 ? "M" : "L") + p).join("") + "Z"} />
      ))}
      <path class="axis" d={`M0 ${y(0) + high * 0.02}V${y(high) - high * 0.02}`} />
      {lines.map((l) => (
        <path key={l.name} data-figure={l.name} class={"measure" + (l === shown ? " lit" : "")}
          d={`M${l.a.r} ${y(l.a.z)}L${l.b.r} ${y(l.b.z)}`} />
      ))}
      {shown && (
        <text class="measuretext" font-size={size * 1.3} text-anchor="middle"
          x={(shown.a.r + shown.b.r) / 2} y={y((shown.a.z + shown.b.z) / 2) - size * 0.4}>{shown.text}</text>
      )}
    </svg>
  );
}

// zones are those of the outline of a tool as cut, from its tip upward: flutes, neck, shank and holder.
const zones = ["flute", "shank", "shank", "holder"] as const;

// drawOutline is the silhouette of a tool as cut: radius, height and zone of each point. Zones that collide are red.
export function drawOutline(
  outline: readonly [number, number, number][], wrong: readonly number[], label: string, height: number,
) {
  const stretches = zones.map((zone, n) => ({
    zone, isWrong: wrong.includes(n),
    points: outline.flatMap(([r, z, of], i) => {
      if (of !== n) return [];
      const from = outline[i - 1];
      return from ? [{ r: from[0], z: from[1] }, { r, z }] : [{ r, z }];
    }),
  }));
  return draw(stretches.reverse(), [], null, height, label);
}

const mm = (v: unknown) => `${Number(number(v).toPrecision(6))} mm`;

// drawTool is the silhouette of a tool in its holder; lit is the name of the field that has the focus.
export function drawTool(t: Doc, lit: string | null, height = 420) {
  const flutes = flutesOf(t);
  const r = number(t["diameter"]) / 2;
  const top = flutes.at(-1)!.z;
  const shank = number(t["shankDiameter"]) / 2;
  const body = Math.max(number(t["bodyLength"]), top);
  const holder = t["holder"] as Doc | null;
  const end = holder ? body : Math.max(number(t["overallLength"]), body);
  const cones = holder ? conesOf(holder, body) : [];
  const stretches: Stretch[] = [
    { zone: "holder", points: cones },
    { zone: "shank", points: [{ r: shank, z: top }, { r: shank, z: end }] },
    { zone: "flute", points: flutes },
  ];
  const side = Math.max(r, shank) * 1.25 + end * 0.02;
  const upright = (name: string, to: number, step: number): Line => ({
    name, text: mm(t[name]), a: { r: side + step * end * 0.035, z: 0 }, b: { r: side + step * end * 0.035, z: to },
  });
  const corner = Math.min(number(t["cornerRadius"]), r);
  const lines: Line[] = [
    { name: "diameter", text: mm(t["diameter"]), a: { r: -r, z: top * 0.6 }, b: { r, z: top * 0.6 } },
    { name: "shankDiameter", text: mm(t["shankDiameter"]), a: { r: -shank, z: (top + end) / 2 }, b: { r: shank, z: (top + end) / 2 } },
    upright("fluteLength", number(t["fluteLength"]), 0), upright("bodyLength", number(t["bodyLength"]), 1),
    upright("overallLength", number(t["overallLength"]), 2),
  ];
  if (corner > 0) lines.push({ name: "cornerRadius", text: mm(t["cornerRadius"]), a: { r: r - corner, z: corner }, b: { r, z: corner } });
  if (number(t["tipDiameter"]) > 0) {
    const tip = number(t["tipDiameter"]) / 2;
    lines.push({ name: "tipDiameter", text: mm(t["tipDiameter"]), a: { r: -tip, z: 0 }, b: { r: tip, z: 0 } });
  }
  if (number(t["tipAngleDeg"]) > 0) {
    const p = flutes[2] ?? flutes[1]!;
    lines.push({ name: "tipAngleDeg", text: `${number(t["tipAngleDeg"])}°`, a: { r: flutes[1]?.r ?? 0, z: flutes[1]?.z ?? 0 }, b: p });
  }
  if (holder) {
    lines.push({ name: "holder", text: mm(holder["gaugeLength"]), a: { r: -side, z: body }, b: { r: -side, z: body + number(holder["gaugeLength"]) } });
  }
  return draw(stretches, lines, lit, height, `Outline of the tool to scale, ${mm(t["diameter"])} wide, ${mm(end)} below its end`);
}

// drawHolder is the silhouette of a holder; lit is the name of the field or the cone that has the focus.
export function drawHolder(h: Doc, lit: string | null, height = 320) {
  const cones = conesOf(h, 0);
  const lines: Line[] = [];
  if (height > 100) {
    const side = Math.max(...cones.map((p) => p.r), 1) * 1.15;
    lines.push({ name: "gaugeLength", text: mm(h["gaugeLength"]), a: { r: side, z: 0 }, b: { r: side, z: number(h["gaugeLength"]) } });
    let z = 0;
    for (const [i, c] of ((h["cones"] ?? []) as Doc[]).entries()) {
      const up = z + number(c["height"]);
      lines.push({
        name: `cones/${i}`, text: `cone ${i + 1}: ${mm(c["height"])}`, a: { r: number(c["diameterBottom"]) / 2, z },
        b: { r: number(c["diameterTop"]) / 2, z: up },
      });
      z = up;
    }
  }
  return draw([{ zone: "holder", points: cones }], lines, lit, height, `Outline of the holder to scale, ${mm(h["gaugeLength"])} long`);
}
