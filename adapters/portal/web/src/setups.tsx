// The setups of a program: the picture, how the part is held with figures, and the operations.
import { useState } from "preact/hooks";
import { Figure, Lit, type Lights } from "./lights";
import { coordinates, duration, number, spaced, strategy } from "./machining";
import { pictureOf } from "./programs";
import type { Box, Document, MachiningTime, Operation, Program, Setup } from "./programtypes";
import { capital, directionName, plural } from "./words";

const size = (b: Box) => `${number(b.max.x - b.min.x)} × ${number(b.max.y - b.min.y)} × ${number(b.max.z - b.min.z)} mm`;

// jaws are the figures of what holds the part, from its boxes in the frame of the setup.
function jaws(setup: Setup) {
  const solid = setup.workholding.solid;
  if (solid.length !== 2) return null;
  const [a, b] = solid as [Box, Box];
  const gaps = (["x", "y"] as const).map((k) =>
    ({ k, gap: Math.max(a.min[k], b.min[k]) - Math.min(a.max[k], b.max[k]) }));
  const across = gaps[0]!.gap > gaps[1]!.gap ? gaps[0]! : gaps[1]!;
  const along = across.k === "x" ? "y" : "x";
  return {
    opening: `${number(across.gap)} mm across ${across.k.toUpperCase()}`,
    grip: `${number(Math.max(a.max.z, b.max.z) - setup.stock.min.z)} mm deep`,
    width: `${number(a.max[along] - a.min[along])} mm`,
    top: `Z ${number(Math.max(a.max.z, b.max.z))}`,
  };
}

function Held(props: { setup: Setup; safe: number | undefined; seconds: number | undefined }) {
  const { setup, safe, seconds } = props;
  const held = jaws(setup);
  return (
    <>
      <p class="held"><span class="strong">{capital(spaced(setup.workholding.kind))}.</span> {setup.workholding.text}</p>
      <dl class="figuresof">
        {held && <Figure label="Jaws open">{held.opening}</Figure>}
        {held && <Figure label="Grip">{held.grip}</Figure>}
        {held && <Figure label="Jaw width">{held.width}</Figure>}
        {held && <Figure label="Top of the jaws">{held.top}</Figure>}
        {!held && <Figure label="Jaws">{setup.workholding.solid.length === 0 ? "none in the proof" : setup.workholding.solid.length}</Figure>}
        <Figure label="Stock">{size(setup.stock)}</Figure>
        <Figure label="Work offset">{setup.workOffset} (G{53 + setup.workOffset})</Figure>
        <Figure label="Origin in the part">{coordinates(setup.origin)}</Figure>
        {safe !== undefined && <Figure label="Safe height">Z {number(safe)}</Figure>}
        {seconds !== undefined && <Figure label="Time">{duration(seconds)}</Figure>}
      </dl>
    </>
  );
}

// what is an operation in words.
const what = (o: Operation) => {
  const depth = o.top - o.bottom;
  return strategy(o.strategy) + (depth > 0 ? ` ${number(depth)} mm deep` : "");
};

