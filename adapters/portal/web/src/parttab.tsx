// The tab of what was understood: figures of the part, features with their datasheets, findings, warnings.
import { useEffect, useState } from "preact/hooks";
import { Sheet } from "./datasheet";
import { FeatureTree } from "./featuretree";
import { Live, useJob } from "./live";
import { useLoad, useSend, type Loaded } from "./load";
import { parts, type Entry, type Feature, type Finding, type Warning } from "./partapi";
import type { PartModel } from "./partmodel";
import type { TabProps } from "./picture";
import { ProblemBox, Waiting } from "./ui";
import { directionName, figure, plural, typeName } from "./words";

export interface PartTabProps extends TabProps {
  model: PartModel;
  entries: Loaded<Entry[]>;
}

const processNames: Record<string, string> = {
  milled: "Milled", turned: "Turned", millTurn: "Turned and milled", sheet: "Sheet metal", cast: "Cast or molded",
  freeform: "Freeform",
};

export function PartTab(props: PartTabProps) {
  const { model } = props;
  return (
    <>
      <Figures model={model} />
      <section aria-labelledby="features">
        <h2 id="features">{plural(model.result.features.length, "feature")}</h2>
        {model.result.features.length === 0
          ? <p>No feature was found. The warnings below may say why.</p>
          : <FeatureTree model={model} />}
      </section>
      <Chosen {...props} />
      <Findings {...props} />
      <Unmachined {...props} />
      <Warnings model={model} />
    </>
  );
}

function Figures(props: { model: PartModel }) {
  const { geometry: g, process, meshTriangleCount } = props.model.result;
  const size = [g.bounds.max.x - g.bounds.min.x, g.bounds.max.y - g.bounds.min.y, g.bounds.max.z - g.bounds.min.z];
  return (
    <>
      {g.solids !== 1 && (
        <p class="warning">
          {g.solids === 0
            ? "The file has surfaces only, no body. A program needs one closed body."
            : `The file has ${g.solids} bodies. A program is made for a part of one body: export each body into a file of its own.`}
        </p>
      )}
      <dl class="facts">
        <dt>Size</dt><dd>{size.map(figure).join(" × ")} mm</dd>
        <dt>Volume</dt><dd>{figure(g.volume / 1000)} cm³</dd>
        <dt>Surface</dt><dd>{figure(g.area / 100)} cm², {plural(g.faces, "face")}</dd>
        <dt>Made by</dt><dd>{processNames[process.kind] ?? process.kind}.<span class="fine"> {process.reasons.join(" ")}</span></dd>
        <dt>Picture</dt><dd>{plural(meshTriangleCount, "triangle")}{g.exact ? "" : "; the faces are approximate"}</dd>
      </dl>
    </>
  );
}

// Chosen is the datasheets of the features that are selected.
function Chosen(props: PartTabProps) {
  const { model, entries } = props;
  const features = model.selected.value.map((t) => model.byTag.get(t)!);
  return (
    <section aria-labelledby="chosen" class="chosen">
      <h2 id="chosen" class="unseen">Selected</h2>
      {features.length === 0 && model.result.features.length > 0 && (
        <p class="fine">Select a feature in the picture or in the list.</p>
      )}
      {features.length > 3 && <p>{plural(features.length, "feature")} are selected.</p>}
      {entries.problem && (
        <ProblemBox title="The datasheets cannot be shown." problem={entries.problem} retry={() => void entries.again()} />
      )}
      {features.slice(0, 3).map((f) => <One key={f.featureTag} of={f} {...props} />)}
    </section>
  );
}

function One(props: PartTabProps & { of: Feature }) {
  const { of: f, model, entries } = props;
  const entry = (entries.data ?? []).find((e) => e.featureTag === f.featureTag);
  const others = (f.alternativeOf ?? []).map((id) => model.byId.get(id)).filter((o) => o !== undefined);
  return (
    <article class="panel feature" data-tag={f.featureTag}>
      <div class="split">
        <h3>{model.title(f)}</h3>
        <button type="button" class="quiet" onClick={() => props.picture.frame(f.regionIdxs)}>Zoom to it</button>
      </div>
      <p class="fine">
        Tag <code>{f.featureTag}</code> · from {directionName(f.machiningDirection)} · {plural(f.regionIdxs.length, "face")}
      </p>
      {others.length > 0 && (
        <p class="fine">
          It shares faces with {others.map((o, i) => (
            <>{i > 0 && ", "}<button type="button" class="inline" onClick={() => model.select([o.featureTag])}>{model.title(o)}</button></>
          ))}; one of them is enough.
        </p>
      )}
      {!entry && !entries.problem && <Waiting what="The datasheet loads." />}
      {entry?.datasheet && <Sheet of={entry.datasheet} />}
      {entry && !entry.datasheet && <Measure {...props} />}
      <Why of={f} />
    </article>
  );
}

