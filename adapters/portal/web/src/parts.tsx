// The page of all parts of a team. Files can be dropped anywhere on it.
import { useEffect, useRef, useState } from "preact/hooks";
import { useLoad, useNow, useSend } from "./load";
import { pageSize, parts, thumbnailOf, type Limits, type PartRecord } from "./partapi";
import { DeletePart, RenamePart } from "./partdialogs";
import { Link, query, setQuery } from "./route";
import { notice } from "./session";
import { moment, span } from "./time";
import { Icon, Page, ProblemBox, Waiting } from "./ui";
import { add, addExample, again, arrived, clear, drop, uploads, type Upload } from "./uploads";
import { bytes, plural } from "./words";

// pollTime (ms) is the time between two reads of a list in which something moves.
const pollTime = 5000;

const statusNames = { pending: "Not sent", processing: "Processing", ready: "Ready", failed: "Failed" };

// StatusBadge names the state of a part.
export function StatusBadge(props: { of: PartRecord["status"] }) {
  const tone = props.of === "ready" ? " good" : props.of === "failed" ? " bad" : props.of === "processing" ? " warn" : "";
  return <span class={"badge" + tone}>{statusNames[props.of]}</span>;
}

// Thumbnail shows a part, or its format where there is no picture.
export function Thumbnail(props: { of: PartRecord }) {
  const [gone, setGone] = useState(false);
  const p = props.of;
  if (p.status !== "ready" || gone) {
    const ext = /\.([a-z0-9_]+)(?:\.gz)?$/i.exec(p.fileName)?.[1] ?? "";
    return <span class="thumb none" aria-hidden="true">{ext.slice(0, 5)}</span>;
  }
  return (
    <img class="thumb" src={thumbnailOf(p.id, p.jobId ?? "")} alt="" width="72" height="72" loading="lazy"
      onError={() => setGone(true)} />
  );
}

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

function Uploads() {
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

// Drop is the place that says what can be dropped; the whole page takes it.
function FileButton(props: { limits: Limits; main?: boolean }) {
  const ref = useRef<HTMLInputElement>(null);
  return (
    <>
      <input ref={ref} type="file" multiple class="unseen" tabIndex={-1} aria-hidden="true" data-files
        accept={props.limits.extensions.flatMap((e) => [e, e + ".gz"]).join(",")}
        onChange={(e) => {
          add(e.currentTarget.files ?? [], props.limits);
          e.currentTarget.value = "";
        }} />
      <button type="button" class={props.main ? "main" : undefined} onClick={() => ref.current?.click()}>
        <Icon name="plus" />Choose files
      </button>
    </>
  );
}

function useDrop(limits: Limits | null): boolean {
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
      add(e.dataTransfer?.files ?? [], limits);
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
  }, [limits]);
  return over;
}

function Row(props: { of: PartRecord; now: number; rename: () => void; remove: () => void }) {
  const p = props.of;
  return (
    <tr>
      <th scope="row">
        <div class="named">
          <Thumbnail of={p} />
          <div>
            <Link to={`/portal/parts/${p.id}`} class="strong"><bdi>{p.fileName}</bdi></Link>
            <span class="fine">{p.sizeBytes === null ? "" : bytes(p.sizeBytes)}</span>
          </div>
        </div>
      </th>
      <td data-label="State">
        <StatusBadge of={p.status} />
        {p.status === "failed" && <span class="fine clamp">{p.failureReason}</span>}
        {p.status === "ready" && p.warnings.length > 0 && (
          <span class="fine">{plural(p.warnings.length, "warning")}</span>
        )}
        {p.status === "pending" && <span class="fine">The file has not arrived.</span>}
      </td>
      <td data-label="Added"><time dateTime={p.createdAt} title={moment(p.createdAt)}>{span(p.createdAt, props.now)}</time></td>
      <td class="tools">
        <div>
          <button type="button" class="tool" onClick={props.rename}>
            Rename<span class="unseen"> {p.fileName}</span>
          </button>
          <button type="button" class="tool" onClick={props.remove}>
            Delete<span class="unseen"> {p.fileName}</span>
          </button>
        </div>
      </td>
    </tr>
  );
}

// Pages leads to the other pages of a list, by the value "page" of the query.
export function Pages(props: { page: number; total: number }) {
  const last = Math.max(1, Math.ceil(props.total / pageSize));
  if (last === 1) return null;
  const go = (page: number) => setQuery({ page: page === 1 ? null : String(page) });
  return (
    <nav class="pages" aria-label="Pages of the list">
      <button type="button" class="quiet" disabled={props.page <= 1} onClick={() => go(props.page - 1)}>Newer</button>
      <span>Page {props.page} of {last}</span>
      <button type="button" class="quiet" disabled={props.page >= last} onClick={() => go(props.page + 1)}>Older</button>
    </nav>
  );
}

