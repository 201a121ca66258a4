// Files of a part and its program. Addresses live 15 minutes, so each click asks for a new one.
import { send } from "./api";
import { useSend } from "./load";
import { programApi } from "./programs";
import type { Program } from "./programtypes";
import { Icon, ProblemBox } from "./ui";
import { Problem } from "./api";

// open loads an address of a file. The service names the file; a page to read opens beside this one.
function open(url: string | null, beside: boolean): void {
  if (!url) throw new Problem(404, "no_file", "There is no such file. Plan the part again to get it.", "");
  const a = document.createElement("a");
  a.href = url;
  a.rel = "noopener";
  if (beside) a.target = "_blank";
  document.body.append(a);
  a.click();
  a.remove();
}

type ProgramFile = "setupSheetUrl" | "toolTableUrl" | "programJsonUrl" | "devicesUrl" | "bundleUrl";
type PathFile = "geometryUrl" | "movesUrl" | "stockUrl" | "residueUrl";
type PartFile = "meshStlUrl" | "meshGlbUrl";

const programFiles: [ProgramFile, string, string][] = [
  ["setupSheetUrl", "Setup sheet", "to read and print"],
  ["bundleUrl", "Everything", "zip: g-code, sheet, tools, pictures"],
  ["devicesUrl", "Devices", "zip: jaws, plates as STEP, STL"],
  ["toolTableUrl", "Tool table", "for the control"],
  ["programJsonUrl", "program.json", "frames, stock, jaws, tools"],
];
const pathFiles: [PathFile, string, string][] = [
  ["movesUrl", "Moves", "JSON"],
  ["geometryUrl", "Moves", "GLB"],
  ["stockUrl", "Stock after each setup", "GLB"],
  ["residueUrl", "Material that stays", "GLB"],
];
const partFiles: [PartFile, string, string][] = [["meshStlUrl", "Part", "STL"], ["meshGlbUrl", "Part", "GLB"]];

// Downloads lists the files of a program and its part.
export function Downloads(props: { part: string; name: string; program: Program }) {
  const { part, program: p } = props;
  const sending = useSend();
  const get = (url: () => Promise<string | null>, beside = false) =>
    void sending.run(async () => open(await url(), beside));
  const item = (name: string, kind: string, click: () => void) => (
    <li key={name + kind}>
      <button type="button" class="file" disabled={sending.busy} onClick={click}>
        <Icon name="save" /><span>{name} <span class="fine">{kind}</span></span>
      </button>
    </li>
  );
  return (
    <section class="panel" aria-labelledby="files">
      <h2 id="files">Files</h2>
      {sending.problem && <ProblemBox title="The file cannot be loaded." problem={sending.problem} />}
      <ul class="files">
        {p.status === "ready" && programFiles.filter(([field]) => field !== "devicesUrl" || p.devicesUrl).map(([field, name, kind]) => item(name, kind,
          () => get(async () => (await programApi.read(part, p.id))[field], field === "setupSheetUrl")))}
        {p.verification && pathFiles.map(([field, name, kind]) => item(name, kind,
          () => get(async () => (await programApi.toolpaths(p.planId))[field])))}
        {partFiles.map(([field, name, kind]) => item(name, kind, () => get(async () =>
          (await send<Record<PartFile, string | null>>("GET", `/v1/parts/${encodeURIComponent(part)}`))[field])))}
      </ul>
    </section>
  );
}
