// The tab of the price: time and price by quantity, what drives it, and all assumptions.
import { useState } from "preact/hooks";
import { useLoad } from "./load";
import { dollars, duration, number, wholeDollars } from "./machining";
import type { TabProps } from "./picture";
import { WithProgram } from "./programbar";
import { programApi } from "./programs";
import type { Estimate, Program } from "./programtypes";
import { ProblemBox, Waiting } from "./ui";

// quantities are the batches of the table.
const quantities = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10000];

const parts: [keyof Estimate["breakdown"], string, string][] = [
  ["materialCents", "Material", "the stock, by weight"],
  ["setupCents", "Preparation", "of the setups, and programming, shared by the batch"],
  ["machiningCents", "Machining", "cutting and rapids"],
  ["toolChangeCents", "Tool changes", "by the machine"],
  ["handlingCents", "Handling", "putting the part in and taking it out"],
];

const batch = (n: number) => (n === 1 ? "a single part" : `a part of ${number(n)}`);

const share = (part: number, all: number) => number((100 * part) / all, 1) + " %";

const qualities = { fast: "from the features of the part, before there are moves", refined: "from the moves of the program" };

function Breakdown(props: { estimate: Estimate }) {
  const { estimate: e } = props;
  const sum = parts.reduce((n, [key]) => n + e.breakdown[key], 0) || 1;
  const most = parts.reduce((a, b) => (e.breakdown[b[0]] > e.breakdown[a[0]] ? b : a));
  return (
    <section class="panel" aria-labelledby="drives">
      <h2 id="drives">What drives the price of {batch(e.quantity)}</h2>
      <p>
        {most[1]} is the largest part: {dollars(e.breakdown[most[0]])} of {dollars(e.costCents)}, {share(e.breakdown[most[0]], sum)}.
      </p>
      <svg class="pricebar" viewBox="0 0 1000 24" preserveAspectRatio="none" aria-hidden="true">
        {parts.map(([key], i) => {
          const before = parts.slice(0, i).reduce((n, [k]) => n + e.breakdown[k], 0);
          return <rect key={key} class={`s${i}`} x={(1000 * before) / sum} width={(1000 * e.breakdown[key]) / sum} y="0" height="24" />;
        })}
      </svg>
      <table class="figures breakdown" aria-label="Breakdown of the price">
        <tbody>
          {parts.map(([key, name, what], i) => (
            <tr key={key}>
              <th scope="row"><span class={`swatch s${i}`} aria-hidden="true" /> {name} <span class="fine">{what}</span></th>
              <td>{dollars(e.breakdown[key])}</td>
              <td>{share(e.breakdown[key], sum)}</td>
            </tr>
          ))}
          <tr class="sum"><th scope="row">One part</th><td>{dollars(e.costCents)}</td><td>100 %</td></tr>
        </tbody>
      </table>
    </section>
  );
}

function Prices(props: { part: string; program: Program }) {
  const { part, program } = props;
  const [picked, pick] = useState(1);
  const all = useLoad(`prices ${program.id}`,
    () => Promise.all(quantities.map((q) => programApi.estimate(part, program.id, q))));
  if (all.problem) {
    return <ProblemBox title="There is no price." problem={all.problem} retry={() => void all.again()} />;
  }
  if (!all.data) return <Waiting what="The price is calculated." />;
  const of = all.data.find((e) => e.quantity === picked) ?? all.data[0]!;
  return (
    <>
      <section class="panel" aria-labelledby="quantity">
        <h2 id="quantity">Price by quantity</h2>
        <p class="fine">
          {of.quality === "fast" ? "A fast estimate: " : "A refined estimate: "}{qualities[of.quality]}. In US dollars.
        </p>
        <div class="scroll" tabIndex={0} role="group" aria-label="Prices">
          <table class="figures prices">
            <thead>
              <tr>
                <th scope="col">Quantity</th><th scope="col">Each, range</th>
                <th scope="col">Time each</th><th scope="col">Batch</th>
              </tr>
            </thead>
            <tbody>
              {all.data.map((e) => (
                <tr key={e.quantity} data-quantity={e.quantity} class={e.quantity === of.quantity ? "picked" : undefined}>
                  <th scope="row">
                    <label class="choice">
                      <input type="radio" name="quantity" checked={e.quantity === of.quantity}
                        onChange={() => pick(e.quantity)} />
                      <span>{number(e.quantity)}<span class="unseen"> {e.quantity === 1 ? "part" : "parts"}</span></span>
                    </label>
                  </th>
                  <td>
                    <span class="strong">{dollars(e.costCents)}</span>
                    <p class="fine">{dollars(e.low.costCents)} – {dollars(e.high.costCents)}</p>
                  </td>
                  <td>{duration(e.timeSeconds)}</td>
                  <td>{wholeDollars(e.costCents * e.quantity)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      </section>
      <Breakdown estimate={of} />
      <section class="panel" aria-labelledby="assumptions">
        <h2 id="assumptions">Assumptions for {batch(of.quantity)}</h2>
        <ul class="dots">{of.assumptions.map((a, i) => <li key={i}>{a}</li>)}</ul>
      </section>
    </>
  );
}

// PriceTab shows time and price of the chosen program.
export function PriceTab(props: TabProps) {
  return (
    <WithProgram part={props.part.id}>
      {(program, summary) => <Prices key={program.id + summary.status} part={props.part.id} program={program} />}
    </WithProgram>
  );
}
