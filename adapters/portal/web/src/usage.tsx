// The page of metered calls: a chart by day, and the same figures as tables.
import { useState } from "preact/hooks";
import { api, type Key, type UsageRow } from "./api";
import { Chart, type Column } from "./chart";
import { capital } from "./words";
import { useLoad } from "./load";
import { count, day, isoDay, longUtcDay } from "./time";
import { Icon, Page, ProblemBox, Waiting } from "./ui";

const periods = [7, 30, 90];

const sum = (rows: UsageRow[]) => rows.reduce((n, r) => n + r.calls, 0);

// days lists the days of a period, oldest first.
function days(since: string, until: string): string[] {
  const out: string[] = [];
  const last = Date.parse(until + "T00:00:00Z");
  for (let at = Date.parse(since + "T00:00:00Z"); at <= last; at += day) out.push(isoDay(at));
  return out;
}

// keyLabel tells keys of the same name apart.
function keyLabel(keys: Key[], id: string): string {
  const key = keys.find((k) => k.id === id);
  return key?.kind === "key" ? `${key.name} (${key.prefix}…)` : keyName(keys, id);
}

function keyName(keys: Key[], id: string): string {
  const key = keys.find((k) => k.id === id);
  if (!key) return id;
  return key.kind === "portal" ? `${key.createdBy} (portal)` : key.name;
}

function Figures(props: { label: string; first: string; rows: [string, UsageRow[]][]; operations: string[] }) {
  return (
    <div class="scroll" tabIndex={0} role="group" aria-label={props.label}>
      <table class="figures">
        <thead>
          <tr>
            <th scope="col">{props.first}</th>
            {props.operations.map((o) => <th scope="col" key={o}>{capital(o)}</th>)}
            <th scope="col">All</th>
          </tr>
        </thead>
        <tbody>
          {props.rows.map(([name, rows]) => (
            <tr key={name}>
              <th scope="row"><bdi>{name}</bdi></th>
              {props.operations.map((o) => <td key={o}>{count(sum(rows.filter((r) => r.operation === o)))}</td>)}
              <td class="strong">{count(sum(rows))}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

// grouped returns the rows by a property, the largest group first.
function grouped(rows: UsageRow[], by: (r: UsageRow) => string): [string, UsageRow[]][] {
  const groups = new Map<string, UsageRow[]>();
  for (const r of rows) groups.set(by(r), [...(groups.get(by(r)) ?? []), r]);
  return [...groups].sort(([a, ra], [b, rb]) => sum(rb) - sum(ra) || a.localeCompare(b));
}

function Report(props: { rows: UsageRow[]; keys: Key[]; since: string; until: string }) {
  const { rows } = props;
  if (rows.length === 0) {
    return (
      <div class="empty">
        <Icon name="chart" />
        <h2>No metered calls</h2>
        <p>Nothing was metered in this time.</p>
      </div>
    );
  }
  const operations = [...new Set(rows.map((r) => r.operation))].sort();
  const byDay = grouped(rows, (r) => r.day).sort(([a], [b]) => b.localeCompare(a));
  const columns: Column[] = days(props.since, props.until).map((d) => ({
    day: d,
    parts: operations.map((o) => sum(rows.filter((r) => r.day === d && r.operation === o))),
  }));
  return (
    <>
      <section class="panel" aria-labelledby="chart">
        <h2 id="chart">{count(sum(rows))} {sum(rows) === 1 ? "call" : "calls"}</h2>
        <Chart columns={columns} operations={operations.map(capital)} />
      </section>
      <div class="pair">
        <section class="panel" aria-labelledby="bykey">
          <h2 id="bykey">By key</h2>
          <Figures label="Calls by key" first="Key" operations={operations}
            rows={grouped(rows, (r) => keyLabel(props.keys, r.keyId))} />
        </section>
        <section class="panel" aria-labelledby="byday">
          <h2 id="byday">By day</h2>
          <Figures label="Calls by day" first="Day (UTC)" operations={operations}
            rows={byDay.map(([d, r]) => [longUtcDay(d), r])} />
        </section>
      </div>
    </>
  );
}

export function Usage() {
  const [length, setLength] = useState(30);
  const [only, setOnly] = useState("");
  const until = isoDay(Date.now());
  const since = isoDay(Date.now() - (length - 1) * day);
  const usage = useLoad(`${since} ${until}`, async () => {
    return { since, until, days: (await api.usage(since, until)).days };
  });
  const keys = useLoad("keys", api.keys);
  const all = usage.data?.days ?? [];
  const known = keys.data?.keys ?? [];
  const users = [...new Set(all.map((r) => r.keyId))]
    .map((id) => [id, keyLabel(known, id)] as const).sort((a, b) => a[1].localeCompare(b[1]));
  const kept = users.some(([id]) => id === only) ? only : "";
  return (
    <Page title="Usage" lead="Work on parts and programs is metered. Reads are free.">
      <div class="filters">
        <fieldset>
          <legend class="unseen">Time</legend>
          <div class="segments">
            {periods.map((p) => (
              <label key={p}>
                <input type="radio" name="period" checked={length === p} onChange={() => setLength(p)} />
                <span>{p} days</span>
              </label>
            ))}
          </div>
        </fieldset>
        {users.length > 0 && (
          <label class="select">
            Key
            <select value={kept} onChange={(e) => setOnly(e.currentTarget.value)}>
              <option value="">All keys</option>
              {users.map(([id, name]) => <option key={id} value={id}>{name}</option>)}
            </select>
          </label>
        )}
      </div>
      <div aria-busy={usage.busy}>
        {usage.problem && (
          <ProblemBox title="The usage cannot be shown." problem={usage.problem} retry={() => void usage.again()} />
        )}
        {!usage.data && !usage.problem && <Waiting what="Usage loads." />}
        {usage.data && (
          <Report rows={all.filter((r) => kept === "" || r.keyId === kept)} keys={known}
            since={usage.data.since} until={usage.data.until} />
        )}
      </div>
    </Page>
  );
}
