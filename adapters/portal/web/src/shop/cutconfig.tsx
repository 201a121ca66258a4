// A cut config: a form made from the interface description, and a part planned with it.
import { useState } from "preact/hooks";
import { useLoad, useSend } from "../load";
import { navigate } from "../route";
import { carried, notice } from "../session";
import { date } from "../time";
import { Page, ProblemBox, Waiting } from "../ui";
import { Compare } from "./compare";
import { differences, Meanwhile, SaveBar, settled, useGuard, useSave, type Saved } from "./editor";
import { FaultList, Groups, useForm } from "./form";
import { valueAt, groupName, leaves, loadForms, made, same, type Doc, type Field, type Forms, type Json } from "./schema";
import { copyOf } from "./shop";
import { shop, type CutConfig } from "./shopapi";

const crumb = { to: "/portal/shop", text: "Shop" };

// body is what a cut config is saved as.
function body(of: Doc): Doc {
  const { id: _, createdAt: _c, updatedAt: _u, ...rest } = of;
  return rest;
}

// CutConfigPage shows a cut config by its id; "new" is one that is not saved yet.
export function CutConfigPage(props: { id: string }) {
  const fresh = props.id === "new";
  const forms = useLoad("forms", loadForms);
  const record = useLoad(`cutconfig ${props.id}`, async (): Promise<Saved<CutConfig> | null> =>
    fresh ? null : shop.cutConfig(props.id));
  const others = useLoad("cutconfigs", shop.cutConfigs);
  const libraries = useLoad("libraries", shop.libraries);
  const problem = forms.problem ?? record.problem ?? libraries.problem ?? others.problem;
  if (problem) {
    return <Page title="Cut config" crumb={crumb}><ProblemBox problem={problem} retry={() => {
      void forms.again();
      void record.again();
      void others.again();
      void libraries.again();
    }} /></Page>;
  }
  if (!forms.data || (!fresh && !record.data) || !others.data || !libraries.data) {
    return <Page title="Cut config" crumb={crumb}><Waiting what="The cut config is read." /></Page>;
  }
  return <Editor key={props.id} forms={forms.data} record={record.data} others={others.data} libraries={libraries.data} />;
}

function Editor(props: {
  forms: Forms; record: Saved<CutConfig> | null; others: CutConfig[]; libraries: { id: string; name: string }[];
}) {
  const fields = props.forms.cutConfig;
  const [record, setRecord] = useState(props.record);
  const form = useForm(record ? body(record.data) : { ...made(fields), name: "" });
  const [search, setSearch] = useState("");
  const sending = useSend();
  const fixed = record !== null && !record.data.createdAt;
  const id = record?.data.id ?? "";
  const base = record ? body(record.data) : made(fields);
  const saving = useSave<CutConfig>({
    form,
    read: () => shop.cutConfig(id),
    write: async (doc, tag) => {
      if (record) return shop.saveCutConfig(id, doc, tag);
      const one = await shop.createCutConfig(doc);
      carried.value = `${one.name} is made.`;
      navigate(`/portal/shop/cut-configs/${one.id}`, true);
      return { data: one, tag: "" };
    },
    done: (saved) => {
      if (!record) return; // the page of the new one is open
      setRecord(saved);
      form.replace(body(saved.data));
      notice.value = `${saved.data.name} is saved. Parts that are planned from now on use it.`;
    },
  });
  const changed = differences(fields, base, form.doc).length + Object.keys(form.typed).length;
  useGuard(changed > 0 && !fixed);
  const all = leaves(fields, form.doc);
  const copy = () => void sending.run(async () => {
    const one = await shop.createCutConfig(copyOf(record!.data));
    carried.value = `${one.name} is yours. Change what differs at your machine.`;
    navigate(`/portal/shop/cut-configs/${one.id}`);
  });
  const fill = (group: string, from: CutConfig) => {
    const change = all.concat(leaves(fields, from)).filter(({ field, pointer }) =>
      field.group === group && group !== "general" && !same(valueAt(form.doc, pointer), valueAt(from, pointer)))
      .map(({ pointer }): [string, Json] => [pointer, valueAt(from, pointer) ?? null]);
    form.fill(change, from.name);
  };
  const name = record?.data.name ?? "New cut config";
  return (
    <Page title={name} crumb={crumb}
      lead={fixed ? "Built in: copy it to change it." : record?.data.updatedAt ? `Changed ${date(record.data.updatedAt)}` : "Not saved yet"}
      actions={record && <button type="button" class={fixed ? "main" : "quiet"} disabled={sending.busy} onClick={copy}>
        {fixed ? "Copy to change" : "Copy"}
      </button>}>
      {sending.problem && <ProblemBox problem={sending.problem} />}
      {record && <Compare config={record.data} configs={props.others} unsaved={changed > 0 && !fixed} />}
      {(saving.tried > 0 || Object.keys(form.faults).length > 0) && <FaultList form={form} fields={all} tries={saving.tried} />}
      <div class="field search">
        <label for="formsearch">Find a field</label>
        <input id="formsearch" type="text" autocomplete="off" value={search} placeholder="spindle, jaw, price…"
          onInput={(e) => setSearch(e.currentTarget.value)} />
      </div>
      <form onSubmit={(e) => { e.preventDefault(); void saving.run(settled(fields, form), record?.tag ?? ""); }}>
        <Groups form={form} fields={fields} search={search} fixed={fixed} options={{ toolLibraryIds: props.libraries }}
          head={(group, mine) => fixed || group === "general" ? null : (
            <Fill group={group} fields={mine} others={props.others.filter((o) => o.id !== id)} fill={(o) => fill(group, o)} />
          )} />
        {!fixed && <SaveBar busy={saving.busy} dirty={changed} problem={saving.problem} label={record ? "Save" : "Create cut config"}
          save={() => void saving.run(settled(fields, form), record?.tag ?? "")} drop={() => form.replace(base)} />}
      </form>
      {saving.newer && record && (
        <Meanwhile fields={fields} base={base} mine={form.doc} now={body(saving.newer.data)} what="cut config"
          close={() => saving.setNewer(null)}
          keep={(doc) => {
            setRecord(saving.newer);
            form.replace(doc);
            saving.setNewer(null);
          }}
          drop={() => {
            setRecord(saving.newer);
            form.replace(body(saving.newer!.data));
            saving.setNewer(null);
          }} />
      )}
    </Page>
  );
}

// Fill takes the values of a group from another cut config.
function Fill(props: { group: string; fields: Field[]; others: CutConfig[]; fill: (from: CutConfig) => void }) {
  return (
    <label class="select">
      <span>Fill from</span>
      <select value="" aria-label={`Fill ${groupName(props.group)} from`}
        onChange={(e) => {
          const from = props.others.find((o) => o.id === e.currentTarget.value);
          if (from) props.fill(from);
          e.currentTarget.value = "";
        }}>
        <option value="">another cut config…</option>
        {props.others.map((o) => <option key={o.id} value={o.id}>{o.name}</option>)}
      </select>
    </label>
  );
}
