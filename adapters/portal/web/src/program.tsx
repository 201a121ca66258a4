// The tab of a program: what is made and what is left, the proof, the setups with their operations, the tools, files.
import { useEffect, useState } from "preact/hooks";
import { Downloads } from "./downloads";
import { Figure, Lit, type Lights } from "./lights";
import { useLoad } from "./load";
import { causes, duration, percent, priceOf, reason, rough, verdict, wrong, type Cause } from "./machining";
import type { TabProps } from "./picture";
import { atStart, programApi } from "./programs";
import { WithProgram } from "./programbar";
import type { Finding, Left, MachiningTime, Program } from "./programtypes";
import { setQuery } from "./route";
import { Setups } from "./setups";
import { Tools } from "./tools";
import { Icon, ProblemBox } from "./ui";
import { plural } from "./words";

const levels = {
  complete: { word: "Complete", tone: "good" },
  complete_but_named: { word: "Complete but for what is named below", tone: "good" },
  incomplete: { word: "Incomplete", tone: "warn" },
} as const;

function amount(l: { volume?: number; maxHeight?: number }): string {
  if (l.volume === undefined) return "Too little to measure.";
  if (!l.volume && !l.maxHeight) return "";
  return `${rough(l.volume)} mm³, up to ${rough(l.maxHeight ?? 0)} mm high.`;
}

function CauseRow(props: { cause: Cause; n: number; lights: Lights }) {
  const { cause, n, lights } = props;
  const [open, setOpen] = useState(false);
  const id = `cause ${n}`;
  const many = cause.places.length;
  const title = reason(cause.reason) + (many > 1 ? ` × ${many}` : "");
  const total: Partial<Left> = cause.places.some((p) => p.volume !== undefined)
    ? { volume: cause.volume, maxHeight: cause.height } : {};
  return (
    <li class="cause">
      <Lit {...lights} id={id} regions={cause.regions} tone="left" class="lightrow">
        <span class="swatchmark" aria-hidden="true" />
        <span class="stretch">
          <span class="strong">{title}</span>
          {many === 1 && <span class="line">{cause.places[0]!.detail}</span>}
          <span class="fine">
            {plural(cause.regions.length, "face")}. {amount(total)} {cause.remedy && `Remedy: ${cause.remedy}`}{" "}
            {priceOf(cause.places)}
          </span>
        </span>
      </Lit>
      {many > 1 && (
        <details open={open} onToggle={(e) => setOpen(e.currentTarget.open)}>
          <summary>Each of the {many}</summary>
          <ul>
            {open && cause.places.map((p, i) => (
              <li key={i}>
                <Lit {...lights} id={`${id} ${i}`} regions={p.regionIdxs} tone="left" class="lightrow">
                  <span class="stretch">{p.detail} <span class="faint">{amount(p)}</span></span>
                </Lit>
              </li>
            ))}
          </ul>
        </details>
      )}
    </li>
  );
}

function NotMade(props: { program: Program; lights: Lights }) {
  const all = causes(props.program);
  if (all.length === 0) return null;
  return (
    <section class="panel" aria-labelledby="notmade">
      <h2 id="notmade">Not made because</h2>
      <p class="fine">Press a row to light its faces. The price does not contain this work.</p>
      <ul class="causes">{all.map((c, i) => <CauseRow key={i} n={i} cause={c} lights={props.lights} />)}</ul>
    </section>
  );
}

