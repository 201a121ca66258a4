// What a playback says about a moment: operation, tool with its drawing, place, feed, time, move, and findings there.
import { duration, number, spaced, wrong } from "../machining";
import type { Finding, Operation, Program } from "../programtypes";
import { drawOutline } from "../shop/drawing";
import { Icon } from "../ui";
import { plural } from "../words";
import type { Fault } from "./fault";
import type { At, OperationInfo, Ready } from "./wire";

export function ReadOut(props: {
  at: At; info: OperationInfo; plan: Operation | undefined; program: Program; ready: Ready; line: number | null;
  fault: Fault;
}) {
  const { at, info, plan, ready } = props;
  const tool = props.program.tools.find((t) => t.number === info.tool);
  const shape = ready.tools.find((t) => t.number === info.tool);
  const left = ready.seconds - at.time;
  return (
    <div class="moment">
      {shape && shape.outline.length > 1
        ? drawOutline(shape.outline, props.fault.zones, `Outline of T${info.tool} to scale, as it was cut with`, 190)
        : <p class="fine">The program states no shape of T{info.tool}.</p>}
      <dl class="readout">
        <div class="wide"><dt>Operation</dt><dd>{info.id}{plan ? `, ${spaced(plan.strategy)}` : ""}</dd></div>
        <div class="wide"><dt>Tool</dt><dd>T{info.tool} {tool && <bdi>{tool.name}</bdi>}</dd></div>
        <div><dt>X</dt><dd>{at.tip[0].toFixed(3)}</dd></div>
        <div><dt>Y</dt><dd>{at.tip[1].toFixed(3)}</dd></div>
        <div><dt>Z</dt><dd>{at.tip[2].toFixed(3)}</dd></div>
        <div><dt>Feed</dt><dd>{at.feed === 0 ? "rapid" : `${number(at.feed, 0)} mm/min`}</dd></div>
        <div><dt>Spindle</dt><dd>{number(info.spindleRpm, 0)} rpm</dd></div>
        <div><dt>Time</dt><dd>{duration(at.time)}</dd></div>
        <div><dt>Left</dt><dd>{duration(Math.max(0, left))}</dd></div>
        <div><dt>Move</dt><dd>{number(at.move + 1)} of {number(info.moves)}</dd></div>
        <div><dt>Line</dt><dd>{props.line === null ? "–" : number(props.line)}</dd></div>
      </dl>
    </div>
  );
}

// Undercut says why the stock stays as it is.
export const Undercut = () => (
  <p class="warning programnote" role="status">
    <Icon name="info" />
    <span>An undercutting tool: the stock changes at the end of this operation, where it is that of the proof.</span>
  </p>
);

// Findings are what the proof found in the setup, each with its move.
export function Findings(props: {
  findings: readonly Finding[]; shown: readonly Finding[]; ready: Ready | null;
  go: (operation: number, move: number) => void;
}) {
  const { findings, ready } = props;
  return (
    <section class="playfindings" aria-label="Findings of the proof">
      <p>
        <Icon name="warning" /> The proof found {plural(findings.length, "fault")} in this setup. What collides is red.
      </p>
      <ul>
        {findings.map((f, n) => (
          <li key={n}>
            {f.operationId !== null && (
              <button type="button" class="tool" disabled={!ready || (ready.findings[n] ?? -1) < 0}
                aria-current={props.shown.includes(f) ? "true" : undefined}
                onClick={() => props.go(ready!.operations.findIndex((o) => o.id === f.operationId), f.move)}>
                Operation {f.operationId}, move {number(f.move + 1)}
              </button>
            )}
            <span>{wrong(f)}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}

// Comparison names the colors of the stock at the end of an operation.
export const Comparison = (props: { isShown: boolean }) => (
  <ul class="legend comparison" aria-label="Colors at the end of an operation">
    <li><span class="swatch left" /> More than 0.1 mm left</li>
    <li><span class="swatch within" /> Within 0.1 mm</li>
    <li><span class="swatch below" /> More than 0.1 mm below the part</li>
    <li class="fine">
      {props.isShown ? "The server's stock at the end of this operation."
        : "Shown at the end of an operation, where the stock is the server's."}
    </li>
  </ul>
);
