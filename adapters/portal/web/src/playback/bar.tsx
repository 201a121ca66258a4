// The bar of a playback: play, time with its marks, speed, and what the picture shows.
import type { ComponentChildren } from "preact";
import { wrong } from "../machining";
import type { Finding } from "../programtypes";
import type { At, Ready } from "./wire";

const speeds = [
  { factor: 1, name: "Programmed feed" }, { factor: 5, name: "5 times as fast" },
  { factor: 20, name: "20 times as fast" }, { factor: 50, name: "50 times as fast" },
  { factor: 200, name: "200 times as fast" },
];

export interface BarProps {
  ready: Ready | null; // null: the controls are off
  at: At | null;
  said: string; // the moment in words
  findings: readonly Finding[];
  playing: boolean;
  speed: number;
  play: () => void;
  toTime: (second: number) => void;
  toMove: (operation: number, move: number) => void;
  setSpeed: (factor: number) => void;
  children: ComponentChildren; // further choices
}

export function Bar(props: BarProps) {
  const { ready, at } = props;
  return (
    <fieldset class="playbar" disabled={!ready} aria-label="Controls of the playback">
      <button type="button" class="main" disabled={!ready} onClick={props.play}>
        {props.playing ? "Stop" : "Play"}
      </button>
      <div class="timebar">
        {ready && <Marks ready={ready} findings={props.findings} go={props.toMove} />}
        <input type="range" aria-label="Time in the setup" min={0} max={ready?.seconds ?? 1} step="any"
          value={at?.time ?? 0} aria-valuetext={props.said}
          onInput={(e) => props.toTime(Number(e.currentTarget.value))} />
      </div>
      <label class="select">
        Speed
        <select value={props.speed} onChange={(e) => props.setSpeed(Number(e.currentTarget.value))}>
          {speeds.map((s) => <option key={s.factor} value={s.factor}>{s.name}</option>)}
        </select>
      </label>
      {props.children}
    </fieldset>
  );
}

// Marks are the beginnings of operations, the changes of tools and the findings. The page lists the findings too.
function Marks(props: {
  ready: Ready; findings: readonly Finding[]; go: (operation: number, move: number) => void;
}) {
  const { operations, seconds, findings } = props.ready;
  const x = (s: number) => (seconds > 0 ? (100 * s) / seconds : 0);
  return (
    <div class="timemarks" aria-hidden="true">
      <svg viewBox="0 0 100 10" preserveAspectRatio="none">
        {operations.map((o, i) => {
          const isChange = i === 0 || operations[i - 1]!.tool !== o.tool;
          return (
            <rect key={o.id} class={isChange ? "timemark change" : "timemark"} x={x(o.begin)} y={isChange ? 0 : 4}
              width={0.25} height={isChange ? 10 : 6} onClick={() => props.go(i, -1)}>
              <title>Operation {o.id}{isChange ? `, tool T${o.tool}` : ""}</title>
            </rect>
          );
        })}
      </svg>
      {props.findings.map((f, n) => (findings[n] ?? -1) >= 0 && (
        <button key={n} type="button" class="findingmark" tabIndex={-1} title={wrong(f)}
          style={{ left: `${x(findings[n]!)}%` }}
          onClick={() => props.go(operations.findIndex((o) => o.id === f.operationId), f.move)} />
      ))}
    </div>
  );
}
