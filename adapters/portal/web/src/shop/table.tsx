// Lists of objects as tables: cutting data, cones.
import { valueAt, boundsFault, choiceName, made, type Doc, type Json } from "./schema";
import type { FieldProps } from "./form";
import { read, show } from "./units";

// extraColumns are figures that follow from a row, by the key of its list.
export const extraColumns: Record<string, (row: Doc, doc: Doc) => [string, string][]> = {};

// Table edits a list: a row for each entry, a column for each field.
export function Table(p: FieldProps & { value: Json | undefined; labelled: string }) {
  const { field, pointer, form, fixed } = p;
  const rows = (p.value ?? []) as Doc[];
  const extra = extraColumns[field.key];
  const heads = extra?.(made(field.fields), form.doc).map(([name]) => name) ?? [];
  return (
    <div class="scroll" role="group" aria-labelledby={p.labelled} tabIndex={0}>
      <table class="entries">
        <thead>
          <tr>
            {field.fields.map((f) => <th scope="col" key={f.name}>{f.label}<span class="fine">{f.unit}</span></th>)}
            {heads.map((h) => <th scope="col" key={h}>{h}</th>)}
            {!fixed && <th scope="col"><span class="unseen">Change the list</span></th>}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, i) => (
            <tr key={i} onFocusCapture={() => p.light?.(`${field.name}/${i}`)} onBlurCapture={() => p.light?.(null)}>
              {field.fields.map((f) => {
                const here = `${pointer}/${i}/${f.name}`;
                const name = `${f.label}, row ${i + 1}`;
                const value = valueAt(form.doc, here);
                if (f.kind === "choice") {
                  return (
                    <td key={f.name}>
                      <select aria-label={name} data-pointer={here} disabled={fixed} value={(value as string) ?? ""}
                        onChange={(e) => form.set(here, e.currentTarget.value)}>
                        {f.choices.map((c) => <option key={c} value={c}>{choiceName(c)}</option>)}
                      </select>
                      <span class="fault">{form.faults[here] ?? ""}</span>
                    </td>
                  );
                }
                const typed = form.typed[here];
                const got = typed === undefined ? value : read(typed, f.unit);
                const fault = typeof got === "string" ? got
                  : typeof got === "number" ? boundsFault(f, got) || form.faults[here] || "" : form.faults[here] ?? "";
                return (
                  <td key={f.name}>
                    <input type="text" inputMode="decimal" aria-label={name} data-pointer={here} readOnly={fixed}
                      aria-invalid={fault !== ""} value={typed ?? show(value, f.unit)}
                      onInput={(e) => form.type(here, e.currentTarget.value)}
                      onChange={(e) => {
                        const v = read(e.currentTarget.value, f.unit);
                        if (typeof v === "number") form.set(here, v);
                      }} />
                    <span class="fault" aria-live="polite">{fault}</span>
                  </td>
                );
              })}
              {extra?.(row, form.doc).map(([name, text]) => <td key={name} class="given">{text}</td>)}
              {!fixed && (
                <td>
                  <button type="button" class="tool" aria-label={`Remove row ${i + 1} of ${field.label}`}
                    onClick={() => form.set(pointer, rows.filter((_, at) => at !== i))}>Remove</button>
                </td>
              )}
            </tr>
          ))}
        </tbody>
      </table>
      {rows.length === 0 && <p class="fine">None</p>}
      {!fixed && (
        <button type="button" class="quiet" onClick={() => form.set(pointer, [...rows, { ...made(field.fields), ...rows.at(-1) }])}>
          Add a row
        </button>
      )}
    </div>
  );
}
