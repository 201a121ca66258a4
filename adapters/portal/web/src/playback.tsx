// The tab of the playback: tool, stock and time of one setup of a program together, with the line under the tool.
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { send, type Problem } from "./api";
import { GcodeView, underTool } from "./gcode";
import { useLoad } from "./load";
import { duration, number, spaced } from "./machining";
import { capital } from "./words";
import type { TabProps } from "./picture";
import { habitOf, viewer } from "./pictureview";
import { linesOf, moveOfLine, Player } from "./playback/player";
import type { At, OperationInfo, Ready } from "./playback/wire";
import { WithProgram } from "./programbar";
import type { Box, Operation, Program } from "./programtypes";
import { query, setQuery } from "./route";
import { Icon, ProblemBox, Waiting } from "./ui";
import type { PlaybackView } from "./viewer/playback";

const speeds = [
  { factor: 1, name: "Programmed feed" }, { factor: 5, name: "5 times as fast" }, { factor: 20, name: "20 times as fast" },
  { factor: 50, name: "50 times as fast" }, { factor: 200, name: "200 times as fast" },
];

// airFactor is how much faster rapids are played when the air is skipped.
const airFactor = 20;

// stepsOfShift is the number of moves of an arrow key with shift.
const stepsOfShift = 10;

type State =
  | { is: "building"; share: number }
  | { is: "ready"; ready: Ready }
  | { is: "failed"; reason: Error };

type Want = { time: number } | { operation: number; move: number };

const corner = (v: { x: number; y: number; z: number }): [number, number, number] => [v.x, v.y, v.z];
const boxOf = (b: Box) => ({ min: corner(b.min), max: corner(b.max) });

// PlaybackTab plays the chosen program.
export function PlaybackTab(props: TabProps) {
  return (
    <WithProgram part={props.part.id}>
      {(program, summary) => <Setups key={program.id + summary.status} part={props.part.id} program={program} />}
    </WithProgram>
  );
}

function Setups(props: { part: string; program: Program }) {
  const { part, program: p } = props;
  const asked = Number(query.value.get("setup"));
  const setup = asked >= 1 && asked <= p.setups.length ? asked : 1;
  if (p.setups.length === 0) return <p class="panel">The program has no setups, so there is nothing to play.</p>;
  return <Playing key={setup} part={part} program={p} setup={setup} />;
}

