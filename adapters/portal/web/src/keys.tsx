// The page of keys.
import { useEffect, useState } from "preact/hooks";
import { api, type Key } from "./api";
import { EditKey, NewKey, RevokeKey, RollKey, curl } from "./keydialogs";
import { useLoad, useNow } from "./load";
import { notice } from "./session";
import { countdown, date, day, moment, span } from "./time";
import { Command, Icon, Page, ProblemBox, Waiting } from "./ui";

// soon is the time before the end of a key in which the list marks it.
const soon = 7 * day;

type Doing = { what: "new" } | { what: "edit" | "roll" | "revoke"; key: Key } | null;

function State(props: { of: Key; now: number }) {
  const { of: key, now } = props;
  switch (key.state) {
    case "active":
      return <span class="badge good">Active</span>;
    case "ending":
      return (
        <>
          <span class="badge warn">Ending</span>
          {key.endsAt && (
            <span class="fine">in <span class="clock">{countdown(Date.parse(key.endsAt) - now)}</span></span>
          )}
        </>
      );
    case "expired":
      return <span class="badge">Expired</span>;
    case "revoked":
      return (
        <>
          <span class="badge">Revoked</span>
          {key.revokedAt && <span class="fine">{date(key.revokedAt)}</span>}
        </>
      );
  }
}

function Ends(props: { of: Key; now: number }) {
  const { expiresAt, state } = props.of;
  if (expiresAt === null) return <>Never</>;
  const left = Date.parse(expiresAt) - props.now;
  return (
    <>
      <time dateTime={expiresAt} title={moment(expiresAt)}>{date(expiresAt)}</time>
      {state === "active" && left > 0 && left < soon && (
        <span class="badge warn">Expires {span(expiresAt, props.now)}</span>
      )}
    </>
  );
}

function Row(props: { of: Key; names: Map<string, string>; now: number; act: (d: Doing) => void }) {
  const { of: key, now, act } = props;
  const works = key.state === "active" || key.state === "ending";
  const rolled = key.replacedBy !== null ? "rolled" : key.replaces !== null ? "replaces an older text" : "";
  return (
    <tr>
      <th scope="row">
        <bdi class="strong">{key.name}</bdi>
        <span class="fine"><code>{key.prefix}…</code>{rolled && <> · {rolled}</>}</span>
        <span class="fine">
          <bdi>{key.createdBy}</bdi>,{" "}
          <time dateTime={key.createdAt} title={moment(key.createdAt)}>{date(key.createdAt)}</time>
        </span>
      </th>
      <td data-label="May do">
        <ul class="words">
          {Object.entries(key.grid).map(([area, level]) => (
            <li key={area} class={level === "none" ? "faint" : undefined} title={props.names.get(area)}>
              {area} <span class="level">{level}</span>
            </li>
          ))}
        </ul>
      </td>
      <td data-label="Origins">
        {key.origins.length === 0 ? <span class="faint">Programs only</span> : (
          <ul class="plain">{key.origins.map((o) => <li key={o}><bdi>{o}</bdi></li>)}</ul>
        )}
      </td>
      <td data-label="Ends"><Ends of={key} now={now} /></td>
      <td data-label="Last use">
        {key.lastUsedAt === null ? <span class="faint">Never used</span> : (
          <time dateTime={key.lastUsedAt} title={moment(key.lastUsedAt)}>{span(key.lastUsedAt, now)}</time>
        )}
      </td>
      <td data-label="State"><State of={key} now={now} /></td>
      <td class="tools">
        {works && (
          <div>
            {key.state === "active" && (
              <>
                <Tool of={key} text="Change" run={() => act({ what: "edit", key })} />
                <Tool of={key} text="Roll" run={() => act({ what: "roll", key })} />
              </>
            )}
            <Tool of={key} text={key.state === "ending" ? "End now" : "Revoke"}
              run={() => act({ what: "revoke", key })} />
          </div>
        )}
      </td>
    </tr>
  );
}

function Tool(props: { of: Key; text: string; run: () => void }) {
  return (
    <button type="button" class="tool" onClick={props.run}>
      {props.text}<span class="unseen"> {props.of.name} {props.of.prefix}</span>
    </button>
  );
}

function Table(props: {
  label: string;
  keys: Key[];
  names: Map<string, string>; // of the areas of the grid
  now: number;
  act: (d: Doing) => void;
}) {
  return (
    <table class="list" aria-label={props.label}>
      <thead>
        <tr>
          <th scope="col">Name, text, created</th><th scope="col">May do</th><th scope="col">Origins</th>
          <th scope="col">Ends</th><th scope="col">Last use</th><th scope="col">State</th>
          <th scope="col"><span class="unseen">Actions</span></th>
        </tr>
      </thead>
      <tbody>
        {props.keys.map((k) => <Row key={k.id} of={k} names={props.names} now={props.now} act={props.act} />)}
      </tbody>
    </table>
  );
}

