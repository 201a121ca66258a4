// PartModel is what a person looks at on the page of a part: features, what is selected and hidden, and how faces are
// colored. The address keeps it, by tags, which are stable between runs.
import { computed, signal } from "@preact/signals";
import { gist } from "./datasheet";
import type { Entry, Feature, Result } from "./partapi";
import type { Tone } from "./picture";
import { query, setQuery } from "./route";
import { directionName, typeName } from "./words";
import type { Color, RegionState } from "./viewer/model";

export type ColorBy = "plain" | "kind" | "direction" | "setup" | "tolerance" | "made";

export const colorings: Record<ColorBy, string> = {
  plain: "One color", kind: "Kind of feature", direction: "Direction", setup: "Setup", tolerance: "Tolerance",
  made: "Covered or not",
};

const typeColors: Record<string, Color> = {
  Hole: [86, 150, 226], Pocket: [222, 160, 62], Boss: [104, 184, 120], Wall: [176, 140, 222], Face: [164, 178, 188],
  Chamfer: [226, 122, 108], Profile: [88, 190, 186], Three: [214, 138, 188], Dovetail: [196, 186, 76],
  Tslot: [140, 150, 228],
};
const series: Color[] = [
  [86, 150, 226], [222, 160, 62], [104, 184, 120], [176, 140, 222], [226, 122, 108], [88, 190, 186], [214, 138, 188],
  [196, 186, 76],
];
const none: Color = [198, 205, 211];
const toneColors: Record<Tone, Color> = {
  selected: [255, 140, 26], fault: [220, 50, 47], made: [70, 170, 95], left: [224, 152, 30],
};
const stripedTones: Tone[] = ["fault", "left"];

// bands are the widths of tolerances, mm, from fine to coarse.
const bands: [number, string, Color][] = [
  [0.02, "up to 0.02 mm", [190, 60, 140]], [0.05, "up to 0.05 mm", [226, 122, 108]], [0.1, "up to 0.1 mm", [222, 160, 62]],
  [0.3, "up to 0.3 mm", [104, 184, 120]], [Infinity, "wider", [164, 178, 188]],
];

// Class is a color with the name of what has it.
export interface Class {
  name: string;
  color: Color;
  faces: number;
}

const lighter = (c: Color): Color => c.map((v) => Math.round(v + (255 - v) * 0.45)) as unknown as Color;

export class PartModel {
  readonly entries = signal<Entry[] | null>(null);
  readonly hoverRegion = signal<number | null>(null);
  readonly hoverTag = signal<string | null>(null);
  readonly lit = signal<{ regions: readonly number[]; tone: Tone } | null>(null);
  readonly byTag = new Map<string, Feature>();
  readonly byId = new Map<string, Feature>();
  readonly ofRegion = new Map<number, Feature[]>(); // the smaller features first
  private readonly unmachined = new Set<number>();

  constructor(readonly result: Result) {
    for (const f of result.features) {
      if (!this.byTag.has(f.featureTag)) this.byTag.set(f.featureTag, f);
      this.byId.set(f.featureId, f);
      for (const r of f.regionIdxs) this.ofRegion.set(r, [...(this.ofRegion.get(r) ?? []), f]);
    }
    for (const list of this.ofRegion.values()) list.sort((a, b) => a.regionIdxs.length - b.regionIdxs.length);
    for (const u of result.unmachined) u.regionIdxs.forEach((r) => this.unmachined.add(r));
  }

  readonly selected = computed(() =>
    (query.value.get("f") ?? "").split(",").filter((t) => this.byTag.has(t)));
  readonly hidden = computed(() => new Set((query.value.get("hide") ?? "").split(",").filter((t) => t !== "")));
  readonly colorBy = computed(() => {
    const by = query.value.get("color") ?? "";
    return (by in colorings ? by : "plain") as ColorBy;
  });
  readonly sheets = computed(() => new Map((this.entries.value ?? []).map((e) => [e.featureTag, e.datasheet])));

  readonly hiddenRegions = computed(() => {
    const hidden = this.hidden.value, out = new Set<number>();
    if (hidden.size === 0) return out;
    for (const { idx } of this.result.regions) {
      const all = this.ofRegion.get(idx) ?? [];
      const gone = all.length === 0 ? hidden.has("rest") : all.every((f) => this.isHidden(f));
      if (gone) out.add(idx);
    }
    return out;
  });

  isHidden(f: Feature): boolean {
    return this.hidden.value.has(f.featureType) || this.hidden.value.has(f.featureTag);
  }

  select(tags: readonly string[]): void {
    this.lit.value = null;
    setQuery({ f: tags.length === 0 ? null : tags.join(",") });
  }

  toggle(tag: string, add: boolean): void {
    const now = this.selected.value;
    if (!add) this.select([tag]);
    else this.select(now.includes(tag) ? now.filter((t) => t !== tag) : [...now, tag]);
  }

