// The tab of the g-code: one setup in one dialect, with search and download.
import { signal } from "@preact/signals";
import { useMemo, useState } from "preact/hooks";
import { CodeList } from "./codelist";
import { useLoad } from "./load";
import { number } from "./machining";
import type { TabProps } from "./picture";
import { WithProgram } from "./programbar";
import { atStart, readGcode } from "./programs";
import type { Program } from "./programtypes";
import { query, setQuery } from "./route";
import { Icon, ProblemBox, Waiting } from "./ui";
import { bytes, plural } from "./words";

const posts = ["fanuc", "grbl", "haas", "heidenhain", "linuxcnc", "siemens"];

// underTool is the line of g-code that the playback executes, from 1; null without a playback.
export const underTool = signal<{ program: string; setup: number; line: number } | null>(null);

// CodeText is g-code by lines, and as the search reads it: one text in capitals, with the offsets of its lines.
interface CodeText {
  lines: string[];
  capitals: string;
  begins: number[];
}

function codeOf(text: string): CodeText {
  const whole = text.replace(/\n$/, "");
  const capitals = whole.toUpperCase();
  const begins = [0];
  for (let at = capitals.indexOf("\n"); at >= 0; at = capitals.indexOf("\n", at + 1)) begins.push(at + 1);
  return { lines: whole.split("\n"), capitals, begins };
}

const noCode = codeOf("");

// search returns the lines that contain a text, without regard to case: their indexes, and a flag for each line. The
// time is that of reading the text once, however many lines there are.
function search(code: CodeText, text: string): { hits: number[]; found: Uint8Array } {
  const want = text.trim().toUpperCase();
  const hits: number[] = [], found = new Uint8Array(code.lines.length);
  if (want === "") return { hits, found };
  let line = 0;
  for (let at = code.capitals.indexOf(want); at >= 0; at = code.capitals.indexOf(want, code.begins[line + 1] ?? Infinity)) {
    while (code.begins[line + 1]! <= at) line++;
    hits.push(line);
    found[line] = 1;
  }
  return { hits, found };
}

function save(text: string, name: string): void {
  const a = document.createElement("a");
  a.href = URL.createObjectURL(new Blob([text], { type: "text/plain" }));
  a.download = name;
  a.click();
  setTimeout(() => URL.revokeObjectURL(a.href), 1000);
}

export interface GcodeViewProps {
  part: string;
  program: Program;
  setup: number; // from 1
  post: string;
  line: number | null; // highlighted, from 1
  onPick?: ((line: number) => void) | undefined;
}

// GcodeView shows the g-code of one setup. The playback sets the highlighted line.
export function GcodeView(props: GcodeViewProps) {
  const { part, program, setup, post } = props;
  const code = useLoad(`gcode ${program.id} ${setup} ${post}`, async () => {
    const { text, name } = await readGcode(part, program.id, setup, post);
    return { text, name, ...codeOf(text), setup, post };
  });
  const [text, setText] = useState("");
  const [hit, setHit] = useState(0);
  const now = code.data?.setup === setup && code.data.post === post ? code.data : null;
  const { hits, found } = useMemo(() => search(now ?? noCode, text), [now, text]);
  if (code.problem) {
    return <ProblemBox title={`There is no g-code for ${post}.`} problem={code.problem} retry={() => void code.again()} />;
  }
  if (!now) return <Waiting what="The g-code loads." />;
  const step = (by: number) => setHit((hit + by + hits.length) % hits.length);
  return (
    <>
      <form class="codesearch" role="search" onSubmit={(e) => { e.preventDefault(); if (hits.length > 0) step(1); }}>
        <label class="select">
          Search
          <input type="text" value={text} spellcheck={false} autocomplete="off" placeholder="T5, G83, Z-12"
            onInput={(e) => {
              setText(e.currentTarget.value);
              setHit(0);
            }}
            onKeyDown={(e) => {
              if (e.key === "Enter" && e.shiftKey && hits.length > 0) {
                e.preventDefault();
                step(-1);
              }
            }} />
        </label>
        <span class="hits" role="status">
          {text.trim() !== "" && (hits.length === 0 ? "Not found" : `${number((hit % hits.length) + 1)} of ${number(hits.length)}`)}
        </span>
        <button type="button" disabled={hits.length === 0} aria-label="Previous hit" onClick={() => step(-1)}>↑</button>
        <button type="submit" disabled={hits.length === 0} aria-label="Next hit">↓</button>
      </form>
      <CodeList lines={now.lines} found={found} onPick={props.onPick} label={`G-code of setup ${setup} for ${post}`}
        line={hits.length > 0 ? hits[hit % hits.length]! + 1 : props.line} />
      <div class="codefoot">
        <span class="fine">{plural(now.lines.length, "line")}, {bytes(now.text.length)}</span>
        <button type="button" onClick={() => save(now.text, now.name)}><Icon name="save" />Download {now.name}</button>
      </div>
    </>
  );
}

function Code(props: { part: string; program: Program }) {
  const { part, program: p } = props;
  const [post, setPost] = useState(p.gcode[0]?.post ?? "");
  if (p.status === "failed" || p.gcode.length === 0) {
    return (
      <section class="panel failedproof" aria-labelledby="nocode">
        <h2 id="nocode">There is no g-code of this program</h2>
        <p>{p.failureReason ?? "The program has no setups."}</p>
        <p class="buttons"><button type="button" onClick={() => setQuery({ tab: "program" })}>See the proof</button></p>
      </section>
    );
  }
  const asked = Number(query.value.get("setup"));
  const setup = p.gcode.some((g) => g.setup === asked) ? asked : p.gcode[0]!.setup;
  const tool = underTool.value;
  const line = tool && tool.program === p.id && tool.setup === setup ? tool.line : null;
  return (
    <section class="panel code" aria-label="G-code">
      <div class="filters">
        <label class="select">
          Setup
          <select value={setup} onChange={(e) => setQuery({ setup: e.currentTarget.value, ...atStart })}>
            {p.gcode.map((g) => <option key={g.setup} value={g.setup}>{g.setup} of {p.gcode.length}</option>)}
          </select>
        </label>
        <label class="select">
          Control
          <select value={post} onChange={(e) => setPost(e.currentTarget.value)}>
            {posts.map((d) => <option key={d} value={d}>{d}{d === p.gcode[0]!.post ? " (cut config)" : ""}</option>)}
          </select>
        </label>
      </div>
      <GcodeView part={part} program={p} setup={setup} post={post} line={line} />
    </section>
  );
}

// GcodeTab shows the g-code of the chosen program.
export function GcodeTab(props: TabProps) {
  return (
    <WithProgram part={props.part.id}>
      {(program, summary) => <Code key={program.id + summary.status} part={props.part.id} program={program} />}
    </WithProgram>
  );
}
