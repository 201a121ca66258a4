// The page of all parts of a team. Files can be dropped anywhere on it.
import { useEffect, useState } from "preact/hooks";
import { useLoad, useNow, useSend } from "./load";
import { pageSize, parts, thumbnailOf, type Limits, type PartRecord } from "./partapi";
import { DeletePart, RenamePart } from "./partdialogs";
import { Link, query, setQuery } from "./route";
import { Dropping, FileButton, Uploads } from "./sending";
import { notice } from "./session";
import { moment, span } from "./time";
import { Icon, Page, ProblemBox, Waiting } from "./ui";
import { addExample, arrived } from "./uploads";
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
      <Dropping limits={limits.data} />
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
