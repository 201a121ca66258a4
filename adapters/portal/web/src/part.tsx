// The page of one part: its picture at the left, tabs at the right.
import { useCallback, useEffect, useMemo, useRef, useState } from "preact/hooks";
import { useLoad, useSend } from "./load";
import { GcodeTab } from "./gcode";
import { Live, useJob } from "./live";
import { parts, sourceOf, thumbnailOf, type PartRecord, type Result } from "./partapi";
import { DeletePart, RenamePart } from "./partdialogs";
import { PartModel } from "./partmodel";
import { StatusBadge } from "./parts";
import { PartTab, WarningRows, type PartTabProps } from "./parttab";
import type { Picture } from "./picture";
import { PictureView } from "./pictureview";
import { PlaybackTab } from "./playback";
import { PriceTab } from "./price";
import { ProgramTab } from "./program";
import { home, navigate, query, setQuery } from "./route";
import { RunsTab } from "./runs";
import { Dropping, FileButton, Uploads } from "./sending";
import { carried, notice } from "./session";
import { moment } from "./time";
import { Page, ProblemBox, Waiting } from "./ui";
import { arrived } from "./uploads";
import { bytes } from "./words";

// tabs are the tabs of a part. One that is wide takes the place of the picture too.
const tabs: { id: string; name: string; show: (props: PartTabProps) => preact.JSX.Element; wide?: boolean }[] = [
  { id: "part", name: "Part", show: PartTab },
  { id: "program", name: "Program", show: ProgramTab },
  { id: "playback", name: "Playback", show: PlaybackTab, wide: true },
  { id: "gcode", name: "G-code", show: GcodeTab },
  { id: "price", name: "Price", show: PriceTab },
  { id: "runs", name: "Runs", show: RunsTab },
];

// noPicture is the picture of a part where there is none.
const noPicture: Picture = { light: () => {}, frame: () => {} };

export function Part(props: { id: string }) {
  const { id } = props;
  const record = useLoad(`part ${id}`, () => parts.record(id));
  const [doing, act] = useState<"rename" | "delete" | null>(null);
  const p = record.data;
  const moving = p?.status === "processing";
  const watched = useJob(moving ? p.jobId ?? "" : "", () => void record.again());
  const close = () => act(null);
  return (
    <Page title={p?.fileName ?? "Part"} crumb={{ to: home, text: "Parts" }}
      lead={p && (
        <>
          <StatusBadge of={p.status} /> {p.sizeBytes !== null && <>{p.format?.toUpperCase()} {bytes(p.sizeBytes)}, </>}
          added {moment(p.createdAt)}
        </>
      )}
      actions={p && (
        <>
          {p.sizeBytes !== null && <a class="button quiet" href={sourceOf(id)} download>Download the file</a>}
          <button type="button" class="quiet" onClick={() => act("rename")}>Rename</button>
          <button type="button" class="quiet" onClick={() => act("delete")}>Delete</button>
        </>
      )}
    >
      {record.problem && (
        <ProblemBox title="The part cannot be shown." problem={record.problem} retry={() => void record.again()} />
      )}
      {!p && !record.problem && <Waiting what="The part loads." />}
      {moving && <Live of={watched} name={p.fileName} />}
      {p?.status === "failed" && <Failed part={p} again={() => void record.again()} />}
      {p?.status === "pending" && <Unsent part={p} again={() => void record.again()} />}
      {p?.status === "ready" && <Ready key={id} part={p} />}
      {p && doing === "rename" && (
        <RenamePart part={p} close={close} done={(changed) => {
          record.set(changed);
          notice.value = `The part is now called ${changed.fileName}.`;
          close();
        }} />
      )}
      {p && doing === "delete" && (
        <DeletePart part={p} close={close} done={() => {
          close();
          carried.value = `${p.fileName} is deleted.`;
          navigate(home);
        }} />
      )}
    </Page>
  );
}

// Unsent takes the file of a part that was made without it.
function Unsent(props: { part: PartRecord; again: () => void }) {
  const { part } = props;
  const limits = useLoad("limits", parts.limits);
  const sent = arrived.value;
  useEffect(() => {
    if (sent > 0) props.again();
  }, [sent]);
  return (
    <>
      <Dropping limits={limits.data} part={part.id} />
      <section class="panel" aria-labelledby="unsent">
        <h2 id="unsent">The file of this part has not arrived</h2>
        <p>Drop <bdi>{part.fileName}</bdi> here, or choose it. The part keeps its name whatever the file is called.</p>
        {limits.problem && (
          <ProblemBox title="The file cannot be sent now." problem={limits.problem} retry={() => void limits.again()} />
        )}
        {limits.data && <div class="buttons"><FileButton limits={limits.data} part={part.id} main /></div>}
      </section>
      <Uploads />
    </>
  );
}

