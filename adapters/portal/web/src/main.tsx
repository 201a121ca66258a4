// The portal: pages for the parts, keys and usage of a team.
import { render } from "preact";
import { useEffect } from "preact/hooks";
import { About } from "./about";
import { Jobs } from "./jobs";
import { Keys } from "./keys";
import { lazy } from "./lazy";
import { Parts } from "./parts";
import { home, Link, match, navigate, path } from "./route";
import { link, openLink, over, resume, state, takeToken } from "./session";
import { Shell } from "./shell";
import { SessionOver, SignedOut, Unreachable, Welcome } from "./signin";
import { Page, Waiting } from "./ui";
import { Usage } from "./usage";

// pages are the components of addresses. A component gets the values of its pattern.
const pages: Record<string, (props: { id: string }) => preact.JSX.Element> = {
  "/portal/parts": Parts,
  "/portal/parts/{id}": lazy(() => import("./part").then((m) => m.Part)),
  "/portal/shop": lazy(() => import("./shop/pages").then((m) => m.Shop)),
  "/portal/shop/cut-configs/{id}": lazy(() => import("./shop/pages").then((m) => m.CutConfigPage)),
  "/portal/shop/tool-libraries/{id}": lazy(() => import("./shop/pages").then((m) => m.LibraryPage)),
  "/portal/shop/holders/{id}": lazy(() => import("./shop/pages").then((m) => m.HolderPage)),
  "/portal/developers/keys": Keys,
  "/portal/developers/usage": Usage,
  "/portal/developers/jobs": Jobs,
  "/portal/about": About,
};

function pageAt(at: string) {
  for (const [pattern, page] of Object.entries(pages)) {
    const values = match(pattern, at);
    if (values) return { page, id: values["id"] ?? "" };
  }
  return { page: NoSuchPage, id: "" };
}

function NoSuchPage() {
  return (
    <Page title="No such page">
      <p>There is no page at <code>{path.value}</code>. <Link to={home}>Go to the parts</Link>.</p>
    </Page>
  );
}

function First() {
  useEffect(() => navigate(home, true), []);
  return <></>;
}

function App() {
  if (link.value.is !== "none" && !over.value) return <Welcome />;
  const now = state.value;
  if (now.is === "starting") return <main class="door"><Waiting what="The portal opens." /></main>;
  if (now.is === "failed") return <Unreachable problem={now.problem} />;
  if (now.is === "out") return <SignedOut why={now.why} />;
  const at = path.value.replace(/(.)\/$/, "$1");
  const found = at === "/portal" || at === "/portal/welcome" ? { page: First, id: "" } : pageAt(at);
  return (
    <>
      <Shell session={now.session}><found.page key={at} id={found.id} /></Shell>
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
