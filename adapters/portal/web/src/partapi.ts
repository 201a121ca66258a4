// Operations on parts, with those fields of their answers that the pages use.
import { Problem, send } from "./api";

export interface Warning {
  code: string;
  message: string;
  entity?: string;
}

export interface PartRecord {
  id: string;
  fileName: string;
  format: string | null;
  sizeBytes: number | null;
  status: "pending" | "processing" | "ready" | "failed";
  failureCode: string | null;
  failureReason: string | null;
  warnings: Warning[];
  jobId: string | null;
  createdAt: string;
  updatedAt: string;
}

export interface Vec3 {
  x: number;
  y: number;
  z: number;
}

export interface Feature {
  featureId: string;
  featureTag: string;
  featureType: string;
  regionIdxs: number[];
  machiningDirection: Vec3;
  alternativeOf?: string[];
}

export interface Region {
  idx: number;
  shapeKind: string;
  area: number;
}

export interface Result {
  reportId: string;
  jobId: string;
  regions: Region[];
  features: Feature[];
  featureGroups: { featureIds: string[]; label: string; pattern?: string }[];
  setups: { index: number; direction: Vec3; featureIds: string[] }[];
  unmachined: { regionIdxs: number[]; featureId?: string; area: number; reason: string; detail: string }[];
  warnings: Warning[];
  geometry: {
    volume: number;
    area: number;
    bounds: { min: Vec3; max: Vec3 };
    solids: number;
    faces: number;
    exact: boolean;
  };
  process: { kind: string; reasons: string[] };
  meshTriangleCount: number;
  meshGlbUrl: string | null;
  thumbnailUrl: string | null;
}

export type Facts = Record<string, unknown>;

export interface Datasheet extends Facts {
  featureType: string;
  facts: Facts;
}

export interface Entry {
  featureId: string;
  featureTag: string;
  featureType: string;
  datasheet: Datasheet | null;
}

export interface Finding {
  kind: string;
  severity: "problem" | "advice";
  sentence: string;
  value: number;
  limit: number;
  remedy: string;
  regionIdxs: number[];
  featureIds: string[];
}

export interface Job {
  jobUuid: string;
  partUuid: string;
  productType: string;
  status: "queued" | "running" | "succeeded" | "failed";
  progress: number | null;
  createdAt: string;
  error?: string | null;
}

export interface List<T> {
  items: T[];
  page: number;
  pageSize: number;
  total: number;
}

// readAll reads every page of a list.
export async function readAll<T>(path: string): Promise<T[]> {
  const out: T[] = [];
  for (let page = 1; ; page++) {
    const got = await send<List<T>>("GET", `${path}${path.includes("?") ? "&" : "?"}page=${page}&pageSize=100`);
    out.push(...got.items);
    if (out.length >= got.total || got.items.length === 0) return out;
  }
}

export interface Limits {
  extensions: string[];
  maxUpload: number;
  example: string;
}

// pageSize is the number of rows of a page of a list.
export const pageSize = 24;

const partAt = (id: string, rest = "") => `/v1/parts/${encodeURIComponent(id)}${rest}`;
const jobAt = (id: string, rest = "") => `/v1/jobs/${encodeURIComponent(id)}${rest}`;
const ofRun = (run: string) => (run === "" ? "" : `?jobId=${encodeURIComponent(run)}`);

