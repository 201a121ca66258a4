// The picture of a part. It loads the bundle with three.js and the mesh last, and does without them where it must.
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { effect } from "@preact/signals";
import type { Picture } from "./picture";
import { meshOf, thumbnailOf } from "./partapi";
import { colorings, type ColorBy, type PartModel } from "./partmodel";
import { PictureHelp } from "./picturehelp";
import { query, setQuery } from "./route";
import { Icon } from "./ui";
import { bytes, plural, typeName } from "./words";
import type { View } from "./viewer/camera";
import type { Mesh } from "./viewer/glb";
import type { Color } from "./viewer/model";
import type { Habit } from "./viewer/pointer";
import type { PartView } from "./viewer/part";

type Viewer = typeof import("./viewer/viewer");

// viewer loads the file with three.js once.
export const viewer = (): Promise<Viewer> => import("./viewer/viewer");

// A part is huge from these on. A person then asks for the picture.
const hugeTriangles = 1_000_000, hugeBytes = 50_000_000;

// rebuilds is the number of times that a lost picture is built again.
const rebuilds = 1;

type State =
  | { is: "starting" }
  | { is: "huge"; size: number }
  | { is: "loading"; bytes: number }
  | { is: "shown" }
  | { is: "absent"; sentence: string; again: boolean };

const habitKey = "millwright.mouse";
export const habitOf = () => (localStorage.getItem(habitKey) ?? "default") as Habit;
export const setHabit = (h: Habit) => localStorage.setItem(habitKey, h);

// camText and camOf write and read a view in the address.
export const camText = (v: View) =>
  [v.yaw.toFixed(1), v.pitch.toFixed(1), ...v.target.map((n) => n.toFixed(2)), v.height.toPrecision(5)].join("_") +
  (v.up === "z" ? "" : "_" + v.up);

export function camOf(text: string | null): View | null {
  const parts = (text ?? "").split("_"), n = parts.slice(0, 6).map(Number), up = parts[6] ?? "z";
  if (n.length < 6 || n.some((v) => !Number.isFinite(v)) || n[5]! <= 0 || !"xyz".includes(up)) return null;
  return { yaw: n[0]!, pitch: n[1]!, target: [n[2]!, n[3]!, n[4]!], height: n[5]!, up: up as View["up"] };
}

const variable = (name: string): Color => {
  const text = getComputedStyle(document.documentElement).getPropertyValue(name).trim();
  const n = parseInt(text.slice(1), 16);
  return [(n >> 16) & 255, (n >> 8) & 255, n & 255];
};

async function sizeOf(report: string): Promise<number> {
  const response = await fetch(meshOf(report), { method: "HEAD", credentials: "same-origin" });
  if (!response.ok) throw new Error(`The service answered with status ${response.status}.`);
  return Number(response.headers.get("X-Uncompressed-Length") ?? 0);
}