function OperationRow(props: { o: Operation; tool: string; seconds: number | undefined; lights: Lights }) {
  const { o, tool, seconds, lights } = props;
  const [open, setOpen] = useState(false);
  const name = `${o.operationId} ${what(o)}`;
  return (
    <>
      <tr>
        <th scope="row">
          {o.regionIdxs.length > 0 ? (
            <Lit {...lights} id={`operation ${o.operationId}`} regions={o.regionIdxs} tone="made" class="lightrow">
              <span>{name}</span>
            </Lit>
          ) : <span class="plainrow">{name}</span>}
        </th>
        <td data-label="Tool">T{o.toolNumber} <span class="fine"><bdi>{tool}</bdi></span></td>
        <td data-label="rpm">{number(o.spindleRpm, 0)}</td>
        <td data-label="Feed, mm/min">{number(o.feed, 0)}</td>
        <td data-label="Deep × wide, mm">{`${number(o.axialDepth)}\u00a0×\u00a0${number(o.radialDepth)}`}</td>
        <td data-label="Time">{seconds === undefined ? "" : duration(seconds)}</td>
        <td class="more">
          <button type="button" class="tool" aria-expanded={open} aria-label={`${open ? "Less" : "More"} about ${name}`}
            onClick={() => setOpen(!open)}>{open ? "Less" : "More"}</button>
        </td>
      </tr>
      {open && (
        <tr class="detail">
          <td colSpan={7}>
            <ul class="dots">
              {o.notes.map((n, i) => <li key={i}>{n}</li>)}
              <li>{o.regionIdxs.length > 0 ? `Makes ${plural(o.regionIdxs.length, "face")}` : "Clears the way"}, from
                Z {number(o.top)} to Z {number(o.bottom)}; coolant: {spaced(o.coolant)}.</li>
              {(o.stockToLeaveRadial > 0 || o.stockToLeaveAxial > 0) && (
                <li>Leaves {number(o.stockToLeaveRadial)} mm at walls and {number(o.stockToLeaveAxial)} mm on floors.</li>
              )}
              {o.plungeFeed > 0 && <li>Plunges at {number(o.plungeFeed, 0)} mm/min.</li>}
              {o.provenance.map((p) => {
                const [field, ...rest] = p.split(": ");
                return <li key={p}>{capital(spaced(field!))}: {rest.join(": ")}.</li>;
              })}
            </ul>
          </td>
        </tr>
      )}
    </>
  );
}

// SetupPicture is the drawing of the setup sheet; a program of an earlier release may have none.
function SetupPicture(props: { src: string; alt: string }) {
  const [gone, setGone] = useState(false);
  if (gone) return <p class="fine">There is no picture of this setup. Plan the part again to get one.</p>;
  return <img class="setuppicture" src={props.src} alt={props.alt} onError={() => setGone(true)} />;
}

// Setups lists the setups in the order of the work.
export function Setups(props: {
  part: string; program: Program; time: MachiningTime | null; document: Document | null | undefined; lights: Lights;
}) {
  const { part, program: p, time, lights } = props;
  const tools = new Map(p.tools.map((t) => [t.number, t.name || `${spaced(t.kind)} ${number(t.diameter)} mm`]));
  return (
    <>
      {p.setups.map((s) => {
        const times = time?.setups.find((x) => x.index === s.index);
        return (
          <details class="panel setup" key={s.index} open={s.index === 1}>
            <summary>
              <h2>Setup {s.index}, from {directionName(s.direction)}</h2>
              <span class="fine">
                {[capital(spaced(s.workholding.kind)), plural(s.operations.length, "operation"),
                  ...(times ? [duration(times.totalSeconds)] : [])].join(" · ")}
              </span>
            </summary>
            <SetupPicture src={pictureOf(part, p.id, s.index)} alt={`Drawing of setup ${s.index}: stock, jaws and part.`} />
            <Held setup={s} safe={props.document?.setups.find((x) => x.number === s.index)?.safe}
              seconds={times?.totalSeconds} />
            <table class="operations" aria-label={`Operations of setup ${s.index}`}>
              <thead>
                <tr>
                  <th scope="col">Operation</th><th scope="col">Tool</th><th scope="col">rpm</th>
                  <th scope="col">Feed</th><th scope="col">Deep × wide</th><th scope="col">Time</th>
                  <th scope="col"><span class="unseen">Details</span></th>
                </tr>
              </thead>
              <tbody>
                {s.operations.map((o) => (
                  <OperationRow key={o.operationId} o={o} tool={tools.get(o.toolNumber) ?? ""} lights={lights}
                    seconds={times?.operations.find((x) => x.operationId === o.operationId)?.seconds} />
                ))}
              </tbody>
            </table>
          </details>
        );
      })}
    </>
  );
}