function Playing(props: { part: string; program: Program; setup: number }) {
  const { part, program: p, setup } = props;
  const [state, set] = useState<State>({ is: "building", share: 0 });
  const [at, setAt] = useState<At | null>(null);
  const [playing, play] = useState(false);
  const [speed, setSpeed] = useState(20);
  const [skip, setSkip] = useState(true);
  const [compared, compare] = useState(false);
  const [absent, setAbsent] = useState("");
  const player = useRef<Player | null>(null);
  const view = useRef<PlaybackView | null>(null);
  const host = useRef<HTMLDivElement>(null);
  const now = useRef<At | null>(null);
  const clock = useRef(0); // s, that is shown or asked for
  const post = p.gcode.find((g) => g.setup === setup)?.post ?? "";
  const of = p.setups[setup - 1]!;
  const ready = state.is === "ready" ? state.ready : null;
  const lines = useLoad(`lines ${p.id} ${setup} ${post}`, async () => post === "" ? null : send<Parameters<typeof linesOf>[0]>("GET",
    `/parts/${encodeURIComponent(part)}/programs/${encodeURIComponent(p.id)}/lines?setup=${setup}&post=${post}`));
  const lineOf = useMemo(() => ready && lines.data && lines.data.motion === ready.motion
    ? linesOf(lines.data, ready.operations.map((o) => o.moves)) : null, [ready, lines.data]);
  const findings = useMemo(() => (p.verification?.findings ?? []).filter((f) => f.setupIndex === setup), [p, setup]);

  const go = (to: Want) => {
    if ("time" in to) clock.current = to.time;
    player.current?.go(to);
  };

  useEffect(() => {
    let over = false;
    const made = new Player(part, p.id, setup, {
      building: (share) => set({ is: "building", share }),
      ready: (r) => {
        set({ is: "ready", ready: r });
        const t = Number(query.peek().get("t"));
        go(Number.isFinite(t) && t > 0 ? { time: Math.min(t, r.seconds) } : { operation: 0, move: -1 });
        void viewer().then((code) => {
          if (over || !host.current) return;
          try {
            const v = new code.PlaybackView(host.current, habitOf, () => {}, () => {
              view.current = null;
              setAbsent("The browser has taken the picture away. Open the tab again.");
            });
            view.current = v;
            v.setScene(r.box, of.workholding.solid.map(boxOf));
            draw(now.current, r);
          } catch {
            setAbsent("This browser shows no 3D: WebGL is off or missing. Times, moves and lines are all here.");
          }
        });
      },
      at: (a) => {
        const change = now.current?.operation !== a.operation;
        now.current = a;
        clock.current = Math.abs(clock.current - a.time) < 1e-9 ? clock.current : a.time;
        setAt(a);
        draw(a, null, change);
      },
      failed: (reason) => set({ is: "failed", reason }),
    });
    let known: Ready | null = null, fault = false;
    const draw = (a: At | null, r: Ready | null, change = true) => {
      known = r ?? known;
      const v = view.current;
      if (!v || !a || !known) return;
      const o = known.operations[a.operation]!;
      if (change || r) v.setTool(known.tools.find((t) => t.number === o.tool) ?? null);
      const wrong = findings.some((f) => f.operationId === o.id && f.move === a.move);
      if (wrong !== fault || change) v.setFault((fault = wrong));
      v.show(a.tip, a.surface, a.path, a.kinds);
    };
    player.current = made;
    return () => {
      over = true;
      made.close();
      view.current?.close();
      view.current = null;
      underTool.value = null;
    };
  }, [part, p.id, setup]);

  const line = at && lineOf ? lineOf[at.operation]?.[at.move] ?? null : null;
  useEffect(() => {
    underTool.value = line === null ? null : { program: p.id, setup, line };
  }, [line]);

  useEffect(() => {
    if (!playing || !ready) return;
    let frame = 0, last = performance.now();
    const tick = (t: number) => {
      const isAir = skip && now.current?.feed === 0;
      clock.current = Math.min(ready.seconds, clock.current + ((t - last) / 1000) * speed * (isAir ? airFactor : 1));
      last = t;
      go({ time: clock.current });
      if (clock.current >= ready.seconds) return play(false);
      frame = requestAnimationFrame(tick);
    };
    frame = requestAnimationFrame(tick);
    return () => cancelAnimationFrame(frame);
  }, [playing, speed, skip, ready]);

  // The address has the moment that is shown while nothing moves.
  useEffect(() => {
    if (playing || !at) return;
    const timer = setTimeout(() => setQuery({ program: p.id, setup: String(setup), t: at.time.toFixed(1) }), 400);
    return () => clearTimeout(timer);
  }, [playing, at?.time]);

  const toMove = (operation: number, move: number) => {
    play(false);
    if (ready) go({ operation: Math.max(0, Math.min(operation, ready.operations.length - 1)), move });
  };
  // step goes to the end of another move, over the borders of operations.
  const step = (by: number) => {
    if (!ready || !at) return;
    let { operation, move } = at;
    move += by;
    while (move < -1 && operation > 0) move += ready.operations[--operation]!.moves + 1;
    while (move >= ready.operations[operation]!.moves && operation + 1 < ready.operations.length) {
      move -= ready.operations[operation++]!.moves + 1;
    }
    toMove(operation, Math.max(-1, move));
  };
  const toSetup = (n: number) => {
    if (n >= 1 && n <= p.setups.length) setQuery({ setup: String(n), t: null });
  };
  const key = (e: KeyboardEvent) => {
    const on = e.target as HTMLElement;
    if (!ready || e.ctrlKey || e.metaKey || e.altKey || on.matches("select, input[type=text], input[type=checkbox]")) return;
    if (e.key === " " && on.matches("button, summary")) return;
    const actions: Record<string, () => void> = {
      " ": () => play(!playing),
      ArrowRight: () => step(e.shiftKey ? stepsOfShift : 1), ArrowLeft: () => step(e.shiftKey ? -stepsOfShift : -1),
      ArrowDown: () => toMove((at?.operation ?? 0) + 1, -1), ArrowUp: () => toMove((at?.operation ?? 0) - 1, -1),
      "[": () => toSetup(setup - 1), "]": () => toSetup(setup + 1),
      Home: () => toMove(0, -1), End: () => toMove(ready.operations.length - 1, Infinity),
    };
    const act = actions[e.key];
    if (!act || (on.closest(".codelist") && e.key !== " ")) return;
    e.preventDefault();
    act();
  };

  useEffect(() => {
    const v = view.current;
    if (!v) return;
    v.compare(compared);
  }, [compared]);

  const info = at && ready ? ready.operations[at.operation]! : null;
  const plan = info ? of.operations.find((o) => o.operationId === info.id) : undefined;
  const said = at && info
    ? `${duration(at.time)}, operation ${info.id}, move ${number(at.move + 1)}` : "The preview is built";
  return (
    <section class="playback" aria-label="Playback" onKeyDown={key}>
      <div class="playbackhead">
        <label class="select">
          Setup
          <select value={setup} onChange={(e) => toSetup(Number(e.currentTarget.value))}>
            {p.setups.map((_, i) => <option key={i} value={i + 1}>{i + 1} of {p.setups.length}</option>)}
          </select>
        </label>
        <p class="fine previewlabel"><Icon name="info" /> A preview; the proof is the server's.</p>
      </div>
      {state.is === "failed" && (
        <ProblemBox title="The playback cannot be shown. Times and operations are on the tab Program."
          problem={{ code: "playback", requestId: "", ...state.reason, message: state.reason.message } as unknown as Problem} />
      )}
      <div class="playbackplace">
        <div class="stage" ref={host}>
          {state.is === "building" && (
            <div class="standin"><p role="status">Building the preview: {number(Math.floor(100 * state.share))} %</p></div>
          )}
          {absent !== "" && <div class="standin"><p>{absent}</p></div>}
        </div>
        {p.gcode.length > 0 && p.status === "ready" && (
          <div class="panel playbackcode">
            <GcodeView part={part} program={p} setup={setup} post={post} line={line}
              onPick={(n) => {
                const to = lineOf && moveOfLine(lineOf, n);
                if (to) toMove(to.operation, to.move);
              }} />
          </div>
        )}
      </div>
      <div class="playbar">
        <button type="button" class="main" disabled={!ready} onClick={() => {
          if (ready && !playing && clock.current >= ready.seconds) clock.current = 0;
          play(!playing);
        }}>
          {playing ? "Stop" : "Play"}
        </button>
        <div class="timebar">
          {ready && <Marks ready={ready} findings={findings} go={(o, m) => toMove(o, m)} />}
          <input type="range" aria-label="Time in the setup" min={0} max={ready?.seconds ?? 1} step="any" disabled={!ready}
            value={at?.time ?? 0} aria-valuetext={said}
            onInput={(e) => { play(false); go({ time: Number(e.currentTarget.value) }); }} />
        </div>
        <label class="select">
          Speed
          <select value={speed} disabled={!ready} onChange={(e) => setSpeed(Number(e.currentTarget.value))}>
            {speeds.map((s) => <option key={s.factor} value={s.factor}>{s.name}</option>)}
          </select>
        </label>
        <label class="choice"><input type="checkbox" checked={skip} onChange={() => setSkip(!skip)} /> Skip air</label>
        <label class="choice">
          <input type="checkbox" checked={compared} disabled={!ready} onChange={() => compare(!compared)} /> Compare with the part
        </label>
      </div>
      {compared && (
        <ul class="legend comparison" aria-label="Colors at the end of an operation">
          <li><span class="swatch left" /> More than 0.1 mm left</li>
          <li><span class="swatch within" /> Within 0.1 mm</li>
          <li><span class="swatch below" /> More than 0.1 mm below the part</li>
          <li class="fine">
            {at && info && at.move === info.moves - 1 && at.isServer
              ? "The server's stock at the end of this operation." : "Shown at the end of an operation, where the stock is the server's."}
          </li>
        </ul>
      )}
      {!at && state.is === "ready" && <Waiting what="The first moment is drawn." />}
      {at && info && ready && <ReadOut at={at} info={info} plan={plan} program={p} ready={ready} line={line} />}
      <details class="more">
        <summary>Keys</summary>
        <p class="fine">
          Space plays and stops. ← and → go by a move, with shift by ten; ↑ and ↓ by an operation; [ and ] by a setup; Home and End
          to the ends. A click on a line of g-code goes to its move.
        </p>
      </details>
    </section>
  );
}

