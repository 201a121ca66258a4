// A holder: its cones as rows beside their drawing.
import { useState } from "preact/hooks";
import { useLoad, useSend } from "../load";
import { navigate } from "../route";
import { carried } from "../session";
import { Page, ProblemBox, Waiting } from "../ui";
import { drawHolder } from "./drawing";
import { settled, useGuard, useSave, type Saved } from "./editor";
import { FaultList, Groups, useForm } from "./form";
import { leaves, loadForms, type Doc, type Field } from "./schema";
import { copyOf } from "./shop";
import { shop, type Holder } from "./shopapi";

const crumb = { to: "/portal/shop", text: "Shop" };

// HolderPage shows a holder by its id; "new" makes one.
export function HolderPage(props: { id: string }) {
  const forms = useLoad("forms", loadForms);
  const record = useLoad(`holder ${props.id}`, async () => (props.id === "new" ? null : shop.holder(props.id)));
  const problem = forms.problem ?? record.problem;
  if (problem) return <Page title="Holder" crumb={crumb}><ProblemBox problem={problem} retry={() => void record.again()} /></Page>;
  if (!forms.data || (props.id !== "new" && !record.data)) return <Page title="Holder" crumb={crumb}><Waiting what="The holder is read." /></Page>;
  return <Editor key={props.id} fields={forms.data.holder} record={record.data} />;
}

const first: Doc = { name: "", gaugeLength: 100, cones: [{ diameterBottom: 28, diameterTop: 28, height: 70 }, { diameterBottom: 63, diameterTop: 63, height: 30 }] };

function Editor(props: { fields: Field[]; record: Saved<Holder> | null }) {
  const { fields, record } = props;
  const form = useForm(record ? { ...copyOf(record.data), name: record.data.name } : first);
  const [lit, light] = useState<string | null>(null);
  const sending = useSend();
  const saving = useSave<Holder>({
    form,
    read: () => shop.holder(record!.data.id),
    write: async (doc) => ({ data: await shop.createHolder(doc), tag: "" }),
    done: (saved) => {
      carried.value = `${saved.data.name} is made.`;
      navigate(`/portal/shop/holders/${saved.data.id}`, true);
    },
  });
  useGuard(record === null && form.doc["name"] !== "");
  const all = leaves(fields, form.doc);
  const copy = () => void sending.run(async () => {
    const one = await shop.createHolder(copyOf(record!.data));
    navigate(`/portal/shop/holders/${one.id}`);
  });
  return (
    <Page title={record?.data.name ?? "New holder"} crumb={crumb}
      lead={record ? "A holder stays as it is, since tools keep a copy of it. Copy it for another one." : "From the tool's end to the spindle."}
      actions={record && <button type="button" disabled={sending.busy} onClick={copy}>Copy</button>}>
      {sending.problem && <ProblemBox problem={sending.problem} />}
      {saving.problem && <ProblemBox problem={saving.problem} />}
      {saving.tried > 0 && <FaultList form={form} fields={all} tries={saving.tried} />}
      <div class="tooledit">
        <div class="picturepanel panel">{drawHolder(form.doc, lit)}</div>
        <form onSubmit={(e) => { e.preventDefault(); void saving.run(settled(fields, form), ""); }}>
          <Groups form={form} fields={fields} search="" fixed={record !== null} light={light} />
          {!record && <button type="submit" class="main" disabled={saving.busy}>Create holder</button>}
        </form>
      </div>
    </Page>
  );
}
