// Words and figures of machining.
import type { Finding, Left, Program, Unmachinable, Vec3, Verification } from "./programtypes";
import { capital, plural } from "./words";

// number is a figure with at most the given digits behind the point.
export const number = (v: number, digits = 2) =>
  (Math.round(v * 10 ** digits) / 10 ** digits + 0).toLocaleString("en-US", { maximumFractionDigits: digits });

// rough is a number of three digits that count.
export const rough = (v: number) => v.toLocaleString("en-US", { maximumSignificantDigits: 3 });

// percent never rounds up to 100 what is less.
export const percent = (share: number) => number(Math.floor(Math.min(share, 1) * 1000) / 10, 1) + " %";

export const dollars = (cents: number) =>
  (cents / 100).toLocaleString("en-US", { style: "currency", currency: "USD" });

// wholeDollars is a large price without its cents.
export const wholeDollars = (cents: number) => "$" + number(Math.round(cents / 100));

// duration is a time as "8 s", "19 min 26 s" or "3 h 48 min".
export function duration(seconds: number): string {
  const s = Math.round(seconds);
  if (s < 60) return `${s} s`;
  if (s < 3600) return `${Math.floor(s / 60)} min ${s % 60} s`;
  const m = Math.round(seconds / 60);
  return `${number(Math.floor(m / 60))} h ${m % 60} min`;
}

// coordinates is a point as "x, y, z" in mm.
export const coordinates = (p: Vec3, digits = 2) => `${number(p.x, digits)}, ${number(p.y, digits)}, ${number(p.z, digits)}`;

// spaced turns a name of the interface into words: "flatEndMill" into "flat end mill".
export const spaced = (name: string) => name.replace(/_/g, " ").replace(/([a-z])([A-Z])/g, "$1 $2").toLowerCase();

const reasons: Record<string, string> = {
  no_tool_fits: "No tool fits",
  out_of_reach: "Out of reach of the tools",
  not_accessible: "Not accessible",
  needs_more_axes: "Needs more axes",
  held_there: "Covered by the workholding",
  setup_costs_more: "A setup would cost more",
  unheld: "No device holds the part there",
  undercut: "Undercut",
  sharp_corner: "Sharp inner corner",
  exceeds_travel: "Outside the travel of the machine",
  thread_not_stated: "Thread not stated",
  turned: "Work for a lathe",
  not_requested: "Not asked for",
  path_left: "Left by its own operation",
  edge_not_broken: "Edge not broken",
};

export const reason = (code: string) => reasons[code] ?? capital(spaced(code));

const strategies: Record<string, string> = {
  face: "Face", pocket: "Clear", contour: "Finish walls", drill: "Drill", peckDrill: "Drill with pecks", bore: "Bore",
  ream: "Ream", tap: "Tap", threadMill: "Mill threads", chamfer: "Chamfer", breakEdges: "Break edges",
  surface: "Finish slopes", slot: "Cut T-slots and grooves", dovetail: "Cut dovetails",
};

export const strategy = (name: string) => strategies[name] ?? capital(spaced(name));

const wrongs: Record<string, string> = {
  gouge: "The part is cut into", rapid: "A rapid meets material", shank: "The shank meets material",
  holder: "The holder meets material", fixture: "The tool meets what holds the part", travel: "The machine ends before",
};

// wrong is a finding in a sentence.
export function wrong(f: Finding): string {
  const size = f.depth === 0 ? "" : f.kind === "gouge" || f.kind === "travel"
    ? ` by ${rough(f.depth)} mm` : ` (${rough(f.depth)} mm³)`;
  return `${wrongs[f.kind] ?? capital(spaced(f.kind))}${size} at ${coordinates(f.position)} of the part.`;
}

// verdict is the proof of a program in a line.
export function verdict(v: Verification): string {
  const gouges = v.findings.filter((f) => f.kind === "gouge").length;
  const others = v.findings.filter((f) => f.kind === "travel").length;
  const collisions = v.rapidCollisions + v.holderCollisions + v.fixtureCollisions;
  return [plural(gouges, "gouge"), plural(collisions, "collision"),
    ...(others > 0 ? [plural(others, "place") + " outside the travel"] : []),
    `${v.maxUncut.toLocaleString("en-US", { minimumFractionDigits: 3, maximumFractionDigits: 3 })} mm undeclared`].join(", ");
}

const ways: Record<string, string> = {
  bench: "by hand", setup: "by one setup more", tool: "by a tool that is bought",
  axes: "on a machine with rotary axes", lathe: "on a lathe",
};

// priceOf says what making some places would cost, where all are priced. A setup, a tool or a machine serves all of
// them.
export function priceOf(places: Unmachinable[]): string {
  const prices = places.map((p) => p.price);
  const first = prices[0];
  if (!first || !prices.every((p) => p?.way === first.way)) return "";
  const cents = prices.map((p) => p!.cents);
  const total = first.way === "bench" ? cents.reduce((a, b) => a + b) : Math.max(...cents);
  return `Making it: ${dollars(total)} a part ${ways[first.way] ?? first.way}.`;
}

// Cause is why something is not made, with all places where it is so.
export interface Cause {
  reason: string;
  remedy: string | null;
  places: (Unmachinable & Partial<Left>)[];
  regions: number[];
  volume: number;
  height: number;
}

const placeOf = (u: Unmachinable) => `${u.reason} ${[...u.regionIdxs].sort((a, b) => a - b).join(" ")}`;

// causes groups what is not made: one cause for each reason and remedy, the most material first. The account of the
// material comes first; what the plan names beyond it has no amount.
export function causes(p: Program): Cause[] {
  const counted = new Set(p.left.map(placeOf));
  const byCause = new Map<string, Cause>();
  for (const u of [...p.left, ...p.unmachinable.filter((u) => !counted.has(placeOf(u)))] as Cause["places"]) {
    const key = `${u.reason} ${u.remedy ?? ""}`;
    const c = byCause.get(key)
      ?? { reason: u.reason, remedy: u.remedy, places: [], regions: [], volume: 0, height: 0 };
    c.places.push(u);
    c.regions = [...new Set([...c.regions, ...u.regionIdxs])];
    c.volume += u.volume ?? 0;
    c.height = Math.max(c.height, u.maxHeight ?? 0);
    byCause.set(key, c);
  }
  return [...byCause.values()].sort((a, b) => b.volume - a.volume || b.places.length - a.places.length);
}
