// A form made from a schema: groups of fields, with unit, default, bounds and where each value comes from.
import { useEffect, useId, useRef, useState } from "preact/hooks";
import type { Fault } from "../api";
import { Icon } from "../ui";
import {
  valueAt, boundsFault, boundsText, choiceName, groupName, groupOrder, made, put, same,
  type Doc, type Field, type Json,
} from "./schema";
import { Table } from "./table";
import { read, show, shownAs, withUnit } from "./units";

// FormState is what was typed into a form.
export interface FormState {
  doc: Doc; // the values so far
  typed: Record<string, string>; // by pointer: texts that are no values yet
  faults: Record<string, string>; // by pointer: what the service says of the values sent last
  origins: Record<string, string>; // by pointer: the record that a group was filled from
  set: (pointer: string, value: Json) => void;
  type: (pointer: string, text: string | null) => void;
}

const without = <T,>(of: Record<string, T>, pointer: string): Record<string, T> =>
  Object.fromEntries(Object.entries(of).filter(([at]) => at !== pointer && !at.startsWith(pointer + "/")));

// useForm keeps a document while it is edited.
export function useForm(start: Doc) {
  const [doc, setDoc] = useState(start);
  const [typed, setTyped] = useState<Record<string, string>>({});
  const [faults, setFaults] = useState<Record<string, string>>({});
  const [origins, setOrigins] = useState<Record<string, string>>({});
  return {
    doc, typed, faults, origins,
    set: (pointer: string, value: Json) => {
      setDoc((d) => put(d, pointer, value));
      setFaults((f) => without(f, pointer));
      setTyped((t) => without(t, pointer));
      setOrigins((o) => without(o, pointer));
    },
    type: (pointer: string, text: string | null) =>
      setTyped((t) => (text === null ? without(t, pointer) : { ...t, [pointer]: text })),
    blame: (all: Fault[]) => setFaults(Object.fromEntries(all.map((f) => [f.pointer, f.message]))),
    fill: (change: [string, Json][], origin: string) => {
      setDoc((d) => change.reduce((doc, [pointer, v]) => put(doc, pointer, v), d));
      setOrigins((o) => ({ ...o, ...Object.fromEntries(change.map(([pointer]) => [pointer, origin])) }));
      setTyped((t) => change.reduce((left, [pointer]) => without(left, pointer), t));
    },
    replace: (next: Doc) => {
      setDoc(next);
      setTyped({});
      setFaults({});
      setOrigins({});
    },
  };
}

export type Form = ReturnType<typeof useForm>;

// FieldProps are what every field needs of its form.
export interface FieldProps {
  field: Field;
  pointer: string;
  form: FormState;
  fixed?: boolean; // built-in: values can be read only
  guessed?: readonly string[]; // names of fields that a file did not state
  options?: Record<string, { id: string; name: string }[]>; // what the entries of lists can be, by key
  light?: (name: string | null) => void; // tells a drawing which field has the focus
}

// faultOf is what is wrong with a field: its text, its bounds, what the service says.
export function faultOf(field: Field, pointer: string, form: FormState): string {
  const typed = form.typed[pointer];
  const value = valueAt(form.doc, pointer);
  if (typed !== undefined) {
    const got = read(typed, field.unit);
    return typeof got === "string" ? got : boundsFault(field, got);
  }
  if ((field.kind === "number" || field.kind === "whole") && typeof value === "number") {
    const fault = boundsFault(field, value);
    if (fault !== "") return fault;
  }
  return form.faults[pointer] ?? "";
}

// origin says where a value comes from.
function origin(p: FieldProps): string {
  const value = valueAt(p.form.doc, p.pointer);
  if (p.guessed?.includes(p.field.name)) return "Guessed at import";
  if (p.form.typed[p.pointer] !== undefined) return "Own value";
  const from = p.form.origins[p.pointer];
  if (from !== undefined) return `From ${from}`;
  if (p.fixed) return "Built in";
  if (p.field.fallback !== undefined && same(value, p.field.fallback)) return "Default";
  return value === null || value === undefined || value === "" ? "Not set" : "Own value";
}

