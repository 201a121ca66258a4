// The tools of a program as they were when it was made.
import { number, spaced } from "./machining";
import { capital } from "./words";
import type { Document, Program, ToolAsCut } from "./programtypes";

// tip is the end of a tool in words.
function tip(t: ToolAsCut): string {
  if (t.tipAngleDeg) return `${number(t.tipAngleDeg, 1)}° point` + (t.tipDiameter ? `, ⌀${number(t.tipDiameter)} flat` : "");
  return t.cornerRadius > 0 ? `R${number(t.cornerRadius)}` : "sharp corner";
}

// Tools is the table of tools; without the document, of what the program itself says.
export function Tools(props: { program: Program; document: Document | null | undefined }) {
  const { program, document } = props;
  const setups = (n: number) => program.setups.filter((s) => s.operations.some((o) => o.toolNumber === n))
    .map((s) => s.index).join(", ");
  return (
    <section class="panel" aria-labelledby="tools">
      <h2 id="tools">Tools as cut</h2>
      <p class="fine">The program keeps its copy; changes of the library do not reach it. Lengths in mm.</p>
      <table class="operations toolsofprogram" aria-label="Tools">
        <thead>
          <tr>
            <th scope="col">Tool</th><th scope="col">⌀</th><th scope="col">Tip</th><th scope="col">Flutes</th>
            <th scope="col">Shank</th><th scope="col">Stickout</th><th scope="col">Holder</th><th scope="col">Setups</th>
          </tr>
        </thead>
        <tbody>
          {program.tools.map((t) => {
            const as = document?.tools.find((x) => x.number === t.number);
            return (
              <tr key={t.number}>
                <th scope="row">
                  <span class="strong">T{t.number}</span> <bdi>{t.name || capital(spaced(t.kind))}</bdi>
                </th>
                <td data-label="⌀">{number(t.diameter, 3)}</td>
                <td data-label="Tip">{as ? tip(as) : "not known"}</td>
                <td data-label="Flutes">{as ? `${as.fluteCount} × ${number(as.fluteLength)}` : "not known"}</td>
                <td data-label="Shank">{as ? `⌀${number(as.shankDiameter)}` : "not known"}</td>
                <td data-label="Stickout">{number(t.stickout)}</td>
                <td data-label="Holder"><bdi>{t.holder?.name ?? "not stated"}</bdi></td>
                <td data-label="Setups">{setups(t.number)}</td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </section>
  );
}
