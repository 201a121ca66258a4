// Files on their way to the service: checked first, then sent one after the other. The queue goes on when the person
// opens another page.
import { signal } from "@preact/signals";
import { Problem } from "./api";
import { example, parts, upload, type Limits } from "./partapi";
import { bytes } from "./words";

export type UploadState =
  | { is: "waiting" }
  | { is: "paced"; until: number } // the service takes the next part at that time (ms)
  | { is: "sending"; share: number } // 0 to 1
  | { is: "sent"; partId: string }
  | { is: "refused"; sentence: string; problem: Problem | null }; // null: the file was not sent

export interface Upload {
  id: number;
  file: File;
  part: string; // whose file it is; "": it becomes a new part
  state: UploadState;
}

export const uploads = signal<Upload[]>([]);

// arrived counts the parts that were sent, so that lists load again.
export const arrived = signal(0);

let made = 0;
let running = false;
const stops = new Map<number, AbortController>();

function set(id: number, state: UploadState): void {
  uploads.value = uploads.value.map((u) => (u.id === id ? { ...u, state } : u));
}

// refusalOf says why the service would not take a file, "" if nothing is known against it.
export function refusalOf(file: { name: string; size: number }, limits: Limits): string {
  const name = file.name.toLowerCase().replace(/\.gz$/, "");
  if (!limits.extensions.some((e) => name.endsWith(e))) {
    return `This format is not read. Accepted are ${limits.extensions.join(" ")}; export the part as STEP.`;
  }
  if (file.size === 0) return "The file is empty.";
  if (file.size > limits.maxUpload) {
    return `The file has ${bytes(file.size)}; the service accepts at most ${bytes(limits.maxUpload)}.`;
  }
  return "";
}

// add checks files and queues those that can be sent. With a part, the first is the file of the part.
export function add(files: Iterable<File>, limits: Limits, part = ""): void {
  const taken = part === "" ? [...files] : [...files].slice(0, 1);
  const fresh: Upload[] = taken.map((file) => {
    const sentence = refusalOf(file, limits);
    const state: UploadState = sentence === "" ? { is: "waiting" } : { is: "refused", sentence, problem: null };
    return { id: ++made, file, part, state };
  });
  uploads.value = [...uploads.value, ...fresh];
  void run();
}

// addExample queues the bundled part.
export const addExample = async (limits: Limits) => add([await example(limits.example)], limits);

// drop takes an upload out of the list, and ends it if it runs.
export function drop(id: number): void {
  stops.get(id)?.abort();
  uploads.value = uploads.value.filter((u) => u.id !== id);
}

// again queues an upload that failed.
export function again(id: number): void {
  set(id, { is: "waiting" });
  void run();
}

// clear takes what has ended well out of the list.
export function clear(): void {
  uploads.value = uploads.value.filter((u) => u.state.is !== "sent");
}

async function run(): Promise<void> {
  if (running) return;
  running = true;
  for (;;) {
    const next = uploads.value.find((u) => u.state.is === "waiting");
    if (!next) break;
    await sendOne(next);
  }
  running = false;
}

async function sendOne({ id, file, part: of }: Upload): Promise<void> {
  const stop = new AbortController();
  stops.set(id, stop);
  try {
    const part = of === "" ? await create(id, file.name, stop.signal)
      : { partId: of, uploadUrl: (await parts.renew(of)).url };
    set(id, { is: "sending", share: 0 });
    await upload(file, part.uploadUrl, (n) => set(id, { is: "sending", share: n / file.size }), stop.signal);
    await parts.complete(part.partId);
    set(id, { is: "sent", partId: part.partId });
    arrived.value++;
  } catch (e) {
    const problem = e instanceof Problem ? e : new Problem(0, "unreadable", "The browser cannot read the file.", "");
    set(id, { is: "refused", sentence: problem.message, problem });
  } finally {
    stops.delete(id);
  }
}

// create makes the part, and waits as long as the service asks it to.
async function create(id: number, name: string, stop: AbortSignal) {
  for (;;) {
    try {
      return await parts.create(name);
    } catch (e) {
      if (!(e instanceof Problem) || e.status !== 429 || e.retryAfter === 0) throw e;
      set(id, { is: "paced", until: Date.now() + e.retryAfter * 1000 });
      await new Promise<void>((done, failed) => {
        const timer = setTimeout(done, e.retryAfter * 1000);
        stop.addEventListener("abort", () => {
          clearTimeout(timer);
          failed(new Problem(0, "stopped", "The upload was stopped.", ""));
        });
      });
    }
  }
}
