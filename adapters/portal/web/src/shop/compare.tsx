// A part planned with a cut config, before and after.
import { useEffect, useRef, useState } from "preact/hooks";
import { Problem } from "../api";
import { useLoad } from "../load";
import { dollars } from "../machining";
import { readAll, type PartRecord } from "../partapi";
import { programApi } from "../programs";
import type { Estimate, Program, ProgramSummary } from "../programtypes";
import { Link } from "../route";
import { moment } from "../time";
import { Icon, ProblemBox } from "../ui";
import type { CutConfig } from "./shopapi";

// waitTime (s) is how long one read waits for a program.
const waitTime = 30;

// longestPace (s) is how long an order waits for the next one that the service takes.
const longestPace = 60;

interface Side {
  program: Program;
  estimate: Estimate | null;
}

const minutes = (seconds: number) => `${(seconds / 60).toFixed(1)} min`;

async function sideOf(part: string, id: string, stop: AbortSignal): Promise<Side> {
  for (;;) {
    const program = await programApi.read(part, id, waitTime, stop);
    if (program.status === "ready") return { program, estimate: await programApi.estimate(part, id, 1) };
    if (program.status === "failed") return { program, estimate: null };
  }
}

// paced asks again when the service takes programs more slowly than they are ordered.
async function paced<T>(order: () => Promise<T>, stop: AbortSignal): Promise<T> {
  for (;;) {
    try {
      return await order();
    } catch (e) {
      if (!(e instanceof Problem) || e.status !== 429 || e.retryAfter === 0 || e.retryAfter > longestPace || stop.aborted) throw e;
      await new Promise((done) => setTimeout(done, e.retryAfter * 1000));
    }
  }
}

type Row = [string, string, string, number | null];

function rows(before: Side, after: Side): Row[] {
  const pair = (label: string, of: (s: Side) => number | null, text: (n: number) => string): Row => {
    const a = of(before), b = of(after);
    return [label, a === null ? "–" : text(a), b === null ? "–" : text(b), a === null || b === null ? null : b - a];
  };
  const ready = (s: Side, n: number) => (s.program.status === "ready" ? n : null);
  return [
    pair("Setups", (s) => ready(s, s.program.setups.length), String),
    pair("Operations", (s) => ready(s, s.program.setups.reduce((n, one) => n + one.operations.length, 0)), String),
    pair("Machine time", (s) => s.program.machiningSeconds, minutes),
    pair("Price of one", (s) => s.estimate?.costCents ?? null, dollars),
    pair("Not made", (s) => ready(s, s.program.unmachinable.length), String),
  ];
}

const difference = ([label, , , d]: Row): string => {
  if (d === null) return "";
  const text = label === "Machine time" ? minutes(Math.abs(d)) : label === "Price of one" ? dollars(Math.abs(d)) : String(Math.abs(d));
  return /^[$]?0(\.0+)?( min)?$/.test(text) ? "same" : (d < 0 ? "−" : "+") + text;
};

// Compare plans a part with a cut config and with another one, and shows both.
export function Compare(props: { config: CutConfig; configs: CutConfig[]; unsaved: boolean }) {
  const parts = useLoad("ready parts", () => readAll<PartRecord>("/v1/parts?status=ready"));
  const [part, setPart] = useState("");
  const [before, setBefore] = useState("");
  const [past, setPast] = useState<ProgramSummary[]>([]);
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<Problem | null>(null);
  const [sides, setSides] = useState<[Side, Side] | null>(null);
  const stop = useRef<AbortController | null>(null);
  useEffect(() => () => stop.current?.abort(), []);
  const ready = parts.data ?? [];
  const chosen = part || ready[0]?.id || "";
  useEffect(() => {
    setSides(null);
    if (chosen === "") return;
    let stale = false;
    programApi.list(chosen).then(({ programs }) => {
      if (stale) return;
      const made = programs.filter((p) => p.status === "ready");
      setPast(made);
      setBefore(made.find((p) => p.cutConfigId === props.config.id)?.id ?? made[0]?.id ?? "");
    }, () => {});
    return () => {
      stale = true;
    };
  }, [chosen]);
  const choices = props.configs.filter((c) => c.id !== props.config.id);
  const against = before || `config:${(choices.find((c) => c.isDefault) ?? choices[0])?.id ?? ""}`;
  const plan = async () => {
    stop.current?.abort();
    const mine = (stop.current = new AbortController());
    setBusy(true);
    setProblem(null);
    setSides(null);
    try {
      const order = async (config: string) => (await paced(() => programApi.create(chosen, config), mine.signal)).id;
      const after = await order(props.config.id);
      const first = against.startsWith("config:") ? await order(against.slice(7)) : against;
      setSides(await Promise.all([sideOf(chosen, first, mine.signal), sideOf(chosen, after, mine.signal)]));
    } catch (e) {
      if (!(e instanceof Problem)) throw e;
      if (!mine.signal.aborted) setProblem(e);
    }
    setBusy(false);
  };
  const partName = ready.find((p) => p.id === chosen)?.fileName ?? "";
  return (
    <details class="panel compare">
      <summary>Plan a part with it</summary>
      {parts.data && ready.length === 0 ? <p>No part is ready yet. <Link to="/portal/parts">Add one</Link>.</p> : (
        <div class="buttons">
          <label class="select"><span>Part</span>
            <select value={chosen} disabled={busy} onChange={(e) => setPart(e.currentTarget.value)}>
              {ready.map((p) => <option key={p.id} value={p.id}>{p.fileName}</option>)}
            </select>
          </label>
          <label class="select"><span>Compare with</span>
            <select value={against} disabled={busy} onChange={(e) => setBefore(e.currentTarget.value)}>
              {past.map((p) => <option key={p.id} value={p.id}>Program of {moment(p.createdAt)}, {p.cutConfigName}</option>)}
              {choices.map((c) => <option key={c.id} value={`config:${c.id}`}>New program with {c.name}</option>)}
            </select>
          </label>
          <button type="button" class="main" disabled={busy || chosen === ""} onClick={() => void plan()}>Plan {partName} with it</button>
        </div>
      )}
      {props.unsaved && <p class="warning"><Icon name="warning" /><span>What you changed below is not saved, so it does not count here.</span></p>}
      <div aria-live="polite">
        {busy && <p class="waiting"><span class="spinner" aria-hidden="true" />The programs are made and proven. This takes from seconds to minutes.</p>}
        {problem && <ProblemBox problem={problem} />}
        {sides && (
          <div class="scroll" tabIndex={0} role="group" aria-label="Comparison">
            <table class="figures" aria-label="Before and after">
              <thead><tr><th scope="col">Figure</th><th scope="col">Before</th><th scope="col">After</th><th scope="col">Difference</th></tr></thead>
              <tbody>
                {rows(...sides).map((row) => (
                  <tr key={row[0]}><th scope="row">{row[0]}</th><td>{row[1]}</td><td>{row[2]}</td><td class="strong">{difference(row)}</td></tr>
                ))}
              </tbody>
            </table>
            {sides.map((s, i) => s.program.status === "failed" && (
              <p class="fault" key={i}>{i === 0 ? "Before" : "After"}: the program failed. {s.program.failureReason}</p>
            ))}
            <p class="fine">
              Price and time of the programs, as the estimate of each says ({sides[1].estimate?.quality ?? "none"}).{" "}
              <Link to={`/portal/parts/${chosen}?tab=program&program=${sides[1].program.id}`}>Open the new program</Link>
            </p>
          </div>
        )}
      </div>
    </details>
  );
}
