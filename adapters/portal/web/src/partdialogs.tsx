// Dialogs that rename and delete a part.
import { useId, useState } from "preact/hooks";
import { useSend } from "./load";
import { parts, type PartRecord } from "./partapi";
import { Dialog, ProblemBox } from "./ui";

export function RenamePart(props: { part: PartRecord; close: () => void; done: (p: PartRecord) => void }) {
  const id = useId();
  const [name, set] = useState(props.part.fileName);
  const sending = useSend();
  const save = (e: Event) => {
    e.preventDefault();
    void sending.run(async () => props.done(await parts.rename(props.part.id, name.trim())));
  };
  return (
    <Dialog title="Rename the part" close={props.close}>
      <form onSubmit={save}>
        {sending.problem && <ProblemBox title="The name is not changed." problem={sending.problem} />}
        <div class="field">
          <label for={id}>Name</label>
          <p class="fine" id={id + "h"}>A file name with its extension.</p>
          <input id={id} type="text" autocomplete="off" maxLength={255} required value={name} data-first
            aria-describedby={id + "h"} onInput={(e) => set(e.currentTarget.value)} />
        </div>
        <footer>
          <button type="button" class="quiet" onClick={props.close}>Cancel</button>
          <button type="submit" class="main" disabled={sending.busy || name.trim() === ""}>Save</button>
        </footer>
      </form>
    </Dialog>
  );
}

export function DeletePart(props: { part: PartRecord; close: () => void; done: () => void }) {
  const sending = useSend();
  return (
    <Dialog title="Delete the part" close={props.close}>
      {sending.problem && <ProblemBox title="The part is not deleted." problem={sending.problem} />}
      <p>
        <bdi class="strong">{props.part.fileName}</bdi> goes, with its file, its results and its programs. This cannot
        be undone.
      </p>
      <footer>
        <button type="button" class="quiet" data-first onClick={props.close}>Keep it</button>
        <button type="button" class="danger" disabled={sending.busy}
          onClick={() => void sending.run(async () => {
            await parts.remove(props.part.id);
            props.done();
          })}>
          Delete
        </button>
      </footer>
    </Dialog>
  );
}