// People are the rows that count the calls of these pages. They have no text.
function People(props: { keys: Key[]; now: number }) {
  return (
    <section class="panel" aria-labelledby="people">
      <h2 id="people">People who sign in here</h2>
      <p class="fine">These pages call the service in the name of a person. Such a row has no text that could leak.</p>
      <table class="list short" aria-labelledby="people">
        <thead>
          <tr>
            <th scope="col">Person</th><th scope="col">Kind</th>
            <th scope="col">First session</th><th scope="col">Last use</th>
          </tr>
        </thead>
        <tbody>
          {props.keys.map((k) => (
            <tr key={k.id}>
              <th scope="row"><bdi class="strong">{k.createdBy}</bdi></th>
              <td data-label="Kind"><span class="badge">Portal</span></td>
              <td data-label="First session"><time dateTime={k.createdAt}>{date(k.createdAt)}</time></td>
              <td data-label="Last use">{k.lastUsedAt ? span(k.lastUsedAt, props.now) : "Never"}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

function NoKeys(props: { open: () => void }) {
  return (
    <div class="empty">
      <Icon name="key" />
      <h2>No key yet</h2>
      <p>A program needs a key to call the service. You choose what the key may do and when it ends.</p>
      <button type="button" class="main" onClick={props.open}><Icon name="plus" />New key</button>
    </div>
  );
}

export function Keys() {
  const list = useLoad("keys", api.keys);
  const grid = useLoad("grid", api.grid);
  const [doing, act] = useState<Doing>(null);
  const keys = list.data?.keys ?? [];
  const ending = keys.filter((k) => k.state === "ending");
  const now = useNow(ending.length > 0 ? 1000 : 30_000);
  const past = ending.some((k) => k.endsAt !== null && Date.parse(k.endsAt) <= now);
  useEffect(() => {
    if (past) void list.again();
  }, [past]);

  const names = new Map((grid.data?.functions ?? []).map((f) => [f.id, f.label]));
  const own = keys.filter((k) => k.kind === "key");
  const working = own.filter((k) => k.state === "active" || k.state === "ending");
  const ended = own.filter((k) => !working.includes(k));
  const people = keys.filter((k) => k.kind === "portal");
  const close = () => act(null);
  const finish = async (sentence: string) => {
    await list.again(); // The dialog closes on the new list, so that the focus finds an element that stays.
    notice.value = sentence;
    act(null);
  };
  const open = () => act({ what: "new" });
  return (
    <Page
      title="Keys"
      lead="A program calls the service with a key."
      actions={own.length > 0 && <button type="button" class="main" onClick={open}><Icon name="plus" />New key</button>}
    >
      <div aria-busy={list.busy}>
        {list.problem && (
          <ProblemBox title="The keys cannot be shown." problem={list.problem} retry={() => void list.again()} />
        )}
        {!list.data && !list.problem && <Waiting what="Keys load." />}
        {list.data && own.length === 0 && <NoKeys open={open} />}
        {working.length > 0 && (
          <section class="panel bare">
            <Table label="Keys that work" keys={working} names={names} now={now} act={act} />
          </section>
        )}
        {ended.length > 0 && (
          <details class="panel">
            <summary>{ended.length === 1 ? "1 key that ended" : `${ended.length} keys that ended`}</summary>
            <Table label="Keys that ended" keys={ended} names={names} now={now} act={act} />
          </details>
        )}
        {own.length > 0 && (
          <section class="panel" aria-labelledby="call">
            <h2 id="call">Call the service</h2>
            <p class="fine">The text of your key is in the variable <code>KEY</code> of your shell.</p>
            <Command label="Call that lists parts" text={curl()} />
          </section>
        )}
        {people.length > 0 && <People keys={people} now={now} />}
      </div>
      {doing?.what === "new" && <NewKey grid={grid} close={close} made={() => void list.again()} />}
      {doing?.what === "edit" && (
        <EditKey edited={doing.key} close={close} saved={(k) => void finish(`${k.name} is changed.`)} />
      )}
      {doing?.what === "roll" && <RollKey rolled={doing.key} close={close} made={() => void list.again()} />}
      {doing?.what === "revoke" && (
        <RevokeKey revoked={doing.key} close={close} done={(k) => void finish(`${k.name} no longer works.`)} />
      )}
    </Page>
  );
}
