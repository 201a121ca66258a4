// A tool library: its tools by kind, and one tool with drawing, figures and cutting data.
import { useState } from "preact/hooks";
import { useLoad, useSend } from "../load";
import { navigate, query, setQuery } from "../route";
import { notice } from "../session";
import { Icon, Page, ProblemBox, Waiting } from "../ui";
import { plural } from "../words";
import { drawTool } from "./drawing";
import { Meanwhile, SaveBar, settled, useGuard, useSave, type Saved } from "./editor";
import { FaultList, Groups, useForm, type Form } from "./form";
import { choiceName, leaves, loadForms, made, same, type Doc, type Field, type Forms } from "./schema";
import { formatName, Report } from "./shop";
import { libraryFile, shop, type CutConfig, type Library } from "./shopapi";
import { extraColumns } from "./table";

const crumb = { to: "/portal/shop", text: "Shop" };

// LibraryPage shows a tool library by its id, and the tool that the query names.
export function LibraryPage(props: { id: string }) {
  const forms = useLoad("forms", loadForms);
  const record = useLoad(`library ${props.id}`, () => shop.library(props.id));
  const users = useLoad(`users ${props.id}`, () => shop.usersOf(props.id));
  const configs = useLoad("configs", shop.cutConfigs);
  const problem = forms.problem ?? record.problem ?? users.problem ?? configs.problem;
  if (problem) return <Page title="Tool library" crumb={crumb}><ProblemBox problem={problem} retry={() => {
    void forms.again();
    void record.again();
    void users.again();
    void configs.again();
  }} /></Page>;
  if (!forms.data || !record.data || !users.data || !configs.data) {
    return <Page title="Tool library" crumb={crumb}><Waiting what="The tool library is read." /></Page>;
  }
  return <Editor key={props.id} forms={forms.data} record={record.data} users={users.data} configs={configs.data} />;
}

const guessedOf = (t: Doc) => (t["guessed"] ?? []) as string[];

function Editor(props: { forms: Forms; record: Saved<Library & Doc> | { data: Library; tag: string }; users: CutConfig[]; configs: CutConfig[] }) {
  const [record, setRecord] = useState(props.record as { data: Library; tag: string });
  const library = record.data;
  const form = useForm({ name: library.name, tools: library.tools as unknown as Doc[] });
  const fixed = library.createdAt === null;
  const sending = useSend();
  const fields = props.forms.tool;
  const shape: Field[] = [{ ...fields[0]!, name: "tools", key: "tools", kind: "list", label: "Tools", unit: "", fields }];
  const base = { name: library.name, tools: library.tools as unknown as Doc[] };
  const tools = (form.doc["tools"] ?? []) as Doc[];
  const changed = tools.filter((t) => !same(t, base.tools.find((b) => b["id"] === t["id"])) || !t["id"]).length
    + base.tools.filter((b) => !tools.some((t) => t["id"] === b["id"])).length
    + (form.doc["name"] === base.name ? 0 : 1) + Object.keys(form.typed).length;
  useGuard(changed > 0 && !fixed);
  const take = (saved: { data: Library; tag: string }, doc?: Doc) => {
    setRecord(saved);
    form.replace(doc ?? { name: saved.data.name, tools: saved.data.tools as unknown as Doc[] });
  };
  const saving = useSave<Library & Doc>({
    form,
    read: () => shop.library(library.id) as Promise<Saved<Library & Doc>>,
    write: (doc, tag) => shop.saveLibrary(library.id, doc as { name: string; tools: Doc[] }, tag) as Promise<Saved<Library & Doc>>,
    done: (saved) => {
      take(saved);
      notice.value = `${saved.data.name} is saved. Its values count as confirmed, and programs that are made from now on use them.`;
    },
  });
  const at = tools.findIndex((t, i) => (t["id"] || `new${i}`) === query.value.get("tool"));
  const copy = () => void sending.run(async () => {
    const one = await shop.importLibrary(libraryFile(`Copy of ${library.name}`.slice(0, 190), library.tools), "mm", "");
    navigate(`/portal/shop/tool-libraries/${one.id}`);
  });
  const save = () => void saving.run(settledList(fields, form), record.tag);
  const guesses = tools.filter((t) => guessedOf(t).length > 0).length;
  const machine = (props.users[0] ?? props.configs.find((c) => c.isDefault))?.["machine"] as Doc | undefined;
  return (
    <Page title={library.name} crumb={crumb}
      lead={fixed ? "Built in: copy it to change it." : `${plural(library.toolCount, "tool")} from ${formatName(library.format)}`}
      actions={<button type="button" class={fixed ? "main" : "quiet"} disabled={sending.busy} onClick={copy}>{fixed ? "Copy to change" : "Copy"}</button>}>
      {sending.problem && <ProblemBox problem={sending.problem} />}
      <p class="usedby">
        {props.users.length === 0 ? "No cut config uses it." : <>Used by {props.users.map((u, i) => <span key={u.id}>{i > 0 && ", "}<bdi class="strong">{u.name}</bdi></span>)}.</>}
        {" "}Programs that were made keep the tools that they were made with.
      </p>
      {guesses > 0 && !fixed && (
        <div class="warning spaced">
          <Icon name="warning" />
          <span class="stretch">{plural(guesses, "tool has values", "tools have values")} that the file did not state. No program uses
            them before you look at them and save the library.</span>
          <button type="button" class="quiet" disabled={saving.busy} onClick={save}>All are right: confirm</button>
        </div>
      )}
      {library.report.skipped.length + library.report.guessed.length > 0 && (
        <details class="panel"><summary>Report of the import</summary><Report of={library} /></details>
      )}
      {(saving.tried > 0 || Object.keys(form.faults).length > 0) && <FaultList form={form} fields={tools.flatMap((t, i) => leaves(fields, t, `/tools/${i}`))} tries={saving.tried} />}
      {at >= 0
        ? <ToolEditor key={at} index={at} tool={tools[at]!} fields={fields} form={form} fixed={fixed} machine={machine} all={tools} />
        : <ToolTable tools={tools} fixed={fixed} form={form} fields={fields} />}
      {!fixed && <SaveBar busy={saving.busy} dirty={changed} problem={saving.problem} save={save} drop={() => take(record)} />}
      {saving.newer && (
        <Meanwhile fields={shape} base={base} mine={form.doc} now={{ name: saving.newer.data.name, tools: saving.newer.data.tools as unknown as Doc[] }}
          what="tool library" close={() => saving.setNewer(null)}
          keep={() => {
            take(saving.newer!, mergeTools(base.tools, tools, saving.newer!.data.tools as unknown as Doc[], form.doc));
            saving.setNewer(null);
          }}
          drop={() => {
            take(saving.newer!);
            saving.setNewer(null);
          }} />
      )}
    </Page>
  );
}