function Failed(props: { part: PartRecord; again: () => void }) {
  const { part } = props;
  const retrying = useSend();
  return (
    <section class="panel" aria-labelledby="failed">
      <h2 id="failed">The part was not understood</h2>
      <p>{part.failureReason}</p>
      <p class="fine">Code <code>{part.failureCode}</code></p>
      {part.warnings.length > 0 && <WarningRows of={part.warnings} />}
      {retrying.problem && <ProblemBox title="It is not tried again." problem={retrying.problem} />}
      <div class="buttons">
        <a class="button" href={sourceOf(part.id)} download>Download what was sent</a>
        <button type="button" class="quiet" disabled={retrying.busy || part.jobId === null}
          onClick={() => void retrying.run(async () => {
            await parts.retry(part.jobId!);
            props.again();
          })}>Try again</button>
      </div>
    </section>
  );
}

function Ready(props: { part: PartRecord }) {
  const { part } = props;
  const run = query.value.get("run") ?? "";
  const result = useLoad(`result ${part.id} ${run}`, () => parts.result(part.id, run));
  if (result.problem) {
    return <ProblemBox title="The results cannot be shown." problem={result.problem} retry={() => void result.again()} />;
  }
  if (!result.data) {
    return (
      <div class="workplace">
        <div class="picture"><div class="stage"><div class="standin"><img src={thumbnailOf(part.id, run)} alt="" /></div></div></div>
        <Waiting what="The results load." />
      </div>
    );
  }
  return <Workplace key={result.data.jobId} part={part} result={result.data} />;
}

function Workplace(props: { part: PartRecord; result: Result }) {
  const { part, result } = props;
  const model = useMemo(() => new PartModel(result), [result]);
  const entries = useLoad(`features ${part.id} ${result.jobId}`, () => parts.features(part.id, result.jobId));
  useEffect(() => {
    model.entries.value = entries.data;
  }, [entries.data, model]);
  const picture = useRef(noPicture);
  // Tabs keep one object, which reaches the picture that there is.
  const reach = useMemo<Picture>(() => ({
    light: (regions, tone) => picture.current.light(regions, tone),
    frame: (regions) => picture.current.frame(regions),
  }), []);
  const take = useCallback((p: Picture) => (picture.current = p), []);
  const at = tabs.find((t) => t.id === query.value.get("tab")) ?? tabs[0]!;
  return (
    <div class={at.wide ? "workplace wide" : "workplace"}>
      {!at.wide && <PictureView name={part.fileName} partId={part.id} model={model} take={take} />}
      <div class="tabs">
        <TabList at={at.id} />
        <div role="tabpanel" id="panel" aria-labelledby={`tab-${at.id}`} tabIndex={-1}>
          <at.show key={at.id} part={{ id: part.id, name: part.fileName }} jobId={result.jobId} picture={reach}
            model={model} entries={entries} />
        </div>
      </div>
    </div>
  );
}

function TabList(props: { at: string }) {
  const open = (id: string) => setQuery({ tab: id === tabs[0]!.id ? null : id });
  const key = (e: KeyboardEvent) => {
    const i = tabs.findIndex((t) => t.id === props.at), n = tabs.length;
    const to = ({ ArrowRight: i + 1, ArrowLeft: i - 1 + n, Home: 0, End: n - 1 } as Record<string, number>)[e.key];
    if (to === undefined) return;
    e.preventDefault();
    const id = tabs[to % n]!.id;
    open(id);
    document.getElementById(`tab-${id}`)?.focus();
  };
  const list = useRef<HTMLDivElement>(null);
  useEffect(() => { // a narrow window shows some of the tabs
    const box = list.current!.getBoundingClientRect();
    const tab = document.getElementById(`tab-${props.at}`)!.getBoundingClientRect();
    list.current!.scrollLeft += Math.max(0, tab.right - box.right) - Math.max(0, box.left - tab.left);
  }, [props.at]);
  return (
    <div ref={list} role="tablist" aria-label="Views of the part" onKeyDown={key}>
      {tabs.map((t) => (
        <button key={t.id} type="button" role="tab" id={`tab-${t.id}`} aria-controls="panel" aria-selected={t.id === props.at}
          tabIndex={t.id === props.at ? 0 : -1} onClick={() => open(t.id)}>{t.name}</button>
      ))}
    </div>
  );
}
