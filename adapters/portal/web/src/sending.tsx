// Elements that send files: a button, the whole page as a place to drop, and the list of files on their way.
import { useEffect, useRef, useState } from "preact/hooks";
import { useNow } from "./load";
import type { Limits } from "./partapi";
import { Link } from "./route";
import { Icon } from "./ui";
import { add, again, clear, drop, uploads, type Upload } from "./uploads";
import { bytes, plural } from "./words";

function UploadRow(props: { of: Upload; now: number }) {
  const { id, file, state } = props.of;
  const share = state.is === "sending" ? Math.round(state.share * 100) : 0;
  return (
    <li class="upload">
      <div class="stretch">
        <p><bdi class="strong">{file.name}</bdi> <span class="fine">{bytes(file.size)}</span></p>
        {state.is === "waiting" && <p class="fine">Waits for the files before it.</p>}
        {state.is === "paced" && (
          <p class="fine">
            The service takes a part every few seconds. This one follows
            in {Math.max(1, Math.ceil((state.until - props.now) / 1000))} s.
          </p>
        )}
        {state.is === "sending" && (
          <p class="fine">
            <progress max={100} value={share} aria-label={`${file.name} is sent`} />
            {share < 100 ? `${share} % sent` : "Sent. The service checks it."}
          </p>
        )}
        {state.is === "sent" && <p class="fine">Sent. <Link to={`/portal/parts/${state.partId}`}>Open it</Link>.</p>}
        {state.is === "refused" && (
          <p class="fault">
            {state.problem === null && "Not sent. "}{state.sentence}
            {state.problem !== null && state.problem.requestId !== "" && (
              <span class="fine"> Code <code>{state.problem.code}</code> · request <code>{state.problem.requestId}</code></span>
            )}
          </p>
        )}
      </div>
      {state.is === "refused" && state.problem !== null && (
        <button type="button" class="quiet" onClick={() => again(id)}>
          Try again<span class="unseen"> {file.name}</span>
        </button>
      )}
      <button type="button" class="icon" aria-label={state.is === "sent" || state.is === "refused"
        ? `Take ${file.name} off the list` : `Stop ${file.name}`} onClick={() => drop(id)}>
        <Icon name="cross" />
      </button>
    </li>
  );
}

// Uploads lists the files on their way.
export function Uploads() {
  const list = uploads.value;
  const now = useNow(1000);
  if (list.length === 0) return null;
  const ended = list.filter((u) => u.state.is === "sent").length;
  const left = list.filter((u) => u.state.is !== "sent" && u.state.is !== "refused").length;
  return (
    <section class="panel" aria-labelledby="uploads">
      <div class="split">
        <h2 id="uploads">Files</h2>
        {ended > 0 && <button type="button" class="quiet" onClick={clear}>Clear those that are sent</button>}
      </div>
      <p class="unseen" role="status">{plural(left, "file")} to send, {ended} sent.</p>
      <ul class="uploads">{list.map((u) => <UploadRow key={u.id} of={u} now={now} />)}</ul>
    </section>
  );
}

// FileButton chooses files and sends them: as new parts, or one as the file of a part that lacks it.
export function FileButton(props: { limits: Limits; main?: boolean; part?: string }) {
  const ref = useRef<HTMLInputElement>(null);
  return (
    <>
      <input ref={ref} type="file" multiple={!props.part} class="unseen" tabIndex={-1} aria-hidden="true" data-files
        accept={props.limits.extensions.flatMap((e) => [e, e + ".gz"]).join(",")}
        onChange={(e) => {
          add(e.currentTarget.files ?? [], props.limits, props.part);
          e.currentTarget.value = "";
        }} />
      <button type="button" class={props.main ? "main" : undefined} onClick={() => ref.current?.click()}>
        <Icon name="plus" />{props.part ? "Choose the file" : "Choose files"}
      </button>
    </>
  );
}

// Dropping takes files that are dropped anywhere on the page, as FileButton does, and says so.
export function Dropping(props: { limits: Limits | null; part?: string }) {
  const { limits, part } = props;
  const [over, setOver] = useState(false);
  useEffect(() => {
    if (!limits) return;
    let depth = 0; // dragenter and dragleave come for each element
    const hasFiles = (e: DragEvent) => e.dataTransfer?.types.includes("Files") ?? false;
    const enter = (e: DragEvent) => {
      if (hasFiles(e)) setOver(++depth > 0);
    };
    const leave = (e: DragEvent) => {
      if (hasFiles(e)) setOver(--depth > 0);
    };
    const hold = (e: DragEvent) => {
      if (hasFiles(e)) e.preventDefault();
    };
    const take = (e: DragEvent) => {
      if (!hasFiles(e)) return;
      e.preventDefault();
      depth = 0;
      setOver(false);
      add(e.dataTransfer?.files ?? [], limits, part);
    };
    addEventListener("dragenter", enter);
    addEventListener("dragleave", leave);
    addEventListener("dragover", hold);
    addEventListener("drop", take);
    return () => {
      removeEventListener("dragenter", enter);
      removeEventListener("dragleave", leave);
      removeEventListener("dragover", hold);
      removeEventListener("drop", take);
    };
  }, [limits, part]);
  return over ? <div class="dropping" role="status"><p>Let go to send {part ? "the file" : "the files"}.</p></div> : null;
}