const fallbackText = (f: Field): string => {
  if (f.fallback === undefined) return "";
  if (f.fallback === null) return "not set";
  if (typeof f.fallback === "boolean") return f.fallback ? "yes" : "no";
  if (Array.isArray(f.fallback)) return "";
  return typeof f.fallback === "number" ? withUnit(f.fallback, f.unit) : choiceName(f.fallback as string);
};

// FieldRow is one field with its label, hints and fault.
export function FieldRow(p: FieldProps) {
  const { field, pointer, form } = p;
  const id = useId();
  if (field.kind === "object") return <ObjectRow {...p} />;
  const value = valueAt(form.doc, pointer);
  const fault = faultOf(field, pointer, form);
  const where = origin(p);
  const changed = field.fallback !== undefined && field.fallback !== "" && (!same(value, field.fallback) || form.typed[pointer] !== undefined);
  const described = `${id}t ${id}b ${id}f`;
  const shared = {
    id, "aria-describedby": described, "aria-invalid": fault !== "", "data-pointer": pointer,
    onFocus: () => p.light?.(field.name), onBlur: () => p.light?.(null),
  };
  return (
    <div class={"field formfield" + (fault !== "" ? " wrong" : "")} data-key={field.key}>
      <div class="fieldhead">
        {field.kind === "list"
          ? <span class="strong" id={id + "l"}>{field.label}</span>
          : <label for={id}>{field.label}</label>}
        <span class={"origin" + (where === "Guessed at import" ? " warn" : "")}>{where}</span>
      </div>
      <Input {...p} shared={shared} value={value} labelled={id + "l"} />
      <p class="hint" id={id + "b"}>
        {[boundsText(field), fallbackText(field) !== "" && `default ${fallbackText(field)}`].filter(Boolean).join(" · ")}
        {changed && !p.fixed && (
          <button type="button" class="tool" aria-label={`Back to default: ${field.label}`}
            onClick={() => form.set(pointer, field.fallback!)}>
            Back to default
          </button>
        )}
      </p>
      <p class="fine" id={id + "t"}>{field.text}</p>
      <p class="fault" id={id + "f"} aria-live="polite">{fault}</p>
    </div>
  );
}

function Input(p: FieldProps & { shared: object; value: Json | undefined; labelled: string }) {
  const { field, pointer, form, value, shared, fixed } = p;
  switch (field.kind) {
    case "switch":
      if (field.nullable && field.fallback === null) {
        return (
          <select {...shared} disabled={fixed} value={value === true ? "yes" : value === false ? "no" : ""}
            onChange={(e) => form.set(pointer, e.currentTarget.value === "" ? null : e.currentTarget.value === "yes")}>
            <option value="">Not known</option><option value="yes">Yes</option><option value="no">No</option>
          </select>
        );
      }
      return (
        <span class="switch">
          <input {...shared} type="checkbox" checked={value === true} disabled={fixed}
            onChange={(e) => form.set(pointer, e.currentTarget.checked)} />
          {value === true ? "Yes" : "No"}
        </span>
      );
    case "choice":
      return (
        <select {...shared} disabled={fixed} value={(value as string | null) ?? ""}
          onChange={(e) => form.set(pointer, e.currentTarget.value === "" ? null : e.currentTarget.value)}>
          {(value === undefined || value === null || field.nullable) && <option value="">Not known</option>}
          {field.choices.map((c) => <option key={c} value={c}>{choiceName(c)}</option>)}
        </select>
      );
    case "list":
      if (field.fields.length > 0) return <Table {...p} />;
      return <Choices {...p} />;
    case "text":
      return (
        <input {...shared} type="text" autocomplete="off" maxLength={field.maxLength || undefined} readOnly={fixed}
          value={(value as string | null) ?? ""} placeholder={show(field.fallback)}
          onInput={(e) => form.set(pointer, e.currentTarget.value)} />
      );
    default:
      return <NumberInput {...p} />;
  }
}

