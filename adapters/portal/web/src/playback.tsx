// The tab of the playback: tool, stock and time of one setup of a program together, with the line under the tool.
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { send, type Problem } from "./api";
import { GcodeView, underTool } from "./gcode";
import { useLoad } from "./load";
import { duration, number } from "./machining";
import type { TabProps } from "./picture";
import { camOf, camText } from "./pictureview";
import { Bar } from "./playback/bar";
import { faultOf } from "./playback/fault";
import { linesOf, moveOfLine, Player, TooLarge } from "./playback/player";
import { Comparison, Findings, ReadOut, Undercut } from "./playback/readout";
import { Scene } from "./playback/scene";
import type { At, Ready } from "./playback/wire";
import { WithProgram } from "./programbar";
import { atStart } from "./programs";
import type { Finding, Program } from "./programtypes";
import { query, setQuery } from "./route";
import { Icon, ProblemBox, Waiting } from "./ui";
import { bytes } from "./words";

// airFactor is how much faster rapids are played when the air is skipped.
const airFactor = 20;

// stepsOfShift is the number of moves of an arrow key with shift.
const stepsOfShift = 10;

// pause (ms) is the time between the steps of a playback without motion.
const pause = 1000;

type State =
  | { is: "building"; share: number }
  | { is: "ready"; ready: Ready }
  | { is: "large"; size: number }
  | { is: "failed"; reason: Error };

type Want = { time: number } | { operation: number; move: number };

// loadedAnyway are the programs whose moves a person has asked for in spite of their size.
const loadedAnyway = new Set<string>();

// PlaybackTab plays the chosen program.
export function PlaybackTab(props: TabProps) {
  return (
    <WithProgram part={props.part.id}>
      {(program, summary) => <Setups key={program.id + summary.status} part={props.part.id} program={program} />}
    </WithProgram>
  );
}

// setupOf is the setup of an address, from 1.
function setupOf(address: URLSearchParams, p: Program): number {
  const asked = Number(address.get("setup"));
  return asked >= 1 && asked <= p.setups.length ? asked : 1;
}

function Setups(props: { part: string; program: Program }) {
  const { part, program: p } = props;
  const setup = setupOf(query.value, p);
  if (p.setups.length === 0) return <p class="panel">The program has no setups, so there is nothing to play.</p>;
  return <Playing key={setup} part={part} program={p} setup={setup} />;
}

// asked is the moment of the address, else the begin.
function asked(r: Ready): Want {
  const q = query.peek(), t = Number(q.get("t")), move = Number(q.get("move") ?? "-1");
  const operation = r.operations.findIndex((o) => o.id === q.get("op"));
  if (operation >= 0 && Number.isInteger(move)) return { operation, move };
  return Number.isFinite(t) && t > 0 ? { time: Math.min(t, r.seconds) } : { operation: 0, move: -1 };
}

