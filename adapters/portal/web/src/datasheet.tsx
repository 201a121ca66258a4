// The datasheet of a feature: every measured fact, with label, unit and order of one table (facts.json).
import table from "./facts.json";
import type { Datasheet, Facts, Vec3 } from "./partapi";
import { directionName, figure, plural } from "./words";

interface Field {
  name: string;
  label: string;
  unit?: string;
  of?: string; // schema of an object, or of the members of a list
  none?: string; // meaning of null
}

const fields: Record<string, Field[]> = table.fields;
const words: Record<string, string> = table.words;

// schemas are the schemas of facts by the kind that they name.
const schemas: Record<string, string> = {
  Hole: "HoleFacts", Pocket: "PocketFacts", Boss: "BossFacts", Wall: "WallFacts", Face: "FaceFacts",
  Three: "SurfaceFacts", Chamfer: "ChamferFacts", Profile: "ProfileFacts", Dovetail: "DovetailFacts", Tslot: "TslotFacts",
};

const isVector = (v: object): v is Vec3 => "x" in v && "y" in v && "z" in v;

// textOf is a value in words, "" for an absent one.
function textOf(f: Field, v: unknown): string {
  if (v === undefined) return "";
  if (v === null) return f.none ?? "none";
  switch (typeof v) {
    case "boolean":
      return v ? "yes" : "no";
    case "number":
      if (f.unit === "%") return `${figure(100 * v)} %`;
      return figure(v) + (f.unit === "°" ? "°" : f.unit ? ` ${f.unit}` : "");
    case "string":
      return words[v] ?? v;
  }
  if (Array.isArray(v)) return v.map((one) => textOf({ ...f, unit: "" }, one)).join(", ");
  if (isVector(v as object)) {
    const p = v as Vec3;
    return f.unit === "mm" ? `${figure(p.x)}, ${figure(p.y)}, ${figure(p.z)} mm` : directionName(p);
  }
  return "";
}

function Rows(props: { schema: string; of: Facts }) {
  return (
    <>
      {(fields[props.schema] ?? []).filter((f) => f.name !== "kind" && f.name !== "facts" && f.name !== "featureType").map((f) => {
        const v = props.of[f.name];
        if (v === undefined) return null;
        if (f.of && Array.isArray(v)) {
          return v.map((one, i) => <Nested key={f.name + i} label={v.length > 1 ? `${f.label} ${i + 1}` : f.label} schema={f.of!} of={one} />);
        }
        if (f.of && v !== null) return <Nested key={f.name} label={f.label} schema={f.of} of={v as Facts} />;
        return <Row key={f.name} field={f.name} label={f.label} value={textOf(f, v)} />;
      })}
    </>
  );
}

function Row(props: { field: string; label: string; value: string }) {
  return <tr data-field={props.field}><th scope="row">{props.label}</th><td>{props.value}</td></tr>;
}

function Nested(props: { label: string; schema: string; of: Facts }) {
  return (
    <>
      <tr class="part"><th scope="rowgroup" colSpan={2}>{props.label}</th></tr>
      <Rows schema={props.schema} of={props.of} />
    </>
  );
}

// Sheet shows what was measured of a feature.
export function Sheet(props: { of: Datasheet }) {
  const schema = schemas[String(props.of.facts["kind"])] ?? "";
  return (
    <>
      <table class="sheet" aria-label="Measured facts"><tbody><Rows schema={schema} of={props.of.facts} /></tbody></table>
      <details class="more">
        <summary>For machining</summary>
        <table class="sheet" aria-label="Facts for machining"><tbody><Rows schema="FeatureDatasheet" of={props.of} /></tbody></table>
      </details>
    </>
  );
}

// gist is the facts of a feature in a few words, "" without a datasheet.
export function gist(d: Datasheet | null): string {
  if (!d) return "";
  const f = d.facts as Record<string, number | null> & { thread?: { designation: string } | null; bevel?: { slant: number; angleDeg: number } };
  const n = (name: string) => figure(f[name] ?? 0);
  switch (String(f["kind"])) {
    case "Hole":
      return `⌀${n("diameter")} × ${n("depth")}${f.isThrough ? " through" : ""}${f.thread ? `, ${f.thread.designation}` : ""}`;
    case "Pocket":
      return `${n("length")} × ${n("width")} × ${n("depth")}${f["islandCount"] ? `, ${plural(f["islandCount"], "island")}` : ""}`;
    case "Boss":
      return f["diameter"] ? `⌀${n("diameter")} × ${n("height")}` : `${n("length")} × ${n("width")} × ${n("height")}`;
    case "Wall":
      return `${n("length")} × ${n("height")}`;
    case "Face":
      return `${n("length")} × ${n("width")}`;
    case "Chamfer":
      return f.bevel ? `${figure(f.bevel.slant)} × ${figure(f.bevel.angleDeg)}°` : "";
    case "Profile":
      return `${n("perimeter")} long, ${n("height")} high`;
    case "Dovetail":
    case "Tslot":
      return `${n("neckWidth")} wide`;
    case "Three":
      return `${n("area")} mm²`;
  }
  return "";
}
