// Forms from the interface description: the fields of a document, with their kinds, bounds, units and defaults.
import { send } from "../api";
import { spaced } from "../machining";
import { capital } from "../words";
import labels from "./labels.json";
import { shownAs, withUnit } from "./units";

export type Json = null | boolean | number | string | Json[] | { [name: string]: Json };
export type Doc = { [name: string]: Json };

interface Schema {
  $ref?: string;
  type?: string | string[];
  anyOf?: Schema[];
  items?: Schema;
  properties?: Record<string, Schema>;
  required?: string[];
  enum?: string[];
  minimum?: number;
  exclusiveMinimum?: number;
  maximum?: number;
  maxLength?: number;
  minItems?: number;
  maxItems?: number;
  default?: Json;
  description?: string;
  "x-group"?: string;
  "x-unit"?: string;
}

export type Kind = "number" | "whole" | "text" | "choice" | "switch" | "object" | "list";

export interface Field {
  name: string;
  key: string; // of its label: names of the objects round it, then its own
  kind: Kind;
  nullable: boolean;
  required: boolean;
  label: string;
  text: string; // what it means
  group: string;
  unit: string;
  low: number;
  above: boolean; // low itself is out of bounds
  high: number;
  maxLength: number;
  fallback: Json | undefined; // the default; undefined: there is none
  choices: string[];
  rare: boolean;
  order: number;
  fields: Field[]; // of an object, and of the entries of a list
}

const named = labels.fields as Record<string, { label: string; rare?: boolean }>;
const order = Object.keys(named);

// choiceNames are words of the interface in the words of the trade.
export const choiceName = (word: string): string => (labels.choices as Record<string, string>)[word] ?? word;

// groupName is the title of a group of fields. An unknown one keeps its name.
export const groupName = (group: string): string =>
  (labels.groups as Record<string, string>)[group] ?? capital(group);
export const groupOrder = Object.keys(labels.groups);

type Schemas = Record<string, Schema>;

function fieldsOf(schemas: Schemas, name: string, above: string): Field[] {
  const of = schemas[name]!;
  const out = Object.entries(of.properties ?? {}).map(([field, schema]) =>
    fieldOf(schemas, field, above === "" ? field : `${above}.${field}`, schema, of.required?.includes(field) ?? false));
  return out.sort((a, b) => a.order - b.order);
}

const refOf = (s: Schema | undefined) => s?.$ref?.replace("#/components/schemas/", "");

function fieldOf(schemas: Schemas, name: string, key: string, schema: Schema, required: boolean): Field {
  const types = [schema.type ?? []].flat();
  const of = refOf(schema) ?? refOf(schema.anyOf?.find((s) => s.$ref));
  const entries = refOf(schema.items);
  const known = named[key];
  const kind: Kind = of ? "object"
    : types.includes("array") ? "list"
    : types.includes("boolean") ? "switch"
    : types.includes("integer") ? "whole"
    : types.includes("number") ? "number"
    : schema.enum ? "choice" : "text";
  const nested = of ?? entries;
  const fields = nested ? fieldsOf(schemas, nested, key) : [];
  return {
    name, key, kind, required,
    nullable: types.includes("null") || schema.anyOf?.some((s) => s.type === "null") === true,
    label: known?.label ?? capital(spaced(name)),
    text: (schema.description ?? "").replace("US cents", "US dollars"), // see shownAs
    group: schema["x-group"] ?? fields[0]?.group ?? "general",
    unit: schema["x-unit"] ?? "",
    low: schema.exclusiveMinimum ?? schema.minimum ?? -Infinity,
    above: schema.exclusiveMinimum !== undefined,
    high: schema.maximum ?? Infinity,
    maxLength: schema.maxLength ?? 0,
    fallback: schema.default,
    choices: schema.enum ?? [],
    rare: known?.rare ?? false,
    order: known ? order.indexOf(key) : order.length,
    fields,
  };
}

export interface Forms {
  cutConfig: Field[];
  tool: Field[];
  holder: Field[];
}

let forms: Promise<Forms> | null = null;

// loadForms reads the interface description once.
export function loadForms(): Promise<Forms> {
  forms ??= send<{ components: { schemas: Schemas } }>("GET", "/v1/openapi.json").then((d) => {
    const s = d.components.schemas;
    return {
      cutConfig: fieldsOf(s, "CutConfigRequest", ""),
      tool: fieldsOf(s, "ToolRequest", "").filter((f) => f.name !== "id" && f.name !== "guessed"),
      holder: fieldsOf(s, "Holder", ""),
    };
  }).catch((e) => {
    forms = null;
    throw e;
  });
  return forms;
}

// boundsText says which values a number may have.
export function boundsText(f: Field): string {
  if (f.high === Infinity) return "";
  const high = withUnit(f.high, f.unit);
  return f.above ? `more than ${withUnit(f.low, "")}, up to ${high}` : `${withUnit(f.low, "")} to ${high}`;
}

// boundsFault returns why a number is out of bounds, or "".
export function boundsFault(f: Field, v: number): string {
  if (f.kind === "whole" && !Number.isInteger(v)) {
    return `${f.label} ${shownAs(f.unit).each === 1 ? "is a whole number" : "has at most two decimals"}.`;
  }
  const low = f.above ? v > f.low : v >= f.low;
  return low && v <= f.high ? "" : `${withUnit(v, f.unit)} is out of bounds: ${boundsText(f)}.`;
}

// valueAt returns the value at a JSON pointer.
export function valueAt(doc: Json, pointer: string): Json | undefined {
  let v: Json | undefined = doc;
  for (const name of pointer.split("/").slice(1)) {
    if (v === null || typeof v !== "object") return undefined;
    v = Array.isArray(v) ? v[Number(name)] : v[name];
  }
  return v;
}

// put returns a copy of a document with another value at a JSON pointer.
export function put<T extends Json>(doc: T, pointer: string, value: Json): T {
  const [, name, ...rest] = pointer.split("/");
  if (name === undefined) return value as T;
  const below = rest.length > 0 ? "/" + rest.join("/") : "";
  if (Array.isArray(doc)) return doc.map((v, i) => (i === Number(name) ? put(v, below, value) : v)) as T;
  const object = (doc ?? {}) as Doc;
  return { ...object, [name]: put(object[name] ?? null, below, value) } as T;
}

export const same = (a: Json | undefined, b: Json | undefined): boolean => JSON.stringify(a ?? null) === JSON.stringify(b ?? null);

// leaves lists the fields of a document that are not objects, with their pointers.
export function leaves(fields: Field[], doc: Json, above = ""): { field: Field; pointer: string }[] {
  return fields.flatMap((field) => {
    const pointer = `${above}/${field.name}`;
    if (field.kind !== "object") return [{ field, pointer }];
    if (valueAt(doc, pointer) === null || valueAt(doc, pointer) === undefined) return [{ field, pointer }];
    return leaves(field.fields, doc, pointer);
  });
}

// made is an object of the defaults of fields. What has no default is taken from another object.
export function made(fields: Field[], from: Doc = {}): Doc {
  const out: Doc = {};
  for (const f of fields) {
    if (f.kind === "object") out[f.name] = f.nullable ? null : made(f.fields, from);
    else if (f.fallback !== undefined) out[f.name] = f.fallback;
    else out[f.name] = from[f.name] ?? (f.kind === "list" ? [] : f.kind === "choice" ? f.choices[0]! : f.kind === "text" ? "" : null);
  }
  return out;
}