// NumberInput takes a figure with or without a unit. Empty means the default.
function NumberInput(p: FieldProps & { shared: object; value: Json | undefined }) {
  const { field, pointer, form, shared, fixed } = p;
  const typed = form.typed[pointer];
  const settle = () => {
    if (typed === undefined) return;
    const got = read(typed, field.unit);
    if (typeof got === "number") form.set(pointer, got);
  };
  return (
    <span class="figurefield">
      <input {...shared} type="text" inputMode="decimal" autocomplete="off" readOnly={fixed}
        value={typed ?? show(p.value, field.unit)} placeholder={fallbackText(field) || (field.required ? "required" : "not set")}
        onInput={(e) => {
          const text = e.currentTarget.value;
          if (text.trim() === "" && field.fallback !== undefined) form.set(pointer, field.fallback);
          form.type(pointer, text.trim() === "" ? (field.fallback === undefined ? text : null) : text);
        }}
        onChange={settle}
        onKeyDown={(e) => e.key === "Enter" && settle()} />
      {field.unit !== "" && <span class="unit">{shownAs(field.unit).unit}</span>}
    </span>
  );
}

// Choices ticks the entries of a list, in order.
function Choices(p: FieldProps & { value: Json | undefined; labelled: string }) {
  const { field, pointer, form, fixed } = p;
  const chosen = ((p.value ?? []) as string[]).slice();
  const known = p.options?.[field.key] ?? [];
  const rest = known.filter((o) => !chosen.includes(o.id));
  const move = (from: number, to: number) => {
    const next = chosen.slice();
    next.splice(to, 0, ...next.splice(from, 1));
    form.set(pointer, next);
  };
  const nameOf = (id: string) => known.find((o) => o.id === id)?.name ?? id;
  return (
    <div role="group" aria-labelledby={p.labelled}>
      <ol class="chosen">
        {chosen.map((id, i) => (
          <li key={id}>
            <bdi class="stretch">{nameOf(id)}</bdi>
            {form.faults[`${pointer}/${i}`] && <span class="fault">{form.faults[`${pointer}/${i}`]}</span>}
            {!fixed && (
              <>
                <button type="button" class="tool" disabled={i === 0} aria-label={`Up: ${nameOf(id)}`}
                  onClick={() => move(i, i - 1)}>Up</button>
                <button type="button" class="tool" aria-label={`Leave out: ${nameOf(id)}`}
                  onClick={() => form.set(pointer, chosen.filter((c) => c !== id))}>Leave out</button>
              </>
            )}
          </li>
        ))}
        {chosen.length === 0 && <li class="fine">None</li>}
      </ol>
      {!fixed && rest.length > 0 && (
        <select aria-label={`Add to ${field.label}`} value="" class="add"
          onChange={(e) => e.currentTarget.value !== "" && form.set(pointer, [...chosen, e.currentTarget.value])}>
          <option value="">Add…</option>
          {rest.map((o) => <option key={o.id} value={o.id}>{o.name}</option>)}
        </select>
      )}
    </div>
  );
}

// ObjectRow shows the fields of an object, and a switch where the object may be missing.
function ObjectRow(p: FieldProps) {
  const { field, pointer, form } = p;
  const id = useId();
  const value = valueAt(form.doc, pointer);
  const there = value !== null && value !== undefined;
  const above = valueAt(form.doc, pointer.slice(0, pointer.lastIndexOf("/")));
  return (
    <div class={field.nullable ? "object" : "objectplain"} data-key={field.key}>
      {field.nullable && (
        <div class="field formfield">
          <div class="fieldhead">
            <label for={id}>{field.label}</label>
            <span class="origin">{origin(p)}</span>
          </div>
          <span class="switch">
            <input id={id} type="checkbox" checked={there} disabled={p.fixed} aria-describedby={id + "t"}
              onChange={(e) => form.set(pointer, e.currentTarget.checked ? filled(field, above as Doc) : null)} />
            {there ? "Set" : "Not set"}
          </span>
          <p class="hint">{field.fallback !== undefined && "default not set"}</p>
          <p class="fine" id={id + "t"}>{field.text}</p>
          <p class="fault" aria-live="polite">{form.faults[pointer] ?? ""}</p>
        </div>
      )}
      {there && field.fields.map((f) => <FieldRow key={f.name} {...p} field={f} pointer={`${pointer}/${f.name}`} />)}
    </div>
  );
}

// filled is a new object; limits of axes begin with those of the machine.
function filled(field: Field, above: Doc): Doc {
  const out = made(field.fields, above);
  for (const f of field.fields) if (f.kind === "list" && f.fields.length > 0) out[f.name] = [made(f.fields, {})];
  return out;
}

