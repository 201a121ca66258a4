// What a workshop has: cut configs, tool libraries, holders.
import { useRef, useState } from "preact/hooks";
import { useLoad, useSend } from "../load";
import { Link, navigate } from "../route";
import { notice } from "../session";
import { date } from "../time";
import { Dialog, Icon, Page, ProblemBox, Waiting } from "../ui";
import { plural } from "../words";
import { drawHolder } from "./drawing";
import { libraryFile, shop, type CutConfig, type Holder, type Library, type LibrarySummary } from "./shopapi";
import type { Doc } from "./schema";

const root = "/portal/shop";

// copyOf is a record without what belongs to the original.
export function copyOf(of: Doc): Doc {
  const { id: _, createdAt: _c, updatedAt: _u, isDefault: _d, ...rest } = of;
  return { ...rest, name: `Copy of ${String(of["name"])}`.slice(0, 190) };
}

// Removal is what a deletion takes, and who uses the record.
interface Removal {
  kind: string;
  name: string;
  users: string[];
  effect: string;
  remove: () => Promise<void>;
}

function DeleteDialog(props: { of: Removal; close: () => void; done: () => void }) {
  const { of } = props;
  const sending = useSend();
  return (
    <Dialog title={`Delete ${of.kind}`} close={props.close}>
      <p>Delete <bdi class="strong">{of.name}</bdi>?</p>
      {of.users.length > 0 ? (
        <>
          <p class="warning"><Icon name="warning" /><span>It is in use. {of.effect}</span></p>
          <ul class="users">{of.users.map((u) => <li key={u}><bdi>{u}</bdi></li>)}</ul>
        </>
      ) : <p>Nothing uses it. {of.effect}</p>}
      <p class="fine">Plans and programs that were made keep what they were made with.</p>
      {sending.problem && <ProblemBox problem={sending.problem} />}
      <footer>
        <button type="button" onClick={props.close} data-first>Keep it</button>
        <button type="button" class="danger" disabled={sending.busy}
          onClick={() => void sending.run(async () => {
            await of.remove();
            notice.value = `${of.name} is deleted.`;
            props.done();
          })}>Delete {of.kind}</button>
      </footer>
    </Dialog>
  );
}

const formats: Record<string, string> = {
  builtin: "Built in", millwright: "millwright", fusion: "Fusion", freecad: "FreeCAD", linuxcnc: "LinuxCNC",
};
export const formatName = (format: string) => formats[format] ?? format;

// Report says what a file of tools gave.
export function Report(props: { of: Library }) {
  const { report, tools } = props.of;
  const lists: [string, typeof report.skipped][] = [["Skipped", report.skipped], ["Guessed", report.guessed]];
  return (
    <div class="report">
      <p>
        {plural(report.entries, "entry", "entries")} in the file: {plural(tools.length, "tool")},{" "}
        {plural(report.skipped.length, "entry", "entries")} skipped, {plural(report.guessed.length, "value")} guessed.
      </p>
      {lists.map(([title, notes]) => notes.length > 0 && (
        <details key={title} open={title === "Skipped"}>
          <summary>{title} ({notes.length})</summary>
          <dl>{notes.map((n, i) => [<dt key={`t${i}`}><bdi>{n.entry || "The file"}</bdi></dt>, <dd key={`d${i}`}>{n.detail}</dd>])}</dl>
        </details>
      ))}
    </div>
  );
}