function Playing(props: { part: string; program: Program; setup: number }) {
  const { part, program: p, setup } = props;
  const [state, set] = useState<State>({ is: "building", share: 0 });
  const [at, setAt] = useState<At | null>(null);
  const [playing, play] = useState(false);
  const [speed, setSpeed] = useState(20);
  const [skip, setSkip] = useState(true);
  const [compared, compare] = useState(false);
  const [isWhole, showWhole] = useState(false);
  const [absent, setAbsent] = useState<{ sentence: string; again: boolean }>({ sentence: "", again: false });
  const [isAtRest, rest] = useState(false);
  const [round, setRound] = useState(0); // of loading: another one where the person asks for it
  const player = useRef<Player | null>(null);
  const scene = useRef<Scene | null>(null);
  const host = useRef<HTMLDivElement>(null);
  const now = useRef<At | null>(null);
  const want = useRef<Want>({ time: 0 });
  const clock = useRef(0); // s, that is shown or asked for
  const post = p.gcode.find((g) => g.setup === setup)?.post ?? "";
  const of = p.setups[setup - 1]!;
  const ready = state.is === "ready" ? state.ready : null;
  const address = `/parts/${encodeURIComponent(part)}/programs/${encodeURIComponent(p.id)}`;
  const lines = useLoad(`lines ${p.id} ${setup} ${post}`, async () => post === "" ? null
    : send<Parameters<typeof linesOf>[0]>("GET", `${address}/lines?setup=${setup}&post=${post}`));
  const lineOf = useMemo(() => ready && lines.data && lines.data.motion === ready.motion
    ? linesOf(lines.data, ready.operations.map((o) => o.moves)) : null, [ready, lines.data]);
  const findings = useMemo(() => (p.verification?.findings ?? []).filter((f) => f.setupIndex === setup), [p, setup]);

  // note writes what is shown into the address, unless that names another setup already.
  const note = (change: Record<string, string | null>) => {
    if (setupOf(query.peek(), p) === setup) setQuery(change);
  };
  const go = (to: Want) => {
    if ("time" in to) clock.current = to.time;
    want.current = to;
    rest(false);
    player.current?.go(to);
  };

  useEffect(() => {
    let shown: Ready | null = null, timer = 0;
    const made = new Player({
      part, program: p.id, setup, isAnyway: loadedAnyway.has(p.id),
      findings: findings.map((f) => ({ operation: f.operationId ?? "", move: f.move })),
    }, {
      building: (share) => set({ is: "building", share }),
      ready: (r) => {
        set({ is: "ready", ready: (shown = r) });
        scene.current = new Scene(host.current!, r, of.workholding.solid, camOf(query.peek().get("view")), {
          viewed: (v) => {
            clearTimeout(timer);
            timer = window.setTimeout(() => note({ view: camText(v) }), 300);
          },
          picked: (second) => {
            play(false);
            go({ time: second });
          },
          absent: (sentence, again) => setAbsent({ sentence, again }),
        });
        go(asked(r));
      },
      isDrawn: () => scene.current?.isDrawn ?? true,
      at: (a, isLast) => {
        now.current = a;
        rest(isLast);
        if (!("time" in want.current)) clock.current = a.time;
        setAt(a);
        scene.current?.show(a, faultOf(foundAt(findings, shown, a)));
      },
      path: (operation, trace) => {
        if (operation === now.current?.operation) scene.current?.showWhole(trace);
      },
      failed: (reason) => set(
        reason instanceof TooLarge ? { is: "large", size: reason.bytes } : { is: "failed", reason }),
    });
    player.current = made;
    return () => {
      clearTimeout(timer);
      made.close();
      scene.current?.close();
      scene.current = null;
      underTool.value = null;
    };
  }, [part, p.id, setup, round]);

  const line = at && lineOf ? lineOf[at.operation]?.[at.move] ?? null : null;
  useEffect(() => {
    underTool.value = line === null ? null : { program: p.id, setup, line };
  }, [line]);

  useEffect(() => {
    if (!playing || !ready) return;
    let frame = 0, last = performance.now();
    const advance = (t: number) => {
      const by = ((t - last) / 1000) * speed, air = skip ? now.current?.airUntil ?? 0 : 0; // never over a cut
      const to = Math.max(clock.current + by, Math.min(clock.current + airFactor * by, air));
      go({ time: Math.min(ready.seconds, to) });
      last = t;
      if (clock.current >= ready.seconds) play(false);
    };
    if (matchMedia("(prefers-reduced-motion: reduce)").matches) {
      const timer = setInterval(() => advance(performance.now()), pause);
      return () => clearInterval(timer);
    }
    const tick = (t: number) => {
      frame = requestAnimationFrame(tick);
      advance(Math.max(t, last));
    };
    frame = requestAnimationFrame(tick);
    return () => cancelAnimationFrame(frame);
  }, [playing, speed, skip, ready]);

  const info = at && ready ? ready.operations[at.operation]! : null;

  // The address has the moment that is shown while nothing moves.
  useEffect(() => {
    if (playing || !at || !info) return;
    const moment = "time" in want.current
      ? { t: at.time.toFixed(3), op: null, move: null } : { t: null, op: info.id, move: String(at.move) };
    const timer = setTimeout(() => note({ program: p.id, setup: String(setup), ...moment }), 400);
    return () => clearTimeout(timer);
  }, [playing, at]);

  useEffect(() => scene.current?.compare(compared), [compared, ready]);
  useEffect(() => {
    scene.current?.showWhole(null);
    if (isWhole && at) player.current?.whole(at.operation);
  }, [isWhole, at?.operation, ready]);

  const toMove = (operation: number, move: number) => {
    play(false);
    if (ready && operation >= 0) go({ operation: Math.min(operation, ready.operations.length - 1), move });
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
    if (n >= 1 && n <= p.setups.length) setQuery({ setup: String(n), ...atStart });
  };
  const toggle = () => {
    if (ready && !playing && clock.current >= ready.seconds) go({ time: 0 });
    play(!playing);
  };
  const key = (e: KeyboardEvent) => {
    const on = e.target as HTMLElement;
    if (!ready || e.ctrlKey || e.metaKey || e.altKey) return;
    if (on.matches("select, input[type=text], input[type=checkbox]")) return;
    if (e.key === " " && on.matches("button, summary")) return;
    const actions: Record<string, () => void> = {
      " ": toggle,
      ArrowRight: () => step(e.shiftKey ? stepsOfShift : 1), ArrowLeft: () => step(e.shiftKey ? -stepsOfShift : -1),
      ArrowDown: () => toMove((at?.operation ?? 0) + 1, -1),
      ArrowUp: () => toMove(Math.max(0, (at?.operation ?? 0) - 1), -1),
      "[": () => toSetup(setup - 1), "]": () => toSetup(setup + 1),
      Home: () => toMove(0, -1), End: () => toMove(ready.operations.length - 1, Infinity),
      f: () => scene.current?.fit(),
    };
    const act = /^[0-6]$/.test(e.key) ? () => scene.current?.standard(Number(e.key)) : actions[e.key];
    if (!act || (on.closest(".codelist") && e.key !== " ")) return;
    e.preventDefault();
    act();
  };

  const plan = info ? of.operations.find((o) => o.operationId === info.id) : undefined;
  const shown = at ? foundAt(findings, ready, at) : [];
  const said = at && info
    ? `${duration(at.time)}, operation ${info.id}, move ${number(at.move + 1)}` : "The preview is built";
  const isEnd = !!at && !!info && at.move === info.moves - 1 && at.isServer;
  const hasCode = p.gcode.length > 0 && p.status === "ready";
  const motion = playing ? "playing" : isAtRest ? "rest" : "moving";
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
      <div class={hasCode ? "playbackplace coded" : "playbackplace"}>
        <div class="stage" ref={host} data-state={state.is === "ready" ? motion : state.is}>
          {state.is === "building" && (
            <div class="standin"><p role="status">Building the preview: {number(Math.floor(100 * state.share))} %</p></div>
          )}
          {state.is === "large" && (
            <div class="standin">
              <p class="plate">
                The program has very many moves. Times and operations are on the tab Program.
                <button type="button" onClick={() => {
                  loadedAnyway.add(p.id);
                  set({ is: "building", share: 0 });
                  setRound(round + 1);
                }}>Show anyway ({bytes(state.size)})</button>
              </p>
            </div>
          )}
          {absent.sentence !== "" && (
            <div class="standin">
              <p class="plate" role="status">
                <Icon name="info" />{absent.sentence}
                {absent.again && <button type="button" onClick={() => scene.current?.again()}>Try again</button>}
              </p>
            </div>
          )}
        </div>
        <Bar ready={ready} at={at} said={said} findings={findings} playing={playing} speed={speed} play={toggle}
          toTime={(second) => {
            play(false);
            go({ time: second });
          }} toMove={toMove} setSpeed={setSpeed}>
          <label class="choice"><input type="checkbox" checked={skip} onChange={() => setSkip(!skip)} /> Skip air</label>
          <label class="choice">
            <input type="checkbox" checked={isWhole} onChange={() => showWhole(!isWhole)} /> Whole path
          </label>
          <label class="choice">
            <input type="checkbox" checked={compared} onChange={() => compare(!compared)} /> Compare with the part
          </label>
        </Bar>
        {hasCode && (
          <div class="panel playbackcode">
            <GcodeView part={part} program={p} setup={setup} post={post} line={line}
              onPick={(n) => {
                const to = lineOf && moveOfLine(lineOf, n);
                if (to) toMove(to.operation, to.move);
              }} />
          </div>
        )}
      </div>
      {findings.length > 0 && <Findings findings={findings} shown={shown} ready={ready} go={toMove} />}
      {compared && <Comparison isShown={isEnd} />}
      {info?.undercut && <Undercut />}
      {!at && state.is === "ready" && <Waiting what="The first moment is drawn." />}
      {at && info && ready && (
        <ReadOut at={at} info={info} plan={plan} program={p} ready={ready} line={line} fault={faultOf(shown)} />
      )}
      <details class="more">
        <summary>Keys</summary>
        <p class="fine">
          Space plays and stops. ← and → go by a move, with shift by ten; ↑ and ↓ by an operation; [ and ] by a setup; Home
          and End to the ends. F fits the picture, 0 to 6 turn it to a standard view. A click on a line of g-code, or on the
          path in the picture, goes there.
        </p>
      </details>
    </section>
  );
}

// foundAt are the findings of the move that is shown.
function foundAt(all: readonly Finding[], ready: Ready | null, at: At): Finding[] {
  const id = ready?.operations[at.operation]?.id;
  return all.filter((f) => f.operationId === id && f.move === at.move);
}