const words = (f: Field): string =>
  [f.label, f.name, f.text, ...f.choices.map(choiceName), ...f.fields.map(words)].join(" ").toLowerCase();

// Groups shows all fields of a form by their topics. What is rarely changed is folded, and a search unfolds it.
export function Groups(p: Omit<FieldProps, "field" | "pointer"> & {
  fields: Field[];
  search: string;
  above?: string; // pointer of the document that the fields are of
  head?: (group: string, fields: Field[]) => preact.JSX.Element | null;
}) {
  const wanted = p.search.trim().toLowerCase();
  // An object whose fields have several topics is shown by field.
  const flat = (fields: Field[], pointer: string): { field: Field; pointer: string }[] => fields.flatMap((field) => {
    const here = `${pointer}/${field.name}`;
    return field.kind === "object" && !field.nullable ? flat(field.fields, here) : [{ field, pointer: here }];
  });
  const all = flat(p.fields, p.above ?? "").filter((f) => wanted === "" || words(f.field).includes(wanted));
  const groups = [...new Set(all.map((f) => f.field.group))]
    .sort((a, b) => (groupOrder.indexOf(a) + 99) % 99 - (groupOrder.indexOf(b) + 99) % 99);
  if (all.length === 0) return <p class="panel">No field has “{p.search}” in its name or text.</p>;
  return (
    <>
      {groups.map((group) => {
        const mine = all.filter((f) => f.field.group === group);
        const wrong = (f: { field: Field; pointer: string }) =>
          faultOf(f.field, f.pointer, p.form) !== "" || Object.keys(p.form.faults).some((at) => at.startsWith(f.pointer + "/"));
        const rare = wanted === "" ? mine.filter((f) => f.field.rare) : [];
        const row = (f: { field: Field; pointer: string }) =>
          <FieldRow key={f.pointer} {...p} field={f.field} pointer={f.pointer} />;
        return (
          <section class="panel formgroup" key={group} aria-label={groupName(group)}>
            <div class="split">
              <h2>{groupName(group)}</h2>
              {p.head?.(group, mine.map((f) => f.field))}
            </div>
            <div class="formgrid">{mine.filter((f) => !rare.includes(f)).map(row)}</div>
            {rare.length > 0 && (
              <details open={rare.some(wrong)}>
                <summary>Rarely changed ({rare.length})</summary>
                <div class="formgrid">{rare.map(row)}</div>
              </details>
            )}
          </section>
        );
      })}
    </>
  );
}

// FaultList says at the top of a form which fields are wrong, with a way to each.
// Each try to save brings it into sight, as the button is at the foot of the form.
export function FaultList(props: { form: FormState; fields: { field: Field; pointer: string }[]; tries: number }) {
  const box = useRef<HTMLDivElement>(null);
  const wrong = props.fields.map((f) => ({ ...f, fault: faultOf(f.field, f.pointer, props.form) })).filter((f) => f.fault !== "");
  const placed = new Set(props.fields.map((f) => f.pointer));
  const rest = Object.entries(props.form.faults).filter(([pointer]) => !placed.has(pointer));
  const none = wrong.length + rest.length === 0;
  useEffect(() => {
    if (props.tries > 0) box.current?.scrollIntoView({ block: "center" });
  }, [props.tries, none]);
  if (none) return null;
  return (
    <div class="problem" role="alert" ref={box}>
      <Icon name="warning" />
      <div class="stretch">
        <p class="strong">Not saved: {wrong.length + rest.length === 1 ? "one value is wrong." : `${wrong.length + rest.length} values are wrong.`}</p>
        <ul>
          {wrong.map((f) => (
            <li key={f.pointer}>
              <button type="button" class="link" onClick={() => {
                const to = document.querySelector<HTMLElement>(`[data-pointer="${CSS.escape(f.pointer)}"]`);
                to?.closest("details")?.setAttribute("open", "");
                to?.focus();
              }}>{f.field.label}</button>: {f.fault}
            </li>
          ))}
          {rest.map(([pointer, message]) => <li key={pointer}>{message}</li>)}
        </ul>
      </div>
    </div>
  );
}