// settledList is the library with the figures that are still typed.
function settledList(fields: Field[], form: Form): Doc | null {
  const tools = ((form.doc["tools"] ?? []) as Doc[]).map((t, i) => {
    const above = `/tools/${i}`;
    const typed = Object.fromEntries(Object.entries(form.typed).filter(([p]) => p.startsWith(above + "/"))
      .map(([p, text]) => [p.slice(above.length), text]));
    return settled(fields, { ...form, doc: t, typed });
  });
  return tools.some((t) => t === null) ? null : { ...form.doc, tools: tools as Doc[] };
}

// mergeTools puts the changed tools of one person among those of another.
function mergeTools(base: Doc[], mine: Doc[], now: Doc[], doc: Doc): Doc {
  const before = new Map(base.map((t) => [t["id"], t]));
  const own = mine.filter((t) => !t["id"] || !same(t, before.get(t["id"])));
  const gone = base.filter((b) => !mine.some((t) => t["id"] === b["id"])).map((t) => t["id"]);
  const kept = now.filter((t) => !gone.includes(t["id"]!)).map((t) => own.find((o) => o["id"] === t["id"]) ?? t);
  return { ...doc, tools: [...kept, ...own.filter((o) => !kept.includes(o))] };
}

const figure = (v: unknown) => (typeof v === "number" ? String(Number(v.toPrecision(6))) : "");

