// The tab of all jobs of a part.
import { useState } from "preact/hooks";
import { useLoad, useNow, useSend } from "./load";
import { pageSize, parts, type Job } from "./partapi";
import type { TabProps } from "./picture";
import { query, setQuery } from "./route";
import { notice } from "./session";
import { moment, span } from "./time";
import { ProblemBox, Waiting } from "./ui";
import { jobStates, jobTones, plural, productName } from "./words";

const analyses = ["part_processing", "part_analysis"];

export function RunsTab(props: TabProps) {
  const [page, setPage] = useState(1);
  const list = useLoad(`runs ${props.part.id} ${page}`, () => parts.runs(props.part.id, page));
  const acting = useSend();
  const now = useNow(30_000);
  const run = query.value.get("run") ?? "";
  const retry = (job: Job) => acting.run(async () => {
    await parts.retry(job.jobUuid);
    await list.again();
  });
  const more = list.data ? list.data.total > page * pageSize : false;
  return (
    <>
      <p>
        Each analysis keeps its results. Features have the same names in all of them.
        {run !== "" && <> An earlier one is shown. <button type="button" class="quiet" onClick={() => setQuery({ run: null })}>Show the latest</button></>}
      </p>
      {list.problem && <ProblemBox title="The runs cannot be shown." problem={list.problem} retry={() => void list.again()} />}
      {acting.problem && <ProblemBox title="That did not work." problem={acting.problem} />}
      {!list.data && !list.problem && <Waiting what="Runs load." />}
      {list.data && (
        <table class="list short" aria-label="Runs">
          <thead><tr><th scope="col">Run</th><th scope="col">State</th><th scope="col"><span class="unseen">Actions</span></th></tr></thead>
          <tbody>
            {list.data.items.map((j) => (
              <tr key={j.jobUuid}>
                <th scope="row">
                  <span class="strong">{productName(j.productType)}</span>
                  <span class="fine"><time dateTime={j.createdAt} title={moment(j.createdAt)}>{span(j.createdAt, now)}</time></span>
                </th>
                <td data-label="State"><span class={"badge" + jobTones[j.status]}>{jobStates[j.status]}</span></td>
                <td class="tools">
                  <div>
                    {j.status === "failed" && (
                      <button type="button" class="tool" disabled={acting.busy} onClick={() => void retry(j)}>
                        Try again<span class="unseen"> {productName(j.productType)} {moment(j.createdAt)}</span>
                      </button>
                    )}
                    {j.status === "succeeded" && analyses.includes(j.productType) && (
                      j.jobUuid === props.jobId ? <span class="fine">Shown here</span> : (
                        <button type="button" class="tool" onClick={() => setQuery({ run: j.jobUuid })}>
                          Show<span class="unseen"> {productName(j.productType)} {moment(j.createdAt)}</span>
                        </button>
                      )
                    )}
                  </div>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {(more || page > 1) && list.data && (
        <div class="pages">
          <button type="button" class="quiet" disabled={page === 1} onClick={() => setPage(page - 1)}>Newer</button>
          <span>{plural(list.data.total, "run")}</span>
          <button type="button" class="quiet" disabled={!more} onClick={() => setPage(page + 1)}>Older</button>
        </div>
      )}
      <p>
        <button type="button" disabled={acting.busy} onClick={() => void acting.run(async () => {
          await parts.analyze(props.part.id);
          await list.again();
          notice.value = "The part is analyzed again.";
          setQuery({ run: null });
        })}>Analyze again</button>
        <span class="fine"> With a datasheet of every feature. It counts as one metered call.</span>
      </p>
    </>
  );
}
