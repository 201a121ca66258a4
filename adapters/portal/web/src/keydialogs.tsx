// Dialogs that make, change and end keys.
import { useId, useRef, useState } from "preact/hooks";
import { api, type GridFunction, type Key, type KeyChange } from "./api";
import { ExpiryField, fullGrid, GridField, NameField, OriginsField } from "./fields";
import { useNow, useSend, type Loaded } from "./load";
import { faults, lines } from "./origin";
import { state } from "./session";
import { countdown, date, day, moment } from "./time";
import { Command, Copy, Dialog, Icon, ProblemBox, Waiting } from "./ui";

const nameFault = (name: string) => (name.trim() === "" ? "Give the key a name." : "");

// showFault moves the focus to the first field with a fault, once the faults are on the page.
function showFault(form: HTMLFormElement): void {
  setTimeout(() => form.querySelector<HTMLElement>("[aria-invalid=true]")?.focus());
}

// curl returns a request that reads the key from the environment, never the text of a key.
export function curl(): string {
  const base = state.value.is === "in" ? state.value.session.publicUrl.replace(/\/$/, "") : location.origin;
  return `curl -sS -H "Authorization: Bearer $KEY" ${base}/v1/parts`;
}

// KeyText shows the text of a new key. The text is nowhere once the dialog is closed.
export function KeyText(props: { title: string; created: Key; text: string; old?: Key; close: () => void }) {
  const ref = useRef<HTMLElement>(null);
  const [stored, setStored] = useState(false);
  const [warned, warn] = useState(false);
  const now = useNow(1000);
  const mayClose = () => {
    if (stored || warned) return true;
    warn(true);
    return false;
  };
  const { old } = props;
  return (
    <Dialog title={props.title} close={props.close} mayClose={mayClose} wide>
      <p>This is the text of <bdi class="strong">{props.created.name}</bdi>. It is shown only here and only now.</p>
      <div class="secret">
        <code ref={ref} tabIndex={0} data-first data-key-text>{props.text}</code>
        <Copy text={props.text} label="Copy the text" source={() => ref.current} done={() => setStored(true)} />
      </div>
      {old && (
        <p>
          {old.endsAt && Date.parse(old.endsAt) > now
            ? (
              <>
                The old text <code>{old.prefix}…</code> stops in{" "}
                <span class="clock">{countdown(Date.parse(old.endsAt) - now)}</span>, at {moment(old.endsAt)}.
              </>
            )
            : <>The old text <code>{old.prefix}…</code> no longer works.</>}
        </p>
      )}
      <p>To try it, put the text into <code>KEY</code> and call the service:</p>
      <Command label="Call with the key" text={`read -rs KEY    # paste the text, then press Enter\n${curl()}`} />
      <div aria-live="assertive">
        {warned && (
          <p class="warning">
            <Icon name="warning" />
            <span>The text is not copied. When you close this, nobody can read it again. Close again to confirm.</span>
          </p>
        )}
      </div>
      <footer>
        <button type="button" class="main" onClick={props.close}>I stored it</button>
      </footer>
    </Dialog>
  );
}

export function NewKey(props: { grid: Loaded<{ functions: GridFunction[] }>; close: () => void; made: () => void }) {
  const { grid } = props;
  const [name, setName] = useState("");
  const [boxes, setBoxes] = useState<Record<string, string> | null>(null);
  const [days, setDays] = useState<number | null>(90);
  const [origins, setOrigins] = useState("");
  const [tried, setTried] = useState(false);
  const [result, setResult] = useState<{ key: Key; text: string } | null>(null);
  const send = useSend();
  if (result) {
    return <KeyText title="Store the text of the key" created={result.key} text={result.text} close={props.close} />;
  }
  const submit = (e: Event) => {
    e.preventDefault();
    setTried(true);
    if (!grid.data || send.busy || nameFault(name) !== "" || faults(origins).length > 0) {
      showFault(e.currentTarget as HTMLFormElement);
      return;
    }
    const access = boxes ?? fullGrid(grid.data.functions);
    void send.run(async () => {
      const wanted = { name: name.trim(), grid: access, origins: lines(origins), expiresInDays: days };
      setResult(await api.createKey(wanted));
      props.made();
    });
  };
  return (
    <Dialog title="New key" close={props.close}>
      <form noValidate onSubmit={submit}>
        <NameField value={name} set={setName} fault={tried ? nameFault(name) : ""} />
        {grid.data && (
          <GridField functions={grid.data.functions} value={boxes ?? fullGrid(grid.data.functions)} set={setBoxes} />
        )}
        {grid.problem && <ProblemBox problem={grid.problem} retry={() => void grid.again()} />}
        {!grid.data && !grid.problem && <Waiting what="The areas of the service load." />}
        <ExpiryField value={days} set={(v) => v !== "keep" && setDays(v)} />
        <OriginsField value={origins} set={setOrigins} />
        {send.problem && <ProblemBox title="The key is not created." problem={send.problem} />}
        <footer>
          <button type="button" class="quiet" onClick={props.close}>Cancel</button>
          <button type="submit" class="main" disabled={!grid.data || send.busy}>Create key</button>
        </footer>
      </form>
    </Dialog>
  );
}