function NoParts(props: { limits: Limits; start: ReturnType<typeof useSend> }) {
  return (
    <div class="empty">
      <Icon name="part" />
      <h2>Drop a part here</h2>
      <p>
        The service reads {props.limits.extensions.join(" ")}, also packed with gzip, up
        to {bytes(props.limits.maxUpload)} each. STEP is the best choice.
      </p>
      <div class="row">
        <FileButton limits={props.limits} main />
        {props.limits.example !== "" && (
          <button type="button" disabled={props.start.busy}
            onClick={() => void props.start.run(() => addExample(props.limits))}>
            Try the bracket
          </button>
        )}
      </div>
    </div>
  );
}

export function Parts() {
  const at = query.value;
  const page = Math.max(1, Number(at.get("page")) || 1), status = at.get("status") ?? "", q = at.get("q") ?? "";
  const list = useLoad(`parts ${page} ${status} ${q}`, () => parts.list(page, status, q));
  const limits = useLoad("limits", parts.limits);
  const start = useSend();
  const over = useDrop(limits.data);
  const now = useNow(30_000);
  const [doing, act] = useState<{ what: "rename" | "delete"; part: PartRecord } | null>(null);
  const [typed, setTyped] = useState(q);

  const moving = list.data?.items.some((p) => p.status === "processing") ?? false;
  useEffect(() => {
    if (!moving) return;
    const timer = setInterval(() => {
      if (!document.hidden) void list.again();
    }, pollTime);
    return () => clearInterval(timer);
  }, [moving, list.again]);
  const sent = arrived.value;
  useEffect(() => {
    if (sent > 0) void list.again();
  }, [sent]);
  useEffect(() => {
    if (typed === q) return;
    const timer = setTimeout(() => setQuery({ q: typed === "" ? null : typed, page: null }), 250);
    return () => clearTimeout(timer);
  }, [typed]);

  const filtered = status !== "" || q !== "";
  const none = list.data !== null && list.data.total === 0;
  const done = async (sentence: string) => {
    await list.again();
    notice.value = sentence;
    act(null);
  };
  return (
    <Page title="Parts" lead="Drop CAD files anywhere on this page."
      actions={limits.data && !(none && !filtered) && (
        <>
          {limits.data.example !== "" && (
            <button type="button" class="quiet" disabled={start.busy}
              onClick={() => void start.run(() => addExample(limits.data!))}>Try the bracket</button>
          )}
          <FileButton limits={limits.data} main />
        </>
      )}
    >
      {over && <div class="dropping" role="status"><p>Let go to send the files.</p></div>}
      {limits.problem && (
        <ProblemBox title="Files cannot be sent now." problem={limits.problem} retry={() => void limits.again()} />
      )}
      {start.problem && <ProblemBox title="The bundled part is not sent." problem={start.problem} />}
      <Uploads />
      {list.problem && (
        <ProblemBox title="The parts cannot be shown." problem={list.problem} retry={() => void list.again()} />
      )}
      {!list.data && !list.problem && <Waiting what="Parts load." />}
      {none && !filtered && limits.data && <NoParts limits={limits.data} start={start} />}
      {list.data && (!none || filtered) && (
        <>
          <div class="filters">
            <label class="select">
              <span>State</span>
              <select value={status} onChange={(e) => setQuery({ status: e.currentTarget.value || null, page: null })}>
                <option value="">All</option>
                {Object.entries(statusNames).map(([id, name]) => <option key={id} value={id}>{name}</option>)}
              </select>
            </label>
            <label class="select">
              <span>Name</span>
              <input type="text" autocomplete="off" value={typed} onInput={(e) => setTyped(e.currentTarget.value)} />
            </label>
            <p class="fine" role="status">{plural(list.data.total, "part")}</p>
          </div>
          {none ? <p class="panel">No part is like that.</p> : (
            <section class="panel bare" aria-busy={list.busy}>
              <table class="list" aria-label="Parts">
                <thead>
                  <tr>
                    <th scope="col">Part</th><th scope="col">State</th><th scope="col">Added</th>
                    <th scope="col"><span class="unseen">Actions</span></th>
                  </tr>
                </thead>
                <tbody>
                  {list.data.items.map((p) => (
                    <Row key={p.id + p.status} of={p} now={now} rename={() => act({ what: "rename", part: p })}
                      remove={() => act({ what: "delete", part: p })} />
                  ))}
                </tbody>
              </table>
            </section>
          )}
          <Pages page={page} total={list.data.total} />
        </>
      )}
      {doing?.what === "rename" && (
        <RenamePart part={doing.part} close={() => act(null)} done={(p) => void done(`The part is now called ${p.fileName}.`)} />
      )}
      {doing?.what === "delete" && (
        <DeletePart part={doing.part} close={() => act(null)} done={() => void done(`${doing.part.fileName} is deleted.`)} />
      )}
    </Page>
  );
}