// Marks are the beginnings of operations, the changes of tools and the findings on the bar.
function Marks(props: {
  ready: Ready; findings: { operationId: string | null; move: number; kind: string }[]; go: (operation: number, move: number) => void;
}) {
  const { operations, seconds } = props.ready;
  const x = (s: number) => (seconds > 0 ? (100 * s) / seconds : 0);
  return (
    <svg class="marks" viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true">
      {operations.map((o, i) => {
        const isChange = i === 0 || operations[i - 1]!.tool !== o.tool;
        return (
          <rect key={o.id} class={isChange ? "mark change" : "mark"} x={x(o.begin)} y={isChange ? 0 : 4} width={0.25}
            height={isChange ? 10 : 6} onClick={() => props.go(i, -1)}>
            <title>Operation {o.id}{isChange ? `, tool T${o.tool}` : ""}</title>
          </rect>
        );
      })}
      {props.findings.map((f, n) => {
        const i = operations.findIndex((o) => o.id === f.operationId);
        if (i < 0) return null;
        const o = operations[i]!, share = o.moves > 0 ? Math.max(0, f.move) / o.moves : 0;
        return (
          <rect key={n} class="mark finding" x={x(o.begin + share * (o.end - o.begin))} y={0} width={0.6} height={10}
            onClick={() => props.go(i, f.move)}><title>{capital(f.kind)}</title></rect>
        );
      })}
    </svg>
  );
}

