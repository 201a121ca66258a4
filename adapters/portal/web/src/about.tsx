// The page about this session and this service.
import { useNow } from "./load";
import { state } from "./session";
import { moment, span } from "./time";
import { Page } from "./ui";

export function About() {
  const now = useNow(30_000);
  if (state.value.is !== "in") return <></>;
  const { session } = state.value;
  const style = document.querySelector<HTMLLinkElement>("link[rel=stylesheet]")?.href ?? "";
  const licenses = style.replace(/[^/]*$/, "licenses.txt");
  return (
    <Page title="About">
      <section class="panel" aria-labelledby="yours">
        <h2 id="yours">Your session</h2>
        <dl>
          <dt>Person</dt><dd><bdi>{session.user.name}</bdi></dd>
          <dt>Team</dt><dd><bdi>{session.team.name}</bdi></dd>
          <dt>Signed in</dt><dd>{moment(session.createdAt)}, {span(session.createdAt, now)}</dd>
          <dt>Ends</dt><dd>{moment(session.expiresAt)} at the latest, earlier without use</dd>
        </dl>
      </section>
      <section class="panel" aria-labelledby="service">
        <h2 id="service">The service</h2>
        <dl>
          <dt>Address</dt><dd><code>{session.publicUrl}</code></dd>
          <dt>Interface</dt><dd><a href="/v1/openapi.json">OpenAPI description</a></dd>
          <dt>License</dt><dd>Apache-2.0; <a href={licenses}>licenses of what the pages contain</a></dd>
        </dl>
      </section>
    </Page>
  );
}
