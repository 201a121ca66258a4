// A chart of stacked bars by day. The tables of the page have the same figures.
import { useEffect, useState } from "preact/hooks";
import { count, longUtcDay, utcDay } from "./time";

export interface Column {
  day: string;
  parts: number[]; // calls by operation
}

// top is the least round number that is not below n, and the step of the lines below it.
function scale(n: number): { top: number; step: number } {
  const rough = Math.max(n, 1) / 4;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = Math.max(1, [1, 2, 5, 10].map((f) => f * power).find((s) => s >= rough)!);
  return { top: Math.ceil(Math.max(n, 1) / step) * step, step };
}

const narrow = matchMedia("(max-width: 640px)");

// useWidth is the width of the drawing, so that its text has the same size in narrow windows.
function useWidth(): number {
  const [is, set] = useState(narrow.matches);
  useEffect(() => {
    const look = () => set(narrow.matches);
    narrow.addEventListener("change", look);
    return () => narrow.removeEventListener("change", look);
  }, []);
  return is ? 360 : 1040;
}

const height = 240;
const left = 44;
const right = 22;
const bottom = 26;
const over = 8;

export function Chart(props: { columns: Column[]; operations: string[] }) {
  const { columns, operations } = props;
  const width = useWidth();
  const total = (c: Column) => c.parts.reduce((a, b) => a + b, 0);
  const most = columns.reduce((a, c) => (total(c) > total(a) ? c : a), columns[0]!);
  const { top, step } = scale(total(most));
  const y = (n: number) => over + (height - over - bottom) * (1 - n / top);
  const pitch = (width - left - right) / columns.length;
  const bar = Math.min(26, pitch * 0.7);
  const every = Math.ceil((columns.length * 76) / (width - left));
  const ticks = Array.from({ length: Math.round(top / step) + 1 }, (_, i) => i * step);
  const label = `Calls by day from ${longUtcDay(columns[0]!.day)} to ${longUtcDay(columns.at(-1)!.day)}. `
    + `The most were ${count(total(most))} on ${longUtcDay(most.day)}. The table below has all figures.`;
  return (
    <>
      <ul class="legend" aria-hidden="true">
        {operations.map((o, i) => <li key={o}><span class={`swatch s${i % 4}`} />{o}</li>)}
      </ul>
      <svg class="chart" viewBox={`0 0 ${width} ${height}`} role="img" aria-label={label}>
        {ticks.map((t) => (
          <g key={t}>
            <line class={t === 0 ? "base" : "rule"} x1={left} x2={width - right} y1={y(t)} y2={y(t)} />
            <text x={left - 8} y={y(t) + 4} text-anchor="end">{count(t)}</text>
          </g>
        ))}
        {columns.map((c, i) => {
          const x = left + pitch * i + (pitch - bar) / 2;
          let sum = 0;
          return (
            <g key={c.day} class="day">
              <title>{longUtcDay(c.day)}: {operations.map((o, j) => `${o} ${count(c.parts[j]!)}`).join(", ")}</title>
              <rect class="reach" x={left + pitch * i} y={over} width={pitch} height={height - over - bottom} />
              {c.parts.map((n, j) => {
                if (n === 0) return null;
                sum += n;
                const tall = Math.max(1, y(sum - n) - y(sum) - (sum === n ? 0 : 1.5));
                return <rect key={j} class={`s${j % 4}`} x={x} y={y(sum)} width={bar} height={tall} rx="1.5" />;
              })}
              {(columns.length - 1 - i) % every === 0 && (
                <text x={left + pitch * (i + 0.5)} y={height - 6} text-anchor="middle">{utcDay(c.day)}</text>
              )}
            </g>
          );
        })}
      </svg>
    </>
  );
}
