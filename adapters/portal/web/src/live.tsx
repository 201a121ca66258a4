// A job while it waits and runs: its place, its progress, its end.
import { useEffect, useRef, useState } from "preact/hooks";
import { Problem } from "./api";
import { useSend } from "./load";
import { parts, type Job } from "./partapi";
import { over } from "./session";
import { ProblemBox } from "./ui";
import { plural, productName } from "./words";

// Times between two reads, ms: of the progress while a job runs, and after a failure.
const progressTime = 700, retryTime = 3000;
// queueWait (s) is the time that a read of a waiting job is held, so that its place is renewed.
const queueWait = 5;

export interface Watched {
  job: Job | null;
  ahead: number | null; // jobs of the team that wait before it; null: it does not wait
  problem: Problem | null;
}

// useJob follows a job until it has ended; "" follows none. A hidden page reads nothing.
export function useJob(id: string, ended: (job: Job) => void): Watched {
  const [now, set] = useState<Watched>({ job: null, ahead: null, problem: null });
  const end = useRef(ended);
  end.current = ended;
  useEffect(() => {
    if (id === "") return;
    let stop = new AbortController(), gone = false;
    const pause = (ms: number) => new Promise<void>((done) => {
      const timer = setTimeout(done, ms);
      stop.signal.addEventListener("abort", () => {
        clearTimeout(timer);
        done();
      });
    });
    const follow = async () => {
      let job: Job | null = null;
      for (let signal = stop.signal; !signal.aborted;) {
        try {
          job = await parts.job(id, job?.status === "queued" ? queueWait : 0, signal);
          const ahead = job.status === "queued" ? await placeOf(job) : null;
          if (signal.aborted) return;
          set({ job, ahead, problem: null });
          if (job.status === "succeeded" || job.status === "failed") return end.current(job);
          if (job.status === "running") await pause(progressTime);
        } catch (e) {
          if (signal.aborted) return;
          const problem = e instanceof Problem && !over.value ? e : null;
          set((w) => ({ ...w, problem }));
          if (problem?.status === 404) return;
          await pause(retryTime);
        }
      }
    };
    const turn = () => {
      stop.abort();
      stop = new AbortController();
      if (!document.hidden && !gone) void follow();
    };
    document.addEventListener("visibilitychange", turn);
    turn();
    return () => {
      gone = true;
      stop.abort();
      document.removeEventListener("visibilitychange", turn);
    };
  }, [id]);
  return now;
}

// placeOf counts the jobs of the team that were queued before one.
async function placeOf(job: Job): Promise<number | null> {
  const queue = await parts.queue();
  const at = queue.items.findIndex((j) => j.jobUuid === job.jobUuid);
  return at < 0 ? null : queue.total - 1 - at;
}

// Live shows a job that waits or runs, and stops it.
export function Live(props: { of: Watched; name: string }) {
  const { job, ahead, problem } = props.of;
  const cancelling = useSend();
  const [stopped, setStopped] = useState(false);
  if (!job || job.status === "succeeded" || job.status === "failed") {
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
              ? ahead === null || ahead === 0 ? "It is the next of your team." : `${plural(ahead, "job")} of your team ${ahead === 1 ? "is" : "are"} before it.`
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