function Findings(props: { program: Program; lights: Lights }) {
  const { program, lights } = props;
  const found = program.verification?.findings ?? [];
  const show = (f: Finding) => setQuery({
    ...atStart, tab: "playback", program: program.id, setup: String(f.setupIndex),
    op: f.operationId, move: String(f.move),
  });
  return (
    <section class="panel failedproof" aria-labelledby="proof">
      <h2 id="proof">{found.length > 0 ? "The proof failed: there is no g-code" : "There is no program"}</h2>
      {found.length === 0 && <p>{program.failureReason}</p>}
      {found.length > 0 && (
        <p>
          G-code is written only from moves that the simulation passed. {plural(found.length, "move")} of this program
          must not be run.
        </p>
      )}
      <ul class="findings">
        {found.map((f, i) => (
          <li key={i}>
            <p>
              <span class="strong">Setup {f.setupIndex}{f.operationId && `, operation ${f.operationId}`}, move {f.move + 1}. </span>
              {wrong(f)}
            </p>
            <p class="buttons">
              {f.operationId && <button type="button" onClick={() => show(f)}>Show the move</button>}
              {f.regionIdxs.length > 0 && (
                <Lit {...lights} id={`finding ${i}`} regions={f.regionIdxs} tone="fault">
                  Show {plural(f.regionIdxs.length, "face")}
                </Lit>
              )}
            </p>
          </li>
        ))}
      </ul>
    </section>
  );
}

function Summary(props: { program: Program; time: MachiningTime | null }) {
  const { program: p, time } = props;
  const level = p.completeness && levels[p.completeness];
  const operations = p.setups.reduce((n, s) => n + s.operations.length, 0);
  return (
    <section class="panel" aria-label="Summary">
      <div class="verdictline">
        <h2>{level ? level.word : "Completeness is not known"}</h2>
        {level && <span class={`badge ${level.tone}`}>{p.completenessBasis === "found" ? "simulated" : "predicted"}</span>}
      </div>
      {p.made && (
        <p>
          {percent(p.made.volumeShare)} of the material and {percent(p.made.areaShare)} of the surface
          {p.completenessBasis === "found" ? " are made." : " are within reach."}
        </p>
      )}
      {p.verification && p.verification.findings.length === 0 && (
        <p class="proofline"><Icon name="check" />Proof: {verdict(p.verification)}</p>
      )}
      <dl class="keyfigures">
        <Figure label="Setups">{p.setups.length}</Figure>
        <Figure label="Operations">{operations}</Figure>
        <Figure label="Tools">{p.tools.length}</Figure>
        <Figure label="Time for a part">{p.machiningSeconds === null ? "not known" : duration(p.machiningSeconds)}</Figure>
        {time && <Figure label="Preparation, once">{duration(time.setupSeconds)}</Figure>}
      </dl>
    </section>
  );
}

function Whole(props: TabProps & { program: Program }) {
  const { program: p, picture, part } = props;
  const [lit, set] = useState("");
  useEffect(() => () => picture.light(null), []);
  const lights = { picture, lit, set };
  const time = useLoad(`time ${p.planId}`, async () => (p.machiningSeconds === null ? null : programApi.time(p.planId)));
  const document = useLoad(`document ${p.id}`, async () => (p.setups.length > 0 ? programApi.document(part.id, p.id) : null));
  return (
    <>
      {p.status === "failed" && <Findings program={p} lights={lights} />}
      {p.setups.length > 0 && <Summary program={p} time={time.data} />}
      <NotMade program={p} lights={lights} />
      {p.warnings.length > 0 && (
        <section class="panel" aria-labelledby="warnings">
          <h2 id="warnings">To know before</h2>
          <ul class="dots">{p.warnings.map((w, i) => <li key={i}>{w.message}</li>)}</ul>
        </section>
      )}
      <Setups part={part.id} program={p} time={time.data} document={document.data} lights={lights} />
      {document.problem?.code === "program_not_ready" ? (
        <div class="warning programnote"><Icon name="info" /><p>{document.problem.message}</p></div>
      ) : document.problem && (
        <ProblemBox title="The tools as cut cannot be shown." problem={document.problem} retry={() => void document.again()} />
      )}
      {p.tools.length > 0 && <Tools program={p} document={document.data} />}
      <Downloads part={part.id} name={part.name} program={p} />
    </>
  );
}

// ProgramTab shows the chosen program of a part.
export function ProgramTab(props: TabProps) {
  return (
    <WithProgram part={props.part.id}>
      {(program, summary) => <Whole key={program.id + summary.status} {...props} program={program} />}
    </WithProgram>
  );
}