function Import(props: { done: () => void }) {
  const [over, setOver] = useState(false);
  const [unit, setUnit] = useState("mm");
  const [made, setMade] = useState<Library | null>(null);
  const [name, setName] = useState("");
  const sending = useSend();
  const input = useRef<HTMLInputElement>(null);
  const take = (file: File | undefined) => {
    if (!file || sending.busy) return;
    setName(file.name);
    setMade(null);
    void sending.run(async () => {
      setMade(await shop.importLibrary(file, unit, ""));
      props.done();
    });
  };
  return (
    <div class={"drop" + (over ? " over" : "")}
      onDragOver={(e) => { e.preventDefault(); setOver(true); }}
      onDragLeave={() => setOver(false)}
      onDrop={(e) => { e.preventDefault(); setOver(false); take(e.dataTransfer?.files[0]); }}>
      <p>
        Drop a file of tools: Fusion (.json, .tools), FreeCAD (.fctb, zip), LinuxCNC (.tbl) or one of this service.
      </p>
      <div class="buttons">
        <button type="button" class="quiet" disabled={sending.busy} onClick={() => input.current?.click()}>Choose a file</button>
        <label class="select">Lengths of LinuxCNC tables in
          <select value={unit} onChange={(e) => setUnit(e.currentTarget.value)}>
            <option value="mm">mm</option><option value="in">inch</option>
          </select>
        </label>
        <input ref={input} type="file" class="unseen" aria-label="File of tools" tabIndex={-1}
          onChange={(e) => { take(e.currentTarget.files?.[0]); e.currentTarget.value = ""; }} />
      </div>
      <div aria-live="polite">
        {sending.busy && <p class="fine"><bdi>{name}</bdi> is read.</p>}
        {sending.problem && <ProblemBox title={`${name} gave no library.`} problem={sending.problem} />}
        {made && (
          <>
            <p class="strong"><Link to={`${root}/tool-libraries/${made.id}`}><bdi>{made.name}</bdi></Link> is imported.</p>
            <Report of={made} />
          </>
        )}
      </div>
    </div>
  );
}

function Row(props: { to: string; name: string; more: preact.ComponentChildren; tools: preact.ComponentChildren }) {
  return (
    <tr>
      <th scope="row"><Link to={props.to}><bdi>{props.name}</bdi></Link></th>
      <td>{props.more}</td>
      <td class="tools"><div>{props.tools}</div></td>
    </tr>
  );
}

