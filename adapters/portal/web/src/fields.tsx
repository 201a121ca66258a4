// Fields of the forms of keys.
import { useId } from "preact/hooks";
import type { GridFunction } from "./api";
import { faults } from "./origin";
import { date, day } from "./time";
import { Icon } from "./ui";
import { capital } from "./words";

export function NameField(props: { value: string; set: (v: string) => void; fault: string }) {
  const id = useId();
  return (
    <div class="field">
      <label for={id}>Name</label>
      <p class="fine" id={id + "h"}>The program or the machine that uses the key, such as “nightly quotes”.</p>
      <input id={id} type="text" autocomplete="off" maxLength={200} value={props.value} data-first required
        aria-describedby={`${id}h ${id}f`} aria-invalid={props.fault !== ""}
        onInput={(e) => props.set(e.currentTarget.value)} />
      <p class="fault" id={id + "f"}>{props.fault}</p>
    </div>
  );
}

// fullGrid ticks every box.
export const fullGrid = (functions: GridFunction[]) =>
  Object.fromEntries(functions.map((f) => [f.id, f.levels.at(-1) ?? ""]));

// GridField is a table of boxes. A level includes the lower ones, so a box ticks those before it.
export function GridField(props: {
  functions: GridFunction[];
  value: Record<string, string>;
  set: (v: Record<string, string>) => void;
}) {
  const levels = [...new Set(props.functions.flatMap((f) => f.levels.slice(1)))];
  const cell = (f: GridFunction, level: string) => {
    const at = f.levels.indexOf(level);
    if (at < 0) return <td key={level} />;
    const has = f.levels.indexOf(props.value[f.id] ?? "");
    const locked = f.locked !== undefined && at <= f.levels.indexOf(f.locked);
    return (
      <td key={level}>
        <label class="box">
          <input type="checkbox" checked={has >= at} disabled={locked}
            onChange={(e) =>
              props.set({ ...props.value, [f.id]: f.levels[e.currentTarget.checked ? at : at - 1]! })} />
          <span class="unseen">{f.id}: {level}</span>
        </label>
      </td>
    );
  };
  const locked = props.functions.filter((f) => f.locked !== undefined);
  return (
    <fieldset class="field">
      <legend>What the key may do</legend>
      <table class="grid">
        <thead>
          <tr><th scope="col">Area</th>{levels.map((l) => <th scope="col" key={l}>{capital(l)}</th>)}</tr>
        </thead>
        <tbody>
          {props.functions.map((f) => (
            <tr key={f.id}>
              <th scope="row"><span class="strong">{f.id}</span><span class="fine">{f.label}</span></th>
              {levels.map((l) => cell(f, l))}
            </tr>
          ))}
        </tbody>
      </table>
      <p class="fine">
        Write includes read.
        {locked.map((f) => ` Every key may ${f.locked} in ${f.id}, so that it can follow its jobs.`)}
      </p>
    </fieldset>
  );
}

// expiries are the ends that a key can have: days from now, or never.
const expiries: [string, number | null][] = [["30 days", 30], ["90 days", 90], ["1 year", 365], ["Never", null]];

// ExpiryField chooses an end in days from now, null for never, or "keep" for the end that a key has.
export function ExpiryField(props: {
  value: number | null | "keep";
  set: (v: number | null | "keep") => void;
  keep?: string; // the end that the key has, in words
}) {
  const group = useId();
  const options: [string, number | null | "keep"][] = [...expiries];
  if (props.keep !== undefined) options.unshift([`As it is: ${props.keep}`, "keep"]);
  const { value } = props;
  return (
    <fieldset class="field">
      <legend>Ends</legend>
      <div class="choices">
        {options.map(([label, v]) => (
          <label key={label} class={v === "keep" ? "choice long" : "choice"}>
            <input type="radio" name={group} checked={value === v} onChange={() => props.set(v)} />{label}
          </label>
        ))}
      </div>
      <p class="fine">
        {typeof value === "number" && `The key works until ${date(Date.now() + value * day)}.`}
        {value === "keep" && "The end does not change."}
        {value === null && "A key without an end works until you revoke it. Prefer an end and roll the key."}
      </p>
    </fieldset>
  );
}

export function OriginsField(props: { value: string; set: (v: string) => void }) {
  const id = useId();
  const wrong = faults(props.value);
  return (
    <div class="field">
      <label for={id}>Origins of web pages</label>
      <p class="fine" id={id + "h"}>One a line. Leave it empty when only programs use the key.</p>
      <textarea id={id} rows={3} spellcheck={false} autocomplete="off" value={props.value}
        placeholder="https://shop.example" aria-describedby={`${id}h ${id}w ${id}f`} aria-invalid={wrong.length > 0}
        onInput={(e) => props.set(e.currentTarget.value)} />
      <div class="fault" id={id + "f"} aria-live="polite">{wrong.map((w) => <p key={w}>{w}</p>)}</div>
      <div id={id + "w"} aria-live="polite">
        {props.value.trim() !== "" && (
          <p class="warning">
            <Icon name="warning" />
            <span>Every visitor of these pages can read the key. Let it do no more than a visitor may do.</span>
          </p>
        )}
      </div>
    </div>
  );
}
