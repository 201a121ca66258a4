// Pages in files of their own, which are loaded when they are opened.
import { useEffect, useState } from "preact/hooks";
import { Problem } from "./api";
import { Page, ProblemBox, Waiting } from "./ui";

// lazy returns a component that loads another one when it is shown first.
export function lazy<P extends object>(load: () => Promise<(props: P) => preact.JSX.Element>) {
  let loaded: ((props: P) => preact.JSX.Element) | null = null;
  return function Lazy(props: P) {
    const [, set] = useState(0);
    const [failed, fail] = useState(false);
    const start = () => {
      fail(false);
      load().then((page) => {
        loaded = page;
        set((n) => n + 1);
      }, () => fail(true));
    };
    useEffect(() => {
      if (!loaded) start();
    }, []);
    if (loaded) {
      const Loaded = loaded;
      return <Loaded {...props} />;
    }
    if (!failed) return <Page title="…"><Waiting what="The page loads." /></Page>;
    const sentence = "The page cannot be loaded. Check the connection; after an update of the service, load this page again.";
    return (
      <Page title="This page is missing">
        <ProblemBox problem={new Problem(0, "unreachable", sentence, "")} retry={() => location.reload()} />
      </Page>
    );
  };
}