// Measure offers the datasheets that were not asked for yet.
function Measure(props: PartTabProps & { of: Feature }) {
  const { model, entries, part } = props;
  const sending = useSend();
  const [job, setJob] = useState("");
  const [failed, setFailed] = useState("");
  const watched = useJob(job, (j) => {
    setJob("");
    if (j.status === "failed") setFailed(j.error ?? "The measurement failed.");
    else void entries.again();
  });
  const unmeasured = (entries.data ?? []).filter((e) => e.datasheet === null).map((e) => e.featureId);
  const start = (ids: string[]) => sending.run(async () => {
    setFailed("");
    setJob((await parts.measure(part.id, ids)).jobId);
  });
  if (job !== "") return watched.job ? <Live of={watched} name={model.title(props.of)} /> : <Waiting what="The measurement starts." />;
  return (
    <div>
      <p>It was not measured yet.</p>
      {sending.problem && <ProblemBox title="It is not measured." problem={sending.problem} />}
      {failed !== "" && <p class="fault" role="alert">{failed}</p>}
      <div class="buttons">
        <button type="button" class="main" disabled={sending.busy} onClick={() => void start(unmeasured)}>
          Measure all {unmeasured.length}
        </button>
        <button type="button" disabled={sending.busy} onClick={() => void start([props.of.featureId])}>Measure this one</button>
      </div>
      <p class="fine">Either is one metered call.</p>
    </div>
  );
}

// Why is the rule that found a feature and what it saw. It is read when it is opened.
function Why(props: { of: Feature }) {
  const [open, setOpen] = useState(false);
  return (
    <details class="more" onToggle={(e) => setOpen(e.currentTarget.open)}>
      <summary>Why it is one</summary>
      {open && <Reasons of={props.of} />}
    </details>
  );
}

function Reasons(props: { of: Feature }) {
  const why = useLoad(`why ${props.of.featureId}`, () => parts.why(props.of.featureId));
  if (why.problem) return <ProblemBox title="The reasons cannot be shown." problem={why.problem} retry={() => void why.again()} />;
  if (!why.data) return <Waiting what="The reasons load." />;
  return (
    <>
      <p>Rule <code>{why.data.rule || "unknown"}</code></p>
      <ul class="bullets">{why.data.reasons.map((r) => <li key={r}>{r}</li>)}</ul>
    </>
  );
}

// measure is a figure of a finding with its unit, which follows from the kind.
function measure(f: Finding, v: number): string {
  if (f.kind === "deepHole" || f.kind === "deepPocket") return `${figure(v)} × the diameter`;
  return `${figure(v)} ${f.kind === "unreachable" ? "mm²" : "mm"}`;
}

function Findings(props: PartTabProps) {
  const { part, jobId, picture } = props;
  const measured = (props.entries.data ?? []).some((e) => e.datasheet !== null);
  const list = useLoad(`findings ${part.id} ${jobId} ${measured}`, () => parts.findings(part.id, jobId));
  const [open, setOpen] = useState<Finding | null>(null);
  useEffect(() => () => picture.light(null), []);
  if (list.problem) {
    return <ProblemBox title="The findings cannot be shown." problem={list.problem} retry={() => void list.again()} />;
  }
  if (!list.data) return null;
  const show = (f: Finding) => {
    setOpen(open === f ? null : f);
    picture.light(open === f ? null : f.regionIdxs, "fault");
    if (open !== f) picture.frame(f.regionIdxs);
  };
  return (
    <section aria-labelledby="findings">
      <h2 id="findings">{list.data.length === 0 ? "No findings" : plural(list.data.length, "finding")}</h2>
      {!measured && <p class="fine">Findings come with datasheets: measure the features first.</p>}
      {measured && list.data.length === 0 && <p class="fine">Nothing in the design is hard to machine.</p>}
      <ul class="rows">
        {list.data.map((f, i) => (
          <li key={i}>
            <button type="button" class="rowbutton" aria-pressed={open === f} onClick={() => show(f)}>
              <span class={"badge" + (f.severity === "problem" ? " bad" : " warn")}>{f.severity === "problem" ? "Problem" : "Advice"}</span>
              <span class="stretch">{f.sentence}</span>
            </button>
            <p class="fine">
              Is {measure(f, f.value)}{f.limit !== 0 && `, bound ${measure(f, f.limit)}`}. {f.remedy}
            </p>
          </li>
        ))}
      </ul>
    </section>
  );
}

function Unmachined(props: PartTabProps) {
  const { model, picture } = props;
  const list = model.result.unmachined;
  const [open, setOpen] = useState(-1);
  if (list.length === 0) return null;
  const show = (i: number) => {
    setOpen(open === i ? -1 : i);
    picture.light(open === i ? null : list[i]!.regionIdxs, "left");
    if (open !== i) picture.frame(list[i]!.regionIdxs);
  };
  return (
    <section aria-labelledby="unmachined">
      <h2 id="unmachined">{plural(list.length, "place")} that no feature covers</h2>
      <ul class="rows">
        {list.map((u, i) => (
          <li key={i}>
            <button type="button" class="rowbutton" aria-pressed={open === i} onClick={() => show(i)}>
              <span class="stretch">{u.detail}</span>
              <span class="fine">
                {u.featureId ? typeName(model.byId.get(u.featureId)?.featureType ?? "") : ""} {figure(u.area / 100)} cm²
              </span>
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}

// WarningRows lists warnings with their codes and entities.
export function WarningRows(props: { of: Warning[] }) {
  return (
    <ul class="rows">
      {props.of.map((w, i) => (
        <li key={i}><p>{w.message}</p><p class="fine">Code <code>{w.code}</code>{w.entity && <> · entity <code>{w.entity}</code></>}</p></li>
      ))}
    </ul>
  );
}

function Warnings(props: { model: PartModel }) {
  const { warnings } = props.model.result;
  if (warnings.length === 0) return null;
  return (
    <section aria-labelledby="warnings">
      <h2 id="warnings">{plural(warnings.length, "warning")} of the file</h2>
      <WarningRows of={warnings} />
    </section>
  );
}
