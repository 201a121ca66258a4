// A list of lines of g-code of any length: only the lines in sight are elements.
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";

// lineHeight (px) is the height of a line; app.css has the same.
const lineHeight = 20;
// spare is the number of lines kept above and below those in sight, and step the number of lines of a scroll that
// changes the elements.
const spare = 20, step = 10;

// isComment reports whether a line is only for people, in any dialect.
const isComment = (line: string) => /^\s*(N?\d+\s*)?[(;*]/.test(line);

export interface CodeListProps {
  lines: readonly string[];
  line: number | null; // the highlighted line, from 1; it is scrolled into sight
  found: Uint8Array; // 1 for each line that a search found, from 0
  label: string;
  onPick?: ((line: number) => void) | undefined; // a click on a line, from 1
}

// CodeList shows lines of g-code with their numbers.
export function CodeList(props: CodeListProps) {
  const { lines, line, found } = props;
  const box = useRef<HTMLDivElement>(null);
  const [top, setTop] = useState(0);
  const [height, setHeight] = useState(600);
  useLayoutEffect(() => {
    const at = box.current!;
    const watch = new ResizeObserver(() => setHeight(at.clientHeight));
    watch.observe(at);
    return () => watch.disconnect();
  }, []);
  useEffect(() => {
    const at = box.current!;
    if (line === null) return;
    const y = (line - 1) * lineHeight;
    if (y < at.scrollTop + lineHeight || y > at.scrollTop + at.clientHeight - 2 * lineHeight) {
      at.scrollTop = Math.max(0, y - at.clientHeight / 2);
    }
  }, [line, lines]);
  const first = Math.max(0, Math.floor(top / lineHeight) - spare);
  const last = Math.min(lines.length, Math.ceil((top + height) / lineHeight) + spare);
  const digits = String(lines.length).length;
  return (
    <div class="codelist" ref={box} tabIndex={0} role="group" aria-label={props.label}
      onScroll={(e) => setTop(Math.floor(e.currentTarget.scrollTop / (step * lineHeight)) * step * lineHeight)}>
      <div class="codespace" style={{ height: `${lines.length * lineHeight}px` }} />
      <div class="codelines" style={{ top: `${first * lineHeight}px` }}>
        {lines.slice(first, last).map((text, i) => {
          const n = first + i + 1;
          const is = `codeline${n === line ? " lit" : ""}${found[n - 1] ? " found" : ""}${isComment(text) ? " comment" : ""}`;
          return (
            <div key={n} class={is} data-line={n} aria-current={n === line ? "true" : undefined}
              onClick={props.onPick && (() => props.onPick!(n))}>
              <span class="linenumber">{String(n).padStart(digits, "\u2007")}</span>{text}
            </div>
          );
        })}
      </div>
    </div>
  );
}
