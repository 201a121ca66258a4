// Operations on cut configs, tool libraries and holders, with those fields of their answers that the pages use.
import { exchange, send } from "../api";
import { readAll } from "../partapi";
import type { Doc } from "./schema";

export interface CutConfig extends Doc {
  id: string;
  name: string;
  isDefault: boolean;
  post: string;
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

const id = encodeURIComponent;

export const shop = {
  cutConfigs: () => readAll<CutConfig>("/v1/cut-configs"),
  usersOf: (library: string) => readAll<CutConfig>(`/v1/cut-configs?toolLibraryId=${id(library)}`),
  cutConfig: (of: string) => exchange<CutConfig>("GET", `/v1/cut-configs/${id(of)}`),
  createCutConfig: (doc: Doc) => send<CutConfig>("POST", "/v1/cut-configs", doc),
  saveCutConfig: (of: string, doc: Doc, ifMatch: string) => exchange<CutConfig>("PUT", `/v1/cut-configs/${id(of)}`, doc, { ifMatch }),
  deleteCutConfig: (of: string) => send<void>("DELETE", `/v1/cut-configs/${id(of)}`),
  projectsOf: (config: string) => readAll<{ id: string; name: string; cutConfigId: string | null }>("/v1/projects")
    .then((p) => p.filter((one) => one.cutConfigId === config)),

  libraries: () => readAll<LibrarySummary>("/v1/tool-libraries"),
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

  holders: () => readAll<Holder>("/v1/holders"),
  holder: (of: string) => exchange<Holder>("GET", `/v1/holders/${id(of)}`),
  createHolder: (doc: Doc) => send<Holder>("POST", "/v1/holders", doc),
  deleteHolder: (of: string) => send<void>("DELETE", `/v1/holders/${id(of)}`),
};

// libraryFile is a library in the form that is imported: what the service reads as its own.
export const libraryFile = (name: string, tools: Doc[]): Blob => new Blob([JSON.stringify({ name, tools })]);