function ToolTable(props: { tools: Doc[]; fixed: boolean; form: Form; fields: Field[] }) {
  const [kind, setKind] = useState("");
  const [text, setText] = useState("");
  const kinds = [...new Set(props.tools.map((t) => t["kind"] as string))];
  const numbers = props.tools.map((t) => t["number"]).filter((n) => n !== null && n !== undefined);
  const twice = [...new Set(numbers.filter((n, i) => numbers.indexOf(n) !== i))];
  const wanted = text.trim().toLowerCase();
  const rows = props.tools.map((tool, i) => ({ tool, id: (tool["id"] as string) || `new${i}` }))
    .filter(({ tool }) => (kind === "" || tool["kind"] === kind)
      && `${tool["name"]} ${choiceName(tool["kind"] as string)} ${figure(tool["diameter"])} T${tool["number"]}`.toLowerCase().includes(wanted));
  const most = 200;
  const add = () => {
    const tool: Doc = { ...made(props.fields), name: "New tool", kind: "flatEndMill", diameter: 10, fluteLength: 22, overallLength: 72, shankDiameter: 10, bodyLength: 40, fluteCount: 3 };
    props.form.set("/tools", [...props.tools, tool]);
    setQuery({ tool: `new${props.tools.length}` });
  };
  return (
    <section class="panel" aria-label="Tools">
      {twice.length > 0 && <p class="warning spaced"><Icon name="warning" /><span>More than one tool has the number {twice.join(", ")}.</span></p>}
      <div class="filters">
        <label class="select"><span>Kind</span>
          <select value={kind} onChange={(e) => setKind(e.currentTarget.value)}>
            <option value="">All kinds ({props.tools.length})</option>
            {kinds.map((k) => <option key={k} value={k}>{choiceName(k)} ({props.tools.filter((t) => t["kind"] === k).length})</option>)}
          </select>
        </label>
        <label class="select"><span>Find</span>
          <input type="text" value={text} autocomplete="off" placeholder="name, diameter, T number" onInput={(e) => setText(e.currentTarget.value)} />
        </label>
        {!props.fixed && <button type="button" class="quiet" onClick={add}><Icon name="plus" />New tool</button>}
      </div>
      <div class="scroll" tabIndex={0} role="group" aria-label="Tools of the library">
        <table class="figures toollist" aria-label="Tools">
          <thead><tr><th scope="col">Name</th><th scope="col">Kind</th><th scope="col">T</th><th scope="col">Diameter, mm</th><th scope="col">Flutes</th><th scope="col">Flute length, mm</th><th scope="col">Below the holder, mm</th></tr></thead>
          <tbody>
            {rows.slice(0, most).map(({ tool, id }) => (
              <tr key={id}>
                <th scope="row">
                  <button type="button" class="link" onClick={() => setQuery({ tool: id })}><bdi>{(tool["name"] as string) || "Unnamed"}</bdi></button>
                  {guessedOf(tool).length > 0 && <> <span class="badge warn">{guessedOf(tool).length} guessed</span></>}
                </th>
                <td>{choiceName(tool["kind"] as string)}</td><td>{figure(tool["number"])}</td><td>{figure(tool["diameter"])}</td>
                <td>{figure(tool["fluteCount"])}</td><td>{figure(tool["fluteLength"])}</td><td>{figure(tool["bodyLength"])}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {rows.length > most && <p class="fine">The first {most} of {rows.length}. Choose a kind or type what you look for.</p>}
      {rows.length === 0 && <p class="fine">No tool is like this.</p>}
    </section>
  );
}

function ToolEditor(props: {
  index: number; tool: Doc; fields: Field[]; form: Form; fixed: boolean; machine: Doc | undefined; all: Doc[];
}) {
  const { tool, form, index } = props;
  const [lit, light] = useState<string | null>(null);
  const above = `/tools/${index}`;
  const top = Math.min((props.machine?.["maxSpindleRpm"] as number | undefined) ?? Infinity, (tool["maxRpm"] as number | null) ?? Infinity);
  extraColumns["presets"] = (row) => {
    const wanted = ((row["surfaceSpeed"] as number) * 1000) / (Math.PI * (tool["diameter"] as number));
    const rpm = Math.min(wanted, top);
    const feed = rpm * (row["feedPerTooth"] as number) * (tool["fluteCount"] as number);
    const text = (v: number) => (Number.isFinite(v) && v > 0 ? Math.round(v).toLocaleString("en-US") : "–");
    return [["rpm", text(rpm) + (wanted > top ? " (limit)" : "")], ["Feed, mm/min", text(feed)]];
  };
  const kind = tool["kind"] as string;
  const fits = (f: Field): boolean => {
    if (f.name === "tipAngleDeg") return ["drill", "centerDrill", "spotDrill", "countersink", "chamferMill", "dovetailMill"].includes(kind) || tool[f.name] !== null;
    if (f.name === "tipDiameter") return ["drill", "centerDrill", "spotDrill", "countersink", "chamferMill"].includes(kind) || (tool[f.name] ?? null) !== null;
    if (f.name === "pitch") return ["tapRightHand", "threadMill"].includes(kind) || tool[f.name] !== null;
    return true;
  };
  const equal = props.all.some((t, i) => i !== index && t["number"] === tool["number"] && tool["number"] !== null && tool["number"] !== undefined);
  const name = (tool["name"] as string) || "Unnamed tool";
  return (
    <section aria-label={name}>
      <div class="split toolhead">
        <h2><bdi>{name}</bdi></h2>
        <div class="buttons">
          <button type="button" class="quiet" onClick={() => setQuery({ tool: null })}>All tools</button>
          {!props.fixed && (
            <>
              <button type="button" class="quiet" onClick={() => {
                form.set("/tools", [...props.all, { ...tool, id: "", name: `Copy of ${name}` }]);
                setQuery({ tool: `new${props.all.length}` });
              }}>Copy the tool</button>
              <button type="button" class="quiet" disabled={props.all.length === 1} onClick={() => {
                setQuery({ tool: null });
                form.set("/tools", props.all.filter((_, i) => i !== index));
              }}>Remove the tool</button>
            </>
          )}
        </div>
      </div>
      {equal && <p class="warning spaced"><Icon name="warning" /><span>Another tool has the number {String(tool["number"])} too.</span></p>}
      <div class="tooledit">
        <div class="picturepanel panel">{drawTool(tool, lit)}</div>
        <div>
          <Groups form={form} fields={props.fields.filter(fits)} above={above} search="" fixed={props.fixed} guessed={guessedOf(tool)} light={light} />
        </div>
      </div>
    </section>
  );
}