// Shop lists all that cut configs are made of.
export function Shop() {
  const configs = useLoad("configs", shop.cutConfigs);
  const libraries = useLoad("libraries", shop.libraries);
  const holders = useLoad("holders", shop.holders);
  const [removal, setRemoval] = useState<Removal | null>(null);
  const sending = useSend();

  const copyConfig = (c: CutConfig) => void sending.run(async () => {
    const made = await shop.createCutConfig(copyOf(c));
    navigate(`${root}/cut-configs/${made.id}`);
  });
  const copyLibrary = (l: LibrarySummary) => void sending.run(async () => {
    const { data } = await shop.library(l.id);
    const made = await shop.importLibrary(libraryFile(`Copy of ${l.name}`.slice(0, 190), data.tools), "mm", "");
    navigate(`${root}/tool-libraries/${made.id}`);
  });
  const askConfig = (c: CutConfig) => void sending.run(async () => {
    const projects = await shop.projectsOf(c.id);
    const users = projects.map((p) => `Project ${p.name}: its default`);
    if (c.isDefault) users.push("You: your default");
    setRemoval({
      kind: "cut config", name: c.name, users, remove: () => shop.deleteCutConfig(c.id),
      effect: "Projects go on without a default; who has it as the default gets the built-in one.",
    });
  });
  const askLibrary = (l: LibrarySummary) => void sending.run(async () => {
    const users = await shop.usersOf(l.id);
    setRemoval({
      kind: "tool library", name: l.name, users: users.map((u) => `Cut config ${u.name}`), remove: () => shop.deleteLibrary(l.id),
      effect: "Cut configs go on without these tools.",
    });
  });
  const askHolder = (h: Holder) => setRemoval({
    kind: "holder", name: h.name, users: [], remove: () => shop.deleteHolder(h.id), effect: "Tools keep their copy of it.",
  });
  const done = () => {
    setRemoval(null);
    void configs.again();
    void libraries.again();
    void holders.again();
  };
  const problem = configs.problem ?? libraries.problem ?? holders.problem;
  return (
    <Page title="Shop" lead="Machines, materials, tools and rates that parts are planned with."
      actions={<button type="button" class="main" onClick={() => navigate(`${root}/cut-configs/new`)}><Icon name="plus" />New cut config</button>}>
      {problem && <ProblemBox problem={problem} retry={done} />}
      {sending.problem && <ProblemBox problem={sending.problem} />}
      <section class="panel" aria-labelledby="configs">
        <h2 id="configs">Cut configs</h2>
        {!configs.data ? <Waiting what="Cut configs are read." /> : (
          <table class="list short shoplist" aria-label="Cut configs">
            <thead><tr><th scope="col">Name</th><th scope="col">For</th><th scope="col"><span class="unseen">Actions</span></th></tr></thead>
            <tbody>
              {configs.data.map((c) => (
                <Row key={c.id} to={`${root}/cut-configs/${c.id}`} name={c.name}
                  more={<>
                    <bdi>{String((c["machine"] as Doc)["name"])}</bdi>, <bdi>{String((c["material"] as Doc)["name"])}</bdi>
                    {c.isDefault && <> <span class="badge good">Default</span></>}
                    {!c.createdAt && <> <span class="badge">Built in: copy to change</span></>}
                    {c.updatedAt && <span class="fine">Changed {date(c.updatedAt)}</span>}
                  </>}
                  tools={<>
                    <button type="button" class="tool" disabled={sending.busy} aria-label={`Copy ${c.name}`} onClick={() => copyConfig(c)}>Copy</button>
                    {c.createdAt && <button type="button" class="tool" disabled={sending.busy} aria-label={`Delete ${c.name}`} onClick={() => askConfig(c)}>Delete</button>}
                  </>} />
              ))}
            </tbody>
          </table>
        )}
      </section>
      <section class="panel" aria-labelledby="libraries">
        <h2 id="libraries">Tool libraries</h2>
        <Import done={() => void libraries.again()} />
        {!libraries.data ? <Waiting what="Tool libraries are read." /> : (
          <table class="list short shoplist" aria-label="Tool libraries">
            <thead><tr><th scope="col">Name</th><th scope="col">Tools</th><th scope="col"><span class="unseen">Actions</span></th></tr></thead>
            <tbody>
              {libraries.data.map((l) => (
                <Row key={l.id} to={`${root}/tool-libraries/${l.id}`} name={l.name}
                  more={<>{plural(l.toolCount, "tool")}, <span class={"badge"}>{l.createdAt ? formatName(l.format) : "Built in: copy to change"}</span></>}
                  tools={<>
                    <button type="button" class="tool" disabled={sending.busy} aria-label={`Copy ${l.name}`} onClick={() => copyLibrary(l)}>Copy</button>
                    {l.createdAt && <button type="button" class="tool" disabled={sending.busy} aria-label={`Delete ${l.name}`} onClick={() => askLibrary(l)}>Delete</button>}
                  </>} />
              ))}
            </tbody>
          </table>
        )}
      </section>
      <section class="panel" aria-labelledby="holders">
        <div class="split">
          <h2 id="holders">Holders</h2>
          <button type="button" class="quiet" onClick={() => navigate(`${root}/holders/new`)}><Icon name="plus" />New holder</button>
        </div>
        {holders.data?.length === 0 && <p class="fine">No holder yet. Tools of imported libraries bring their own.</p>}
        {!holders.data ? <Waiting what="Holders are read." /> : holders.data.length > 0 && (
          <table class="list short shoplist" aria-label="Holders">
            <thead><tr><th scope="col">Name</th><th scope="col">Outline</th><th scope="col"><span class="unseen">Actions</span></th></tr></thead>
            <tbody>
              {holders.data.map((h) => (
                <Row key={h.id} to={`${root}/holders/${h.id}`} name={h.name} more={drawHolder(h, null, 46)}
                  tools={<button type="button" class="tool" aria-label={`Delete ${h.name}`} onClick={() => askHolder(h)}>Delete</button>} />
              ))}
            </tbody>
          </table>
        )}
      </section>
      {removal && <DeleteDialog of={removal} close={() => setRemoval(null)} done={done} />}
    </Page>
  );
}