function ReadOut(props: { at: At; info: OperationInfo; plan: Operation | undefined; program: Program; ready: Ready; line: number | null }) {
  const { at, info, plan, ready } = props;
  const tool = props.program.tools.find((t) => t.number === info.tool);
  const left = ready.seconds - at.time;
  return (
    <dl class="readout">
      <div class="wide"><dt>Operation</dt><dd>{info.id}{plan ? `, ${spaced(plan.strategy)}` : ""}</dd></div>
      <div class="wide"><dt>Tool</dt><dd>T{info.tool} {tool && <bdi>{tool.name}</bdi>}{info.undercut && " · an undercutting tool: the stock changes at the end of its operation"}</dd></div>
      <div><dt>X</dt><dd>{at.tip[0].toFixed(3)}</dd></div>
      <div><dt>Y</dt><dd>{at.tip[1].toFixed(3)}</dd></div>
      <div><dt>Z</dt><dd>{at.tip[2].toFixed(3)}</dd></div>
      <div><dt>Feed</dt><dd>{at.feed === 0 ? "rapid" : `${number(at.feed, 0)} mm/min`}</dd></div>
      <div><dt>Spindle</dt><dd>{number(info.spindleRpm, 0)} rpm</dd></div>
      <div><dt>Time</dt><dd>{duration(at.time)}, {duration(Math.max(0, left))} left</dd></div>
      <div><dt>Move</dt><dd>{number(at.move + 1)} of {number(info.moves)}</dd></div>
      <div><dt>Line</dt><dd>{props.line === null ? "–" : number(props.line)}</dd></div>
    </dl>
  );
}