export function EditKey(props: { edited: Key; close: () => void; saved: (key: Key) => void }) {
  const { edited } = props;
  const [name, setName] = useState(edited.name);
  const [origins, setOrigins] = useState(edited.origins.join("\n"));
  const [ends, setEnds] = useState<number | null | "keep">("keep");
  const send = useSend();
  const submit = (e: Event) => {
    e.preventDefault();
    if (send.busy || nameFault(name) !== "" || faults(origins).length > 0) {
      showFault(e.currentTarget as HTMLFormElement);
      return;
    }
    const change: KeyChange = {};
    if (name.trim() !== edited.name) change.name = name.trim();
    if (lines(origins).join("\n") !== edited.origins.join("\n")) change.origins = lines(origins);
    if (ends !== "keep") change.expiresAt = ends === null ? null : new Date(Date.now() + ends * day).toISOString();
    if (Object.keys(change).length === 0) {
      props.close();
      return;
    }
    void send.run(async () => props.saved(await api.changeKey(edited.id, change)));
  };
  return (
    <Dialog title="Change key" close={props.close}>
      <form noValidate onSubmit={submit}>
        <NameField value={name} set={setName} fault={nameFault(name)} />
        <ExpiryField value={ends} set={setEnds} keep={edited.expiresAt ? date(edited.expiresAt) : "never"} />
        <OriginsField value={origins} set={setOrigins} />
        {send.problem && <ProblemBox title="The key is not changed." problem={send.problem} />}
        <footer>
          <button type="button" class="quiet" onClick={props.close}>Cancel</button>
          <button type="submit" class="main" disabled={send.busy}>Save</button>
        </footer>
      </form>
    </Dialog>
  );
}

// graces are the times (hours) that an old text works on.
const graces: [number, string, string][] = [
  [24, "24 hours more", "Time to change every program that uses it."],
  [1, "1 hour more", "For programs that you change now."],
  [0, "Not at all", "The text is in wrong hands. Programs that use it fail until they have the new one."],
];

export function RollKey(props: { rolled: Key; close: () => void; made: () => void }) {
  const { rolled } = props;
  const group = useId();
  const [hours, setHours] = useState(24);
  const [result, setResult] = useState<{ key: Key; text: string; old: Key } | null>(null);
  const send = useSend();
  if (result) {
    return (
      <KeyText title="Store the new text" created={result.key} text={result.text} old={result.old}
        close={props.close} />
    );
  }
  const submit = (e: Event) => {
    e.preventDefault();
    if (send.busy) return;
    void send.run(async () => {
      setResult(await api.rollKey(rolled.id, hours));
      props.made();
    });
  };
  return (
    <Dialog title="Roll key" close={props.close}>
      <form onSubmit={submit}>
        <p><bdi class="strong">{rolled.name}</bdi> gets a new text. What it may do and its origins stay.</p>
        <fieldset class="field">
          <legend>The old text <code>{rolled.prefix}…</code> works</legend>
          {graces.map(([h, label, why]) => (
            <label key={h} class="choice tall">
              <input type="radio" name={group} checked={hours === h} data-first={h === 24}
                onChange={() => setHours(h)} />
              <span>{label}<span class="fine">{why}</span></span>
            </label>
          ))}
        </fieldset>
        {send.problem && <ProblemBox title="The key is not rolled." problem={send.problem} />}
        <footer>
          <button type="button" class="quiet" onClick={props.close}>Cancel</button>
          <button type="submit" class="main" disabled={send.busy}>Roll key</button>
        </footer>
      </form>
    </Dialog>
  );
}

// RevokeKey asks for the name of the key. An old text that ends anyway is ended without it.
export function RevokeKey(props: { revoked: Key; close: () => void; done: (key: Key) => void }) {
  const { revoked } = props;
  const ending = revoked.state === "ending";
  const id = useId();
  const [typed, setTyped] = useState("");
  const send = useSend();
  const named = ending || typed.trim() === revoked.name;
  const submit = (e: Event) => {
    e.preventDefault();
    if (!named || send.busy) return;
    void send.run(async () => props.done(await api.revokeKey(revoked.id, revoked.name)));
  };
  return (
    <Dialog title={ending ? "End the old text" : "Revoke key"} close={props.close}>
      <form onSubmit={submit}>
        <p>
          <bdi class="strong">{revoked.name}</bdi> with the text <code>{revoked.prefix}…</code> stops at its next
          request. {ending ? "The new text goes on working." : "This cannot be undone."}
        </p>
        {!ending && (
          <div class="field">
            <label for={id}>Type the name of the key: <bdi class="strong">{revoked.name}</bdi></label>
            <input id={id} type="text" autocomplete="off" spellcheck={false} value={typed} data-first
              onInput={(e) => setTyped(e.currentTarget.value)} />
          </div>
        )}
        {send.problem && <ProblemBox title="The key still works." problem={send.problem} />}
        <footer>
          <button type="button" class="quiet" onClick={props.close}>Cancel</button>
          <button type="submit" class="danger" disabled={!named || send.busy} data-first={ending}>
            {ending ? "End it now" : "Revoke key"}
          </button>
        </footer>
      </form>
    </Dialog>
  );
}
