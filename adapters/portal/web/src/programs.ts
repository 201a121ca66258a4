// The programs of a part: the list, the chosen one (query "program"), starting one.
import { maxWait, Problem, problemOf, send } from "./api";
import { useJob, type Watched } from "./live";
import { useLoad, useSend, type Loaded, type Sent } from "./load";
import type {
  Document, Estimate, MachiningTime, Program, ProgramSummary, ToolpathSet,
} from "./programtypes";
import { query, setQuery } from "./route";

const enc = encodeURIComponent;
const of = (part: string) => `/v1/parts/${enc(part)}/programs`;
const ofPortal = (part: string, program: string) => `/parts/${enc(part)}/programs/${enc(program)}`;

export const programApi = {
  list: (part: string) => send<{ programs: ProgramSummary[] }>("GET", `/parts/${enc(part)}/programs`),
  // read holds its answer for up to wait seconds, until the program has ended.
  read: (part: string, id: string, wait = 0, stop?: AbortSignal) =>
    send<Program>("GET", `${of(part)}/${enc(id)}${wait > 0 ? `?wait=${wait}` : ""}`, undefined, false, stop),
  create: (part: string, cutConfigId: string) => send<{ id: string }>("POST", of(part), { cutConfigId }),
  document: (part: string, id: string) => send<Document>("GET", `${ofPortal(part, id)}/document`),
  time: (plan: string) => send<MachiningTime>("GET", `/v1/plans/${enc(plan)}/machining-time`),
  toolpaths: (plan: string) => send<ToolpathSet>("GET", `/v1/plans/${enc(plan)}/toolpaths`),
  estimate: (part: string, id: string, quantity: number) =>
    send<Estimate>("GET", `${of(part)}/${enc(id)}/estimate?quantity=${quantity}`),
};

// atStart is the change of an address to the begin of another setup: its playback has another time and another frame.
export const atStart = { t: null, op: null, move: null, view: null };

// pictureOf is the address of the picture of a setup, from 1.
export const pictureOf = (part: string, id: string, setup: number) =>
  `/portal/api${ofPortal(part, id)}/setups/${setup}/picture`;

// readGcode returns the g-code of a setup, and the name to save it under.
export async function readGcode(part: string, id: string, setup: number, post: string) {
  const at = `/portal/api${of(part)}/${enc(id)}/gcode?setup=${setup}&post=${enc(post)}`;
  let response: Response;
  let text = "";
  try {
    response = await fetch(at, { credentials: "same-origin", signal: AbortSignal.timeout(2 * maxWait) });
    if (response.ok) text = await response.text();
  } catch {
    throw new Problem(0, "unreachable", "The g-code did not arrive whole. Check the connection and try again.", "");
  }
  if (!response.ok) throw await problemOf(response);
  const name = /filename="?([^";]+)"?/.exec(response.headers.get("Content-Disposition") ?? "")?.[1];
  return { text, name: name ?? `setup${setup}.txt` };
}

export interface Programs {
  list: Loaded<{ programs: ProgramSummary[] }>;
  chosen: ProgramSummary | null; // the one of the query, else the newest that is ready, else the newest
  choose: (id: string) => void;
  sending: Sent;
  start: (cutConfigId: string) => Promise<boolean>; // whether it was started
  job: Watched; // of the chosen one while it is made
}

// usePrograms reads the programs of a part, and follows the job of the chosen one.
export function usePrograms(part: string): Programs {
  const list = useLoad(`programs ${part}`, () => programApi.list(part));
  const sending = useSend();
  const all = list.data?.programs ?? [];
  const asked = query.value.get("program");
  const chosen = all.find((p) => p.id === asked) ?? all.find((p) => p.status === "ready") ?? all[0] ?? null;
  const choose = (id: string) => setQuery({ program: id, setup: null, ...atStart });
  const job = useJob(chosen?.status === "processing" ? chosen.jobId : "", () => void list.again());
  const start = async (cutConfigId: string) => {
    let made = "";
    await sending.run(async () => {
      made = (await programApi.create(part, cutConfigId)).id;
      await list.again();
      choose(made);
    });
    return made !== "";
  };
  return { list, chosen, choose, sending, start, job };
}

// useProgram reads a program whole; null reads none. It reads again when the state changes.
export function useProgram(part: string, chosen: ProgramSummary | null): Loaded<Program | null> {
  return useLoad(`program ${part} ${chosen?.id} ${chosen?.status}`,
    async () => (chosen ? programApi.read(part, chosen.id) : null));
}