export function PictureView(props: { name: string; partId: string; model: PartModel; take: (p: Picture) => void }) {
  const { model } = props;
  const { result } = model;
  const host = useRef<HTMLDivElement>(null);
  const view = useRef<PartView | null>(null);
  const mesh = useRef<Mesh | null>(null);
  const lost = useRef(0);
  const [state, set] = useState<State>({ is: "starting" });
  const [asked, ask] = useState(0); // by the person: a huge part, or another try
  const [help, showHelp] = useState(false);

  useEffect(() => {
    const stop = new AbortController();
    let unsubscribe = () => {}, timer = 0;
    const absent = (sentence: string, again: boolean) => {
      if (!stop.signal.aborted) set({ is: "absent", sentence, again });
    };
    const build = (code: Viewer) => {
      const cam = camOf(query.peek().get("cam"));
      const saved = view.current?.camera.view ?? cam;
      const made = new code.PartView(host.current!, mesh.current!, variable("--picture-edge"), habitOf, {
        pick: (region, add) => model.pick(region, add),
        hover: (region) => (model.hoverRegion.value = region),
        viewed: (v) => {
          clearTimeout(timer);
          timer = setTimeout(() => setQuery({ cam: camText(v) }), 300);
        },
        lost: () => {
          unsubscribe();
          if (stop.signal.aborted) return;
          if (lost.current++ < rebuilds) build(code);
          else absent("The browser has taken the picture away twice; its graphics are short of memory.", true);
        },
      });
      if (saved) made.camera.view = saved;
      view.current = made;
      unsubscribe = effect(() => made.setStates(model.states()));
      requestAnimationFrame(() => { // the thumbnail goes when the first frame is there
        if (!stop.signal.aborted && view.current === made) set({ is: "shown" });
      });
    };
    const open = async () => {
      if (result.meshGlbUrl === null) return absent("The analysis made no mesh.", false);
      if (asked === 0 && result.meshTriangleCount > hugeTriangles / 4) {
        const size = await sizeOf(result.reportId);
        if (result.meshTriangleCount > hugeTriangles || size > hugeBytes) return set({ is: "huge", size });
      }
      set({ is: "loading", bytes: 0 });
      const code = viewer();
      let last = 0;
      if (!mesh.current) {
        const loaded = await (await code).load(meshOf(result.reportId), (n) => {
          if (n - last > 1e6) set({ is: "loading", bytes: (last = n) });
        }, stop.signal);
        mesh.current = loaded.mesh;
        performance.measure("mesh.parse", { duration: loaded.parse, start: 0 });
      }
      const three = await code;
      if (stop.signal.aborted) return;
      try {
        build(three);
        performance.mark("picture");
      } catch {
        absent("This browser shows no 3D: WebGL is off or missing. Features and figures are all here.", false);
      }
    };
    open().catch((e: Error) => absent(`The picture cannot be loaded. ${e.message}`, true));
    return () => {
      stop.abort();
      clearTimeout(timer);
      unsubscribe();
      view.current?.close();
      view.current = null;
    };
  }, [model, asked]);

  useEffect(() => {
    const dark = matchMedia("(prefers-color-scheme: dark)");
    const repaint = () => view.current?.setEdgeColor(variable("--picture-edge"));
    dark.addEventListener("change", repaint);
    return () => dark.removeEventListener("change", repaint);
  }, []);

  const picture = useMemo<Picture>(() => ({
    light: (regions, tone = "selected") => (model.lit.value = regions === null ? null : { regions, tone }),
    frame: (regions) => view.current?.frame(regions),
  }), [model]);
  useEffect(() => props.take(picture), [picture]);

  const key = (e: KeyboardEvent) => {
    const v = view.current;
    if (!v || e.ctrlKey || e.metaKey || e.altKey) return;
    const step = 0.06, camera = v.camera, tags = model.selected.value;
    const act: Record<string, () => void> = {
      f: () => v.fit(), h: () => model.hide(tags), i: () => tags.length > 0 && model.isolate(tags), u: () => model.showAll(),
      "?": () => showHelp(true), Escape: () => model.select([]),
      "+": () => camera.zoom(1.25), "=": () => camera.zoom(1.25), "-": () => camera.zoom(0.8),
      ArrowLeft: () => (e.shiftKey ? camera.pan(-step, 0) : camera.orbit(-step, 0)),
      ArrowRight: () => (e.shiftKey ? camera.pan(step, 0) : camera.orbit(step, 0)),
      ArrowUp: () => (e.shiftKey ? camera.pan(0, -step) : camera.orbit(0, -step)),
      ArrowDown: () => (e.shiftKey ? camera.pan(0, step) : camera.orbit(0, step)),
    };
    const run = /^[0-6]$/.test(e.key) ? () => v.standard(Number(e.key)) : act[e.key.length === 1 ? e.key.toLowerCase() : e.key];
    if (!run) return;
    e.preventDefault();
    run();
  };

  const shown = state.is === "shown";
  return (
    <section class="picture" aria-label="Picture">
      <div class="stage" ref={host} data-state={state.is} {...(shown ? {
        tabIndex: 0, role: "application", onKeyDown: key,
        "aria-label": `Picture of ${props.name}. Arrow keys turn it, digits show standard views, question mark shows help.`,
      } : {})}>
        {!shown && (
          <div class="standin">
            {result.thumbnailUrl !== null && <img src={thumbnailOf(props.partId, result.jobId)} alt={`Picture of ${props.name}`} />}
            {state.is === "huge" && (
              <p class="plate">
                {plural(result.meshTriangleCount, "triangle")} take the browser some time.
                <button type="button" onClick={() => ask(asked + 1)}>Show in 3D ({bytes(state.size)})</button>
              </p>
            )}
            {state.is === "loading" && state.bytes > 0 && <p class="plate" role="status">The mesh loads: {bytes(state.bytes)}</p>}
            {state.is === "absent" && (
              <p class="plate" role="status">
                <Icon name="info" />{state.sentence}
                {state.again && (
                  <button type="button" onClick={() => {
                    lost.current = 0;
                    ask(asked + 1);
                  }}>Try again</button>
                )}
              </p>
            )}
          </div>
        )}
      </div>
      {shown && <Bar model={model} view={() => view.current} help={() => showHelp(true)} />}
      {shown && <Under model={model} />}
      {help && <PictureHelp close={() => showHelp(false)} view={() => view.current} />}
    </section>
  );
}