  // pick selects a feature of a face; picked again, the next one of it.
  pick(region: number | null, add: boolean): void {
    const all = region === null ? [] : this.ofRegion.get(region) ?? [];
    if (all.length === 0) {
      if (!add) this.select([]);
      return;
    }
    const tags = all.map((f) => f.featureTag), now = this.selected.value;
    if (add) return this.toggle(tags[0]!, true);
    const at = now.length === 1 ? tags.indexOf(now[0]!) : -1;
    this.select([tags[(at + 1) % tags.length]!]);
  }

  hide(tags: readonly string[]): void {
    const next = new Set(this.hidden.value);
    for (const t of tags) next.add(t);
    this.setHidden(next);
  }

  // isolate leaves only features in the picture.
  isolate(tags: readonly string[]): void {
    const next = new Set(["rest"]);
    for (const f of this.result.features) if (!tags.includes(f.featureTag)) next.add(f.featureTag);
    this.setHidden(next);
  }

  showAll(): void {
    this.setHidden(new Set());
  }

  toggleHidden(name: string): void {
    const next = new Set(this.hidden.value);
    if (!next.delete(name)) next.add(name);
    this.setHidden(next);
  }

  private setHidden(next: Set<string>): void {
    setQuery({ hide: next.size === 0 ? null : [...next].join(",") });
  }

  // classOf is the class of a face in the present coloring; null: it has none.
  private classOf(region: number): { key: string; name: string; color: Color } | null {
    const f = this.ofRegion.get(region)?.[0];
    switch (this.colorBy.value) {
      case "plain":
        return null;
      case "made":
        return this.unmachined.has(region)
          ? { key: "left", name: "Not covered, or partly", color: toneColors.left }
          : { key: "made", name: "Covered by features", color: toneColors.made };
      case "kind":
        return f ? { key: f.featureType, name: typeName(f.featureType), color: typeColors[f.featureType] ?? none } : null;
      case "direction": {
        if (!f) return null;
        const name = directionName(f.machiningDirection);
        return { key: name, name, color: series[this.directions.value.indexOf(name) % series.length] ?? none };
      }
      case "setup": {
        const i = f ? this.result.setups.findIndex((s) => s.featureIds.includes(f.featureId)) : -1;
        if (i < 0) return null;
        const s = this.result.setups[i]!;
        return { key: String(i), name: `Setup ${s.index}: ${directionName(s.direction)}`, color: series[i % series.length]! };
      }
      case "tolerance": {
        const sheet = f ? this.sheets.value.get(f.featureTag) : null;
        const band = sheet?.["toleranceBand"] as Record<string, number> | undefined;
        if (!band) return null;
        const width = Math.min(band["radialUpper"]! - band["radialLower"]!, band["axialUpper"]! - band["axialLower"]!);
        const [most, name, color] = bands.find((b) => width <= b[0] + 1e-9)!;
        return { key: String(most), name, color };
      }
    }
  }

  private readonly directions = computed(() =>
    [...new Set(this.result.features.map((f) => directionName(f.machiningDirection)))]);

  // legend is the classes of the present coloring with the number of their faces, most faces first.
  readonly legend = computed(() => {
    const classes = new Map<string, Class>();
    if (this.colorBy.value === "plain") return [];
    for (const { idx } of this.result.regions) {
      const c = this.classOf(idx) ?? { key: "", name: "None of them", color: none };
      const had = classes.get(c.key);
      if (had) had.faces++;
      else classes.set(c.key, { name: c.name, color: c.color, faces: 1 });
    }
    return [...classes.values()].sort((a, b) => b.faces - a.faces);
  });

  // states returns the state of each face in the picture.
  states(): (region: number) => RegionState {
    const hidden = this.hiddenRegions.value, lit = this.lit.value;
    const marked = new Set<number>(), over = new Set<number>();
    const tone = lit?.tone ?? "selected";
    if (lit) lit.regions.forEach((r) => marked.add(r));
    else for (const tag of this.selected.value) this.byTag.get(tag)!.regionIdxs.forEach((r) => marked.add(r));
    if (this.hoverRegion.value !== null) over.add(this.hoverRegion.value);
    const tag = this.hoverTag.value;
    if (tag !== null) this.byTag.get(tag)?.regionIdxs.forEach((r) => over.add(r));
    return (r) => {
      let color = this.classOf(r)?.color ?? none;
      if (marked.has(r)) color = toneColors[tone];
      if (over.has(r)) color = lighter(color);
      return { color, hidden: hidden.has(r), striped: marked.has(r) && stripedTones.includes(tone) };
    };
  }

  // title is the name of a feature with its main figures.
  title(f: Feature): string {
    const figures = gist(this.sheets.value.get(f.featureTag) ?? null);
    return typeName(f.featureType) + (figures === "" ? "" : ` ${figures}`);
  }
}
