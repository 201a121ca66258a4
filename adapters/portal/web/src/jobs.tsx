// The page of all jobs of the team: why some failed, and another try.
import { useLoad, useNow, useSend } from "./load";
import { parts, type Job } from "./partapi";
import { Pages } from "./parts";
import { Link, query, setQuery } from "./route";
import { notice } from "./session";
import { moment, span } from "./time";
import { Page, ProblemBox, Waiting } from "./ui";
import { jobStates, jobTones, plural, productName } from "./words";

function Why(props: { of: Job }) {
  const job = useLoad(`job ${props.of.jobUuid}`, () => parts.job(props.of.jobUuid));
  if (job.problem) return <p class="fine">The reason cannot be shown. {job.problem.message}</p>;
  return <p>{job.data?.error}</p>;
}

export function Jobs() {
  const at = query.value;
  const page = Math.max(1, Number(at.get("page")) || 1), status = at.get("status") ?? "failed";
  const list = useLoad(`jobs ${page} ${status}`, () => parts.jobs(page, status === "all" ? "" : status));
  const acting = useSend();
  const now = useNow(30_000);
  const retry = (job: Job) => acting.run(async () => {
    const now = await parts.retry(job.jobUuid);
    await list.again();
    notice.value = now.status === "failed"
      ? "The job stays as it is: this version of the service would fail at the same file again."
      : "The job waits for a worker again. It is not metered a second time.";
  });
  return (
    <Page title="Jobs" lead="The service reads, measures and programs parts in jobs.">
      {list.problem && (
        <ProblemBox title="The jobs cannot be shown." problem={list.problem} retry={() => void list.again()} />
      )}
      {acting.problem && <ProblemBox title="The job is not tried again." problem={acting.problem} />}
      {!list.data && !list.problem && <Waiting what="Jobs load." />}
      {list.data && (
        <>
          <div class="filters">
            <label class="select">
              <span>State</span>
              <select value={status} onChange={(e) => setQuery({ status: e.currentTarget.value, page: null })}>
                {Object.entries(jobStates).map(([id, name]) => <option key={id} value={id}>{name}</option>)}
                <option value="all">All</option>
              </select>
            </label>
            <p class="fine" role="status">{plural(list.data.total, "job")}</p>
          </div>
          {list.data.total === 0 ? (
            <p class="panel">{status === "failed" ? "No job failed." : "No job is like that."}</p>
          ) : (
            <section class="panel bare" aria-busy={list.busy}>
              <table class="list" aria-label="Jobs">
                <thead>
                  <tr>
                    <th scope="col">Job</th><th scope="col">State</th><th scope="col">Queued</th>
                    <th scope="col"><span class="unseen">Actions</span></th>
                  </tr>
                </thead>
                <tbody>
                  {list.data.items.map((j) => (
                    <tr key={j.jobUuid}>
                      <th scope="row">
                        <span class="strong">{productName(j.productType)}</span>
                        <span class="fine"><code>{j.jobUuid}</code></span>
                        {j.status === "failed" && <Why of={j} />}
                      </th>
                      <td data-label="State">
                        <span class={"badge" + jobTones[j.status]}>{jobStates[j.status]}</span>
                        {j.status === "running" && j.progress !== null && <span class="fine"> {j.progress} %</span>}
                      </td>
                      <td data-label="Queued">
                        <time dateTime={j.createdAt} title={moment(j.createdAt)}>{span(j.createdAt, now)}</time>
                      </td>
                      <td class="tools">
                        <div>
                          <Link to={`/portal/parts/${j.partUuid}`} class="tool">
                            Part<span class="unseen"> of {productName(j.productType)} {j.jobUuid}</span>
                          </Link>
                          {j.status === "failed" && (
                            <button type="button" class="tool" disabled={acting.busy} onClick={() => void retry(j)}>
                              Try again<span class="unseen"> {productName(j.productType)} {j.jobUuid}</span>
                            </button>
                          )}
                        </div>
                      </td>
                    </tr>
                  ))}
                </tbody>
              </table>
            </section>
          )}
          <Pages page={page} total={list.data.total} />
        </>
      )}
    </Page>
  );
}
