// The portal: pages for keys and usage of the service.
import { render } from "preact";
import { useEffect } from "preact/hooks";
import { About } from "./about";
import { Keys } from "./keys";
import { Link, navigate, path } from "./route";
import { link, openLink, over, resume, state, takeToken } from "./session";
import { Shell } from "./shell";
import { SessionOver, SignedOut, Unreachable, Welcome } from "./signin";
import { Page, Waiting } from "./ui";
import { Usage } from "./usage";

const pages: Record<string, () => preact.JSX.Element> = {
  "/portal/developers/keys": Keys,
  "/portal/developers/usage": Usage,
  "/portal/about": About,
};

function NoSuchPage() {
  return (
    <Page title="No such page">
      <p>There is no page at <code>{path.value}</code>. <Link to="/portal/developers/keys">Go to the keys</Link>.</p>
    </Page>
  );
}

function First() {
  useEffect(() => navigate("/portal/developers/keys", true), []);
  return <></>;
}

function App() {
  if (link.value.is !== "none" && !over.value) return <Welcome />;
  const now = state.value;
  if (now.is === "starting") return <main class="door"><Waiting what="The portal opens." /></main>;
  if (now.is === "failed") return <Unreachable problem={now.problem} />;
  if (now.is === "out") return <SignedOut why={now.why} />;
  const at = path.value.replace(/(.)\/$/, "$1");
  const Found = at === "/portal" || at === "/portal/welcome" ? First : pages[at] ?? NoSuchPage;
  return (
    <>
      <Shell session={now.session}><Found key={at} /></Shell>
      {over.value && <SessionOver />}
    </>
  );
}

function start(): void {
  const token = takeToken();
  if (token !== "") void openLink(token);
  else void resume();
}

// A second link in the same tab changes only the fragment.
addEventListener("hashchange", () => {
  if (location.hash.includes("token=")) start();
});
// A person can sign in again in another tab; this one then goes on.
addEventListener("focus", () => {
  if (over.value) void resume();
});

start();
render(<App />, document.getElementById("app")!);
