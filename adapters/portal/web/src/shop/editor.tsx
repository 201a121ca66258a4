// What the editors of cut configs and tool libraries share: saving, and the changes of another person.
import { useEffect, useState } from "preact/hooks";
import { Problem } from "../api";
import { over } from "../session";
import { Dialog, ProblemBox } from "../ui";
import type { Form } from "./form";
import { valueAt, choiceName, leaves, put, same, type Doc, type Field, type Json } from "./schema";
import { read, withUnit } from "./units";

// Saved is a record with the ETag under which it was read.
export interface Saved<T extends Doc> {
  data: T;
  tag: string;
}

// valueText is a value in a table of differences.
export function valueText(field: Field, v: Json | undefined): string {
  if (v === null || v === undefined || v === "") return "not set";
  if (typeof v === "boolean") return v ? "yes" : "no";
  if (typeof v === "number") return withUnit(v, field.unit);
  if (typeof v === "string") return choiceName(v);
  if (Array.isArray(v)) return v.length === 0 ? "none" : v.every((e) => typeof e === "string") ? v.join(", ") : `${v.length} rows`;
  return "set";
}

// differences lists the fields that differ between two documents.
export const differences = (fields: Field[], a: Doc, b: Doc) => {
  const all = new Map([...leaves(fields, a), ...leaves(fields, b)].map((f) => [f.pointer, f]));
  return [...all.values()].filter((f) => !same(valueAt(a, f.pointer), valueAt(b, f.pointer)));
};

// settled is the document with the figures that were typed and not left yet, or null where one is no figure.
export function settled(fields: Field[], form: Form): Doc | null {
  let doc = form.doc;
  const units = new Map<string, string>();
  for (const { field, pointer } of leaves(fields, doc)) {
    units.set(pointer, field.unit);
    for (const f of field.fields) units.set(`${pointer}/*/${f.name}`, f.unit);
  }
  for (const [pointer, text] of Object.entries(form.typed)) {
    const value = read(text, units.get(pointer) ?? units.get(pointer.replace(/\/\d+\//, "/*/")) ?? "");
    if (typeof value === "string") return null;
    doc = put(doc, pointer, value);
  }
  return doc;
}

// Meanwhile shows what another person changed since the record was read, and lets this one go on.
export function Meanwhile(props: {
  fields: Field[]; base: Doc; mine: Doc; now: Doc; what: string;
  nameOf?: (pointer: string) => string;
  keep: (doc: Doc) => void; drop: () => void; close: () => void;
}) {
  const theirs = differences(props.fields, props.base, props.now);
  const mine = differences(props.fields, props.base, props.mine);
  const merged = mine.reduce((doc, f) => put(doc, f.pointer, valueAt(props.mine, f.pointer) ?? null), props.now);
  return (
    <Dialog title={`Someone changed this ${props.what}`} close={props.close} wide>
      <p>It was changed after you opened it. Nothing of yours is saved or lost yet.</p>
      <div class="scroll" tabIndex={0} role="group" aria-label="What changed">
        <table class="figures" aria-label="What changed meanwhile">
          <thead><tr><th scope="col">Field</th><th scope="col">Was</th><th scope="col">Is now</th><th scope="col">Yours</th></tr></thead>
          <tbody>
            {theirs.map(({ field, pointer }) => (
              <tr key={pointer}>
                <th scope="row">{field.label}</th>
                <td>{valueText(field, valueAt(props.base, pointer))}</td>
                <td class="strong">{valueText(field, valueAt(props.now, pointer))}</td>
                <td>{mine.some((m) => m.pointer === pointer) ? valueText(field, valueAt(props.mine, pointer)) : "unchanged"}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {theirs.length === 0 && <p>Only values that this form does not show have changed.</p>}
      <footer>
        <button type="button" onClick={props.drop}>Take all of theirs</button>
        <button type="button" class="main" data-first onClick={() => props.keep(merged)}>
          {mine.length === 0 ? "Go on" : "Keep my changes with theirs"}
        </button>
      </footer>
    </Dialog>
  );
}

// useSave sends a document, puts faults at their fields, and finds out what is different after an answer 412.
export function useSave<T extends Doc>(p: {
  form: Form; read: () => Promise<Saved<T>>; write: (doc: Doc, tag: string) => Promise<Saved<T>>; done: (saved: Saved<T>) => void;
}) {
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<Problem | null>(null);
  const [tried, setTried] = useState(0); // times since the last save
  const [newer, setNewer] = useState<Saved<T> | null>(null);
  const run = async (doc: Doc | null, tag: string) => {
    setTried((n) => n + 1);
    if (!doc || busy) return;
    setBusy(true);
    setProblem(null);
    try {
      p.done(await p.write(doc, tag));
      setTried(0);
    } catch (e) {
      if (!(e instanceof Problem)) throw e;
      if (e.status === 412) {
        try {
          setNewer(await p.read());
        } catch (again) {
          setProblem(again as Problem);
        }
      } else if (e.faults.length > 0) p.form.blame(e.faults);
      else if (!over.value) setProblem(e);
    } finally {
      setBusy(false);
    }
  };
  return { busy, problem, tried, newer, setNewer, run };
}

// useGuard asks before a page with unsaved work is left.
export function useGuard(dirty: boolean): void {
  useEffect(() => {
    if (!dirty) return;
    const ask = (e: BeforeUnloadEvent) => e.preventDefault();
    addEventListener("beforeunload", ask);
    return () => removeEventListener("beforeunload", ask);
  }, [dirty]);
}

// SaveBar stays at the foot of a form.
export function SaveBar(props: { busy: boolean; dirty: number; problem: Problem | null; save: () => void; drop: () => void; label?: string }) {
  return (
    <div class="savebar">
      {props.problem && <ProblemBox title="Not saved." problem={props.problem} />}
      <p class="stretch" role="status">{props.dirty === 0 ? "No changes" : props.dirty === 1 ? "1 value changed" : `${props.dirty} values changed`}</p>
      <button type="button" disabled={props.dirty === 0 || props.busy} onClick={props.drop}>Discard</button>
      <button type="button" class="main" disabled={props.busy || props.dirty === 0} onClick={props.save}>{props.label ?? "Save"}</button>
    </div>
  );
}
