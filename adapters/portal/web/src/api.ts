// Requests to the service. Every failure is a Problem: a sentence, a code and the id of the request.

export interface Session {
  user: { id: string; name: string };
  team: { id: string; name: string };
  createdAt: string;
  expiresAt: string;
  idleUntil: string;
  publicUrl: string;
}

export type KeyState = "active" | "ending" | "expired" | "revoked";

export interface Key {
  id: string;
  name: string;
  prefix: string;
  kind: "key" | "portal";
  grid: Record<string, string>;
  origins: string[];
  createdBy: string;
  createdAt: string;
  expiresAt: string | null;
  lastUsedAt: string | null;
  revokedAt: string | null;
  replaces: string | null;
  replacedBy: string | null;
  endsAt: string | null;
  state: KeyState;
}

export interface GridFunction {
  id: string;
  label: string;
  levels: string[];
  locked?: string;
}

export interface UsageRow {
  day: string;
  operation: string;
  keyId: string;
  calls: number;
}

export interface NewKey {
  name: string;
  grid: Record<string, string>;
  origins: string[];
  expiresInDays: number | null;
}

export interface KeyChange {
  name?: string;
  origins?: string[];
  expiresAt?: string | null;
}

// Fault is an error of a body at the JSON pointer of its field.
export interface Fault {
  pointer: string;
  message: string;
}

// Problem is a failed request. Code "unreachable" means that no answer arrived, "bad_answer" that it was not JSON.
export class Problem extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
    sentence: string,
    readonly requestId: string,
    readonly retryAfter = 0, // seconds that the service asks to wait; 0: it does not say
    readonly faults: Fault[] = [],
  ) {
    super(sentence);
  }
}

// maxWait (ms) ends requests that get no answer. It is longer than the service holds a read with ?wait=30.
export const maxWait = 45_000;

let onSessionOver: () => void = () => {};

// whenSessionIsOver sets the function that runs when the service answers 401.
export function whenSessionIsOver(run: () => void): void {
  onSessionOver = run;
}

export async function problemOf(response: Response): Promise<Problem> {
  let body: { code?: string; title?: string; detail?: string; instance?: string; errors?: Fault[] } = {};
  try {
    body = await response.json();
  } catch {
    // A proxy answered in its own words.
  }
  const id = body.instance?.replace(/^urn:request:/, "") || response.headers.get("X-Request-ID") || "";
  const sentence = body.detail || body.title || `The service answered with status ${response.status}.`;
  const wait = Number(response.headers.get("Retry-After") ?? 0) || 0;
  return new Problem(response.status, body.code ?? `http_${response.status}`, sentence, id, wait, body.errors);
}

// Extra is what a request can have beyond its body.
export interface Extra {
  quiet?: boolean; // an answer 401 does not end the session of the page
  stop?: AbortSignal | undefined; // cancels the request
  ifMatch?: string; // ETag of the record that the request means
  file?: Blob; // a body that is not JSON
}

// exchange calls an operation below /portal/api. It returns the answer and the ETag of the record in it.
export async function exchange<T>(
  method: string, path: string, body?: unknown, extra: Extra = {},
): Promise<{ data: T; tag: string }> {
  const headers: Record<string, string> = { Accept: "application/json" };
  const init: RequestInit = {
    method,
    credentials: "same-origin",
    cache: "no-store",
    redirect: "error",
    headers,
    signal: AbortSignal.any([AbortSignal.timeout(maxWait), ...(extra.stop ? [extra.stop] : [])]),
  };
  if (extra.ifMatch) headers["If-Match"] = extra.ifMatch;
  if (extra.file) {
    headers["Content-Type"] = extra.file.type || "application/octet-stream";
    init.body = extra.file;
  } else if (body !== undefined) {
    headers["Content-Type"] = "application/json";
    init.body = JSON.stringify(body);
  }
  let response: Response;
  try {
    response = await fetch("/portal/api" + path, init);
  } catch {
    throw new Problem(0, "unreachable", "The service does not answer. Check the connection and try again.", "");
  }
  if (!response.ok) {
    const problem = await problemOf(response);
    if (problem.status === 401 && !extra.quiet) onSessionOver();
    throw problem;
  }
  const tag = response.headers.get("ETag") ?? "";
  if (response.status === 204) return { data: undefined as T, tag };
  try {
    return { data: (await response.json()) as T, tag };
  } catch {
    const id = response.headers.get("X-Request-ID") ?? "";
    throw new Problem(response.status, "bad_answer", "The answer of the service is incomplete. Try again.", id);
  }
}

// send calls an operation below /portal/api. With quiet, an answer 401 does not end the session of the page. stop
// cancels the request.
export const send = <T,>(method: string, path: string, body?: unknown, quiet = false, stop?: AbortSignal): Promise<T> =>
  exchange<T>(method, path, body, { quiet, stop }).then((r) => r.data);

const keyPath = (id: string, action = "") => `/keys/${encodeURIComponent(id)}${action}`;

export const api = {
  signIn: (token: string) => send<Session>("POST", "/session", { token }, true),
  session: () => send<Session>("GET", "/session", undefined, true),
  signOut: () => send<void>("DELETE", "/session", undefined, true),
  keys: () => send<{ keys: Key[] }>("GET", "/keys"),
  createKey: (key: NewKey) => send<{ key: Key; text: string }>("POST", "/keys", key),
  changeKey: (id: string, change: KeyChange) => send<Key>("PATCH", keyPath(id), change),
  revokeKey: (id: string, name: string) => send<Key>("POST", keyPath(id, "/revoke"), { name }),
  rollKey: (id: string, graceHours: number) =>
    send<{ key: Key; text: string; old: Key }>("POST", keyPath(id, "/roll"), { graceHours }),
  grid: () => send<{ functions: GridFunction[] }>("GET", "/grid"),
  usage: (since: string, until: string) =>
    send<{ days: UsageRow[] }>("GET", `/usage?since=${since}&until=${until}`),
};