// Under says what the pointer is over. Its place is always there, so that nothing moves.
function Under(props: { model: PartModel }) {
  const { model } = props;
  const r = model.hoverRegion.value;
  const legend = model.legend.value;
  const feature = r === null ? undefined : model.ofRegion.get(r)?.[0];
  const region = r === null ? undefined : model.result.regions.find((x) => x.idx === r);
  return (
    <>
      {legend.length > 0 && (
        <ul class="legend" aria-label="Colors">
          {legend.map((c) => (
            <li key={c.name}>
              <svg class="chip" viewBox="0 0 10 10" aria-hidden="true"><rect width="10" height="10" rx="2" fill={`rgb(${c.color.join(",")})`} /></svg>
              {c.name} <span class="fine">{plural(c.faces, "face")}</span>
            </li>
          ))}
        </ul>
      )}
      <p class="under fine" aria-hidden="true">
        {region ? `Face ${region.idx}, ${region.shapeKind}${feature ? ` · ${typeName(feature.featureType)}` : ""}` : "\u00a0"}
      </p>
    </>
  );
}

function Bar(props: { model: PartModel; view: () => PartView | null; help: () => void }) {
  const { model } = props;
  const tags = model.selected.value, hidden = model.hidden.value.size > 0;
  return (
    <div class="picturebar" role="group" aria-label="Picture">
      <label class="select">
        <span>Color by</span>
        <select value={model.colorBy.value}
          onChange={(e) => setQuery({ color: e.currentTarget.value === "plain" ? null : e.currentTarget.value })}>
          {Object.entries(colorings).map(([id, name]) => <option key={id} value={id as ColorBy}>{name}</option>)}
        </select>
      </label>
      <div class="buttons">
        <button type="button" class="quiet" title="F" onClick={() => props.view()?.fit()}>Fit</button>
        {tags.length > 0 && (
          <>
            <button type="button" class="quiet" title="H" onClick={() => model.hide(tags)}>Hide</button>
            <button type="button" class="quiet" title="I" onClick={() => model.isolate(tags)}>Isolate</button>
          </>
        )}
        {hidden && <button type="button" class="quiet" title="U" onClick={() => model.showAll()}>Show all</button>}
        <button type="button" class="quiet" title="?" aria-label="Views, mouse and keys" onClick={props.help}>?</button>
      </div>
    </div>
  );
}
