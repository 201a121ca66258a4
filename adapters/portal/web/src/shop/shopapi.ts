// Operations on cut configs, tool libraries and holders, with those fields of their answers that the pages use.
import { exchange, send } from "../api";
import type { List } from "../partapi";
import type { Doc } from "./schema";

export interface CutConfig extends Doc {
  id: string;
  name: string;
  isDefault: boolean;
  toolLibraryIds: string[];
  createdAt: string | null;
  updatedAt: string | null;
}

export interface Note {
  entry: string;
  detail: string;
}

export interface LibrarySummary {
  id: string;
  name: string;
  format: string;
  toolCount: number;
  createdAt: string | null;
}

export interface Tool extends Doc {
  id: string;
  name: string;
  kind: string;
  number: number | null;
  diameter: number;
  fluteCount: number;
}

export interface Library extends LibrarySummary {
  tools: Tool[];
  report: { entries: number; skipped: Note[]; guessed: Note[] };
}

export interface Holder extends Doc {
  id: string;
  name: string;
  createdAt: string;
}

export interface Program {
  id: string;
  cutConfigId: string;
  status: "processing" | "ready" | "failed";
  failureReason: string | null;
  setups: { operations: unknown[] }[];
  unmachinable: { reason: string }[];
  machiningSeconds: number | null;
  completeness: string | null;
  createdAt: string;
}

export interface Estimate {
  costCents: number;
  timeSeconds: number;
  quality: string;
}

const id = encodeURIComponent;

// all reads every page of a list.
async function all<T>(path: string): Promise<T[]> {
  const out: T[] = [];
  for (let page = 1; ; page++) {
    const got = await send<List<T>>("GET", `${path}${path.includes("?") ? "&" : "?"}page=${page}&pageSize=100`);
    out.push(...got.items);
    if (out.length >= got.total || got.items.length === 0) return out;
  }
}

export const shop = {
  cutConfigs: () => all<CutConfig>("/v1/cut-configs"),
  usersOf: (library: string) => all<CutConfig>(`/v1/cut-configs?toolLibraryId=${id(library)}`),
  cutConfig: (of: string) => exchange<CutConfig>("GET", `/v1/cut-configs/${id(of)}`),
  createCutConfig: (doc: Doc) => send<CutConfig>("POST", "/v1/cut-configs", doc),
  saveCutConfig: (of: string, doc: Doc, ifMatch: string) => exchange<CutConfig>("PUT", `/v1/cut-configs/${id(of)}`, doc, { ifMatch }),
  deleteCutConfig: (of: string) => send<void>("DELETE", `/v1/cut-configs/${id(of)}`),
  projectsOf: (config: string) => all<{ id: string; name: string; cutConfigId: string | null }>("/v1/projects")
    .then((p) => p.filter((one) => one.cutConfigId === config)),

  libraries: () => all<LibrarySummary>("/v1/tool-libraries"),
  library: (of: string) => exchange<Library>("GET", `/v1/tool-libraries/${id(of)}`),
  importLibrary: (file: Blob, unit: string, name: string) => {
    const query = new URLSearchParams({ ...(unit === "in" && { unit }), ...(name !== "" && { name }) }).toString();
    const body = new Blob([file], { type: "application/octet-stream" });
    return exchange<Library>("POST", "/v1/tool-libraries" + (query === "" ? "" : "?" + query), undefined, { file: body })
      .then((r) => r.data);
  },
  saveLibrary: (of: string, doc: { name: string; tools: Doc[] }, ifMatch: string) =>
    exchange<Library>("PUT", `/v1/tool-libraries/${id(of)}`, doc, { ifMatch }),
  deleteLibrary: (of: string) => send<void>("DELETE", `/v1/tool-libraries/${id(of)}`),

  holders: () => all<Holder>("/v1/holders"),
  holder: (of: string) => exchange<Holder>("GET", `/v1/holders/${id(of)}`),
  createHolder: (doc: Doc) => send<Holder>("POST", "/v1/holders", doc),
  deleteHolder: (of: string) => send<void>("DELETE", `/v1/holders/${id(of)}`),

  programs: (part: string) => all<Program>(`/v1/parts/${id(part)}/programs`),
  program: (part: string, of: string, wait: number, stop?: AbortSignal) =>
    send<Program>("GET", `/v1/parts/${id(part)}/programs/${id(of)}?wait=${wait}`, undefined, false, stop),
  plan: (part: string, cutConfigId: string) => send<Program>("POST", `/v1/parts/${id(part)}/programs`, { cutConfigId }),
  estimate: (part: string, of: string) => send<Estimate>("GET", `/v1/parts/${id(part)}/programs/${id(of)}/estimate`),
};

// libraryFile is a library in the form that is imported: what the service reads as its own.
export const libraryFile = (name: string, tools: Doc[]): Blob => new Blob([JSON.stringify({ name, tools })]);
