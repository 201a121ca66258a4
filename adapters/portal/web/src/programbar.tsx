// What the tabs of a program share: the choice of the program, starting one, and the states before it is there.
import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { Live } from "./live";
import { useLoad } from "./load";
import { usePrograms, useProgram, type Programs } from "./programs";
import type { Program, ProgramSummary } from "./programtypes";
import { shop } from "./shop/shopapi";
import { moment } from "./time";
import { spaced } from "./machining";
import { capital } from "./words";
import { Dialog, Icon, ProblemBox, Waiting } from "./ui";

const stateWords = { processing: "in work", ready: "ready", failed: "failed" };

// StartDialog asks for the cut config of a new program.
function StartDialog(props: { programs: Programs; close: () => void }) {
  const configs = useLoad("cut configs", shop.cutConfigs);
  const items = configs.data ?? [];
  const [picked, pick] = useState("");
  const choice = picked || (items.find((c) => c.isDefault) ?? items[0])?.id || "";
  const { sending } = props.programs;
  const start = async (e: Event) => {
    e.preventDefault();
    if (await props.programs.start(choice)) props.close();
  };
  return (
    <Dialog title="Plan this part" close={props.close}>
      <form onSubmit={(e) => void start(e)}>
        <p>
          The service decides setups, tools and moves, and proves them on a fine mesh of the part. Each program is
          metered.
        </p>
        {sending.problem && <ProblemBox title="The program is not started." problem={sending.problem} />}
        {configs.problem && <ProblemBox problem={configs.problem} retry={() => void configs.again()} />}
        {!configs.data && !configs.problem && <Waiting what="Cut configs load." />}
        {items.length > 0 && (
          <fieldset class="field">
            <legend>Machine, material, stock and tools</legend>
            {items.map((c, i) => (
              <label class="choice tall" key={c.id}>
                <input type="radio" name="cutconfig" checked={c.id === choice} onChange={() => pick(c.id)}
                  data-first={i === 0 ? "" : undefined} />
                <span>
                  <bdi>{c.name}</bdi>
                  <span class="fine">G-code for {c.post}{c.isDefault ? " · your default" : ""}</span>
                </span>
              </label>
            ))}
          </fieldset>
        )}
        <footer>
          <button type="button" onClick={props.close}>Close</button>
          <button type="submit" class="main" disabled={choice === "" || sending.busy}>Plan the part</button>
        </footer>
      </form>
    </Dialog>
  );
}

// grouped returns programs by their cut config, in the order of the newest.
function grouped(all: ProgramSummary[]): ProgramSummary[][] {
  const groups = new Map<string, ProgramSummary[]>();
  for (const p of all) groups.set(p.cutConfigId, [...(groups.get(p.cutConfigId) ?? []), p]);
  return [...groups.values()];
}

function Choice(props: { programs: Programs; chosen: ProgramSummary; plan: () => void }) {
  const { chosen, programs } = props;
  const all = programs.list.data?.programs ?? [];
  return (
    <div class="programbar">
      <label class="select">
        <span class="unseen">Program</span>
        <select value={chosen.id} onChange={(e) => programs.choose(e.currentTarget.value)}>
          {grouped(all).map((g) => (
            <optgroup key={g[0]!.cutConfigId} label={g[0]!.cutConfigName}>
              {g.map((p) => (
                <option key={p.id} value={p.id}>
                  {p.cutConfigName} · {stateWords[p.status]} · {moment(p.createdAt)}
                </option>
              ))}
            </optgroup>
          ))}
        </select>
      </label>
      <button type="button" class="quiet" onClick={props.plan}><Icon name="plus" />Plan with…</button>
    </div>
  );
}

// labels are the fields of a cut config whose words are not those of their names.
const labels: Record<string, string> = {
  hourlyRateCents: "hourly rate", programmingSeconds: "time for programming", engagementDeg: "engagement",
};

// Outdated says that the cut config of a program changed since.
function Outdated(props: { programs: Programs; chosen: ProgramSummary }) {
  const { chosen, programs } = props;
  if (chosen.currency === "current") return null;
  if (chosen.currency === "deleted") {
    return (
      <div class="warning programnote">
        <Icon name="info" />
        <p class="stretch">The cut config <bdi>{chosen.cutConfigName}</bdi> was deleted since. The program keeps its copy.</p>
      </div>
    );
  }
  const what = chosen.changes.map((c) => labels[c] ?? spaced(c)).join(", ");
  return (
    <div class="warning programnote">
      <Icon name="warning" />
      <p class="stretch">
        Made with an older <bdi>{chosen.cutConfigName}</bdi>. {capital(what)} changed since.
      </p>
      <button type="button" disabled={programs.sending.busy}
        onClick={() => void programs.start(chosen.cutConfigId)}>Plan again</button>
    </div>
  );
}

// WithProgram shows the chosen program of a part, or why there is none to show. The children get it once it has ended.
export function WithProgram(props: {
  part: string;
  children: (program: Program, summary: ProgramSummary, programs: Programs) => ComponentChildren;
}) {
  const programs = usePrograms(props.part);
  const { list, chosen, sending } = programs;
  const whole = useProgram(props.part, chosen?.status === "processing" ? null : chosen);
  const [planning, plan] = useState(false);
  const program = whole.data?.id === chosen?.id ? whole.data : null;
  return (
    <div class="programtab" aria-busy={list.busy || whole.busy}>
      {list.problem && (
        <ProblemBox title="The programs cannot be shown." problem={list.problem} retry={() => void list.again()} />
      )}
      {!list.data && !list.problem && <Waiting what="Programs load." />}
      {list.data && !chosen && (
        <div class="empty">
          <Icon name="terminal" />
          <h2>No program was asked for</h2>
          <p>A program is the setups, operations, tools, proof, price and g-code of this part on your machine.</p>
          <button type="button" class="main" onClick={() => plan(true)}>Plan this part</button>
        </div>
      )}
      {chosen && <Choice programs={programs} chosen={chosen} plan={() => plan(true)} />}
      {sending.problem && !planning && <ProblemBox title="That did not work." problem={sending.problem} />}
      {chosen && chosen.status !== "processing" && <Outdated programs={programs} chosen={chosen} />}
      {chosen?.status === "processing" && <Live of={programs.job} name={chosen.cutConfigName} />}
      {chosen && chosen.status !== "processing" && whole.problem && (
        <ProblemBox title="The program cannot be shown." problem={whole.problem} retry={() => void whole.again()} />
      )}
      {chosen && chosen.status !== "processing" && !program && !whole.problem && <Waiting what="The program loads." />}
      <div>{chosen && program && props.children(program, chosen, programs)}</div>
      {planning && <StartDialog programs={programs} close={() => plan(false)} />}
    </div>
  );
}