export const parts = {
  list: (page: number, status: string, q: string) => {
    const query = new URLSearchParams({ page: String(page), pageSize: String(pageSize) });
    if (status !== "") query.set("status", status);
    if (q !== "") query.set("q", q);
    return send<List<PartRecord>>("GET", `/v1/parts?${query}`);
  },
  limits: () => send<Limits>("GET", "/limits"),
  create: (fileName: string) =>
    send<{ partId: string; uploadUrl: string }>("POST", "/v1/parts", { fileName, autoCreateProgram: false }),
  // renew returns another address to send the file of a part to; those before can be too old.
  renew: (id: string) => send<{ url: string }>("POST", partAt(id, "/upload")),
  complete: (id: string) => send<{ jobId: string }>("POST", partAt(id, "/complete")),
  record: (id: string) => send<PartRecord>("GET", partAt(id, "/record")),
  rename: (id: string, fileName: string) => send<PartRecord>("PATCH", partAt(id, "/record"), { fileName }),
  remove: (id: string) => send<void>("DELETE", partAt(id)),
  result: (id: string, run: string) => send<Result>("GET", partAt(id) + ofRun(run)),
  features: (id: string, run: string) =>
    send<{ datasheets: Entry[] }>("GET", partAt(id, "/features") + ofRun(run)).then((r) => r.datasheets),
  findings: (id: string, run: string) =>
    send<{ items: Finding[] }>("GET", partAt(id, "/findings") + ofRun(run)).then((r) => r.items),
  measure: (id: string, featureIds: string[]) =>
    send<{ jobId: string }>("PATCH", partAt(id, "/features"), { featureIds }),
  analyze: (id: string) => send<{ jobId: string }>("PATCH", partAt(id, "?featureDetails=true")),
  why: (feature: string) =>
    send<{ rule: string; reasons: string[] }>("GET", `/features/${encodeURIComponent(feature)}/why`),
  runs: (id: string, page: number) =>
    send<List<Job>>("GET", `/v1/jobs?partId=${encodeURIComponent(id)}&page=${page}&pageSize=${pageSize}`),
  // jobs returns a page of the jobs of the team, of one state or of all.
  jobs: (page: number, status: string) => {
    const query = new URLSearchParams({ page: String(page), pageSize: String(pageSize) });
    if (status !== "") query.set("status", status);
    return send<List<Job>>("GET", `/v1/jobs?${query}`);
  },
  // queue returns the jobs of the team that wait, newest first.
  queue: () => send<List<Job>>("GET", "/v1/jobs?status=queued&pageSize=100"),
  job: (id: string, wait = 0, stop?: AbortSignal) =>
    send<Job>("GET", jobAt(id, wait > 0 ? `?wait=${wait}` : ""), undefined, false, stop),
  cancel: (id: string) => send<Job>("POST", jobAt(id, "/cancel")),
  retry: (id: string) => send<Job>("POST", jobAt(id, "/retry")),
};

// thumbnailOf is the address of the picture of a part. run chooses the run that it shows.
export const thumbnailOf = (id: string, run = "") => `/portal/api${partAt(id, "/thumbnail")}${ofRun(run)}`;
export const eventsOf = (job: string) => `/portal/api${jobAt(job, "/events")}`;
export const meshOf = (report: string) => `/portal/api/reports/${encodeURIComponent(report)}/mesh.glb`;
export const sourceOf = (id: string) => `/portal/api/parts/${encodeURIComponent(id)}/source`;

// example reads the bundled part as a file.
export async function example(name: string): Promise<File> {
  const response = await fetch("/portal/api/example", { credentials: "same-origin" });
  if (!response.ok) throw new Problem(response.status, "no_example", "The bundled part cannot be read.", "");
  return new File([await response.blob()], name);
}

// upload sends a file to a signed address and reports the bytes that have left.
export function upload(file: Blob, to: string, sent: (bytes: number) => void, stop: AbortSignal): Promise<void> {
  return new Promise((done, failed) => {
    const request = new XMLHttpRequest();
    const fail = (status: number, sentence: string) =>
      failed(new Problem(status, status === 0 ? "unreachable" : `http_${status}`, sentence, ""));
    request.open("PUT", to);
    request.upload.onprogress = (e) => sent(e.loaded);
    request.onload = () => {
      if (request.status < 300) done();
      else if (request.status === 413) fail(413, "The file is larger than the service accepts.");
      else fail(request.status, `The storage refused the file with status ${request.status}.`);
    };
    request.onerror = () => fail(0, "The upload broke off. Check the connection and try again.");
    request.onabort = () => failed(new Problem(0, "stopped", "The upload was stopped.", ""));
    stop.addEventListener("abort", () => request.abort());
    request.send(file);
  });
}
