// The dialog of the picture: standard views, the up axis, the habit of the mouse, and the keys.
import { useEffect, useState } from "preact/hooks";
import { habitOf, setHabit, viewer } from "./pictureview";
import { Dialog } from "./ui";
import type { PartView } from "./viewer/part";
import type { Habit } from "./viewer/pointer";
import type { Up } from "./viewer/camera";

const keys = [
  ["0 to 6", "Isometric, front, back, left, right, top, bottom"], ["F", "Fit the part"],
  ["Arrows", "Turn; with Shift, move"], ["+ and −", "Zoom"], ["H, I, U", "Hide or isolate what is selected, show all"],
  ["Esc", "Select nothing"], ["Click", "Select the feature of a face; again, the next one of it; with Shift, add"],
  ["Double click", "Turn about that point"], ["Wheel", "Zoom to the pointer"],
];

export function PictureHelp(props: { close: () => void; view: () => PartView | null }) {
  const [names, set] = useState<{ habits: Record<string, string>; views: { name: string }[] } | null>(null);
  const [habit, choose] = useState<Habit>(habitOf());
  const [up, turn] = useState<Up>(props.view()?.camera.view.up ?? "z");
  useEffect(() => {
    void viewer().then((v) => set({ habits: v.habits, views: v.standardViews }));
  }, []);
  return (
    <Dialog title="Views, mouse and keys" close={props.close}>
      <h3>Views</h3>
      <div class="buttons">
        {names?.views.map((v, i) => (
          <button key={v.name} type="button" class="quiet" onClick={() => {
            props.view()?.standard(i);
            props.close();
          }}>{v.name}</button>
        ))}
      </div>
      <div class="field">
        <label for="up">Axis that points up</label>
        <select id="up" value={up} onChange={(e) => {
          const axis = e.currentTarget.value as Up;
          turn(axis);
          props.view()?.camera.setUp(axis);
          props.view()?.fit();
        }}>
          {["x", "y", "z"].map((a) => <option key={a} value={a}>{a.toUpperCase()}</option>)}
        </select>
      </div>
      <div class="field">
        <label for="habit">Mouse</label>
        <select id="habit" value={habit} onChange={(e) => {
          choose(e.currentTarget.value as Habit);
          setHabit(e.currentTarget.value as Habit);
        }}>
          {Object.entries(names?.habits ?? {}).map(([id, name]) => <option key={id} value={id}>{name}</option>)}
        </select>
      </div>
      <h3>Keys, while the picture has the focus</h3>
      <dl class="keys">
        {keys.map(([key, text]) => <><dt><kbd>{key}</kbd></dt><dd>{text}</dd></>)}
      </dl>
      <footer><button type="button" class="main" onClick={props.close}>Close</button></footer>
    </Dialog>
  );
}
