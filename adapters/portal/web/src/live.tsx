// A job while it waits and runs: its place, its progress, its end.
import { useEffect, useRef, useState } from "preact/hooks";
import { Problem } from "./api";
import { useSend } from "./load";
import { eventsOf, parts, type Job } from "./partapi";
import { over } from "./session";
import { ProblemBox } from "./ui";
import { plural, productName } from "./words";

// Times between two reads, ms: of the progress while a job runs, after a failure, and of the place of a job that waits.
const progressTime = 700, retryTime = 3000, placeTime = 5000;
// queueWait (s) is the time that a read of a waiting job is held.
const queueWait = 25;

export interface Watched {
  job: Job | null;
  ahead: number | null; // jobs of the team that wait before it; null: not known, or it does not wait
  problem: Problem | null;
}

const hasEnded = (job: Job) => job.status === "succeeded" || job.status === "failed";

// listen passes on each state of a job that its stream of events brings, until the job has ended. It returns false if
// the stream is refused, or fails twice without an event: the service ends a stream after a minute, and the browser
// connects again.
function listen(id: string, stop: AbortSignal, seen: (job: Job) => void): Promise<boolean> {
  return new Promise((done) => {
    const stream = new EventSource(eventsOf(id));
    let failures = 0;
    const leave = (well: boolean) => {
      stream.close();
      done(well);
    };
    stop.addEventListener("abort", () => leave(true));
    stream.addEventListener("job", (e: MessageEvent<string>) => {
      failures = 0;
      const job = JSON.parse(e.data) as Job;
      seen(job);
      if (hasEnded(job)) leave(true);
    });
    stream.onerror = () => {
      if (stream.readyState === EventSource.CLOSED || ++failures > 1) leave(false);
    };
  });
}

// poll reads a job again and again until it has ended.
async function poll(id: string, stop: AbortSignal, seen: (job: Job) => void, failed: (p: Problem | null) => void) {
  const pause = (ms: number) => new Promise<void>((done) => {
    const timer = setTimeout(done, ms);
    stop.addEventListener("abort", () => {
      clearTimeout(timer);
      done();
    });
  });
  let job: Job | null = null;
  while (!stop.aborted) {
    try {
      job = await parts.job(id, job?.status === "queued" ? queueWait : 0, stop);
      if (stop.aborted) return;
      seen(job);
      if (hasEnded(job)) return;
      if (job.status === "running") await pause(progressTime);
    } catch (e) {
      if (stop.aborted) return;
      const problem = e instanceof Problem && !over.value ? e : null;
      failed(problem);
      if (problem?.status === 404) return;
      await pause(retryTime);
    }
  }
}

// useJob follows a job until it has ended; "" follows none. A hidden page follows nothing.
export function useJob(id: string, ended: (job: Job) => void): Watched {
  const [now, set] = useState<Watched>({ job: null, ahead: null, problem: null });
  const end = useRef(ended);
  end.current = ended;
  useEffect(() => {
    if (id === "") return;
    let stop = new AbortController(), gone = false;
    const follow = async (signal: AbortSignal) => {
      const seen = (job: Job) => {
        set((w) => ({ job, ahead: w.ahead, problem: null }));
        if (hasEnded(job)) end.current(job);
      };
      if (!await listen(id, signal, seen)) {
        await poll(id, signal, seen, (problem) => set((w) => ({ ...w, problem })));
      }
    };
    const turn = () => {
      stop.abort();
      stop = new AbortController();
      if (!document.hidden && !gone) void follow(stop.signal);
    };
    document.addEventListener("visibilitychange", turn);
    turn();
    return () => {
      gone = true;
      stop.abort();
      document.removeEventListener("visibilitychange", turn);
    };
  }, [id]);

  const waits = now.job?.status === "queued";
  useEffect(() => {
    if (!waits) return;
    let stale = false;
    const read = () => {
      if (document.hidden) return;
      placeOf(id).then((ahead) => {
        if (!stale) set((w) => ({ ...w, ahead }));
      }, () => {}); // the state says what fails
    };
    read();
    const timer = setInterval(read, placeTime);
    return () => {
      stale = true;
      clearInterval(timer);
    };
  }, [id, waits]);
  return now;
}

// placeOf counts the jobs of the team that were queued before one.
async function placeOf(id: string): Promise<number | null> {
  const queue = await parts.queue();
  const at = queue.items.findIndex((j) => j.jobUuid === id);
  return at < 0 ? null : queue.total - 1 - at;
}

// Live shows a job that waits or runs, and stops it.
export function Live(props: { of: Watched; name: string }) {
  const { job, ahead, problem } = props.of;
  const cancelling = useSend();
  const [stopped, setStopped] = useState(false);
  if (!job || hasEnded(job)) {
    return problem ? <ProblemBox title="The state is not known now. It is asked for again." problem={problem} /> : null;
  }
  const what = productName(job.productType);
  const percent = job.progress ?? 0;
  return (
    <section class="panel live" aria-label={`${what} of ${props.name}`}>
      {problem && <ProblemBox title="The state is not known now. It is asked for again." problem={problem} />}
      {cancelling.problem && <ProblemBox title="It is not cancelled." problem={cancelling.problem} />}
      <div class="split">
        <div class="stretch">
          <h2>{what}: {job.status === "queued" ? "waits" : "runs"}</h2>
          <p role="status">
            {job.status === "queued"
              ? ahead === null ? "It waits for a worker." : ahead === 0 ? "It is the next of your team." : `${plural(ahead, "job")} of your team ${ahead === 1 ? "is" : "are"} before it.`
              : `${percent} % done`}
          </p>
          {job.status === "running" && <progress max={100} value={percent} aria-label={`${what}, done`} />}
        </div>
        <button type="button" class="quiet" disabled={cancelling.busy || stopped}
          onClick={() => void cancelling.run(async () => {
            await parts.cancel(job.jobUuid);
            setStopped(true);
          })}>
          {stopped ? "It stops" : "Cancel"}
        </button>
      </div>
    </section>
  );
}
