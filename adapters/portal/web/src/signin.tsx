// Ways in: a one-time link, the page without a session, and the dialog when a session is over.
import type { ComponentChildren } from "preact";
import { useId, useLayoutEffect, useState } from "preact/hooks";
import type { Problem } from "./api";
import { link, openAgain, openLink, over, resume, state } from "./session";
import { Mark } from "./shell";
import { Command, Dialog, ProblemBox, Waiting } from "./ui";

const linkCommand = "millwright portal link --team TEAM";

function Door(props: { title: string; children: ComponentChildren }) {
  useLayoutEffect(() => {
    document.title = `${props.title} · millwright`;
  }, [props.title]);
  return (
    <main class="door">
      <div class="card">
        <Mark />
        <h1 tabIndex={-1}>{props.title}</h1>
        {props.children}
      </div>
    </main>
  );
}

// LinkField takes a link that was copied from a terminal. In a dialog, the page below stays as it is.
function LinkField(props: { first?: boolean }) {
  const id = useId();
  const [text, set] = useState("");
  const busy = link.value.is === "opening";
  return (
    <form
      class="linkfield"
      onSubmit={(e: Event) => {
        e.preventDefault();
        if (text.trim() !== "") void openLink(text);
      }}
    >
      <label for={id}>Paste the link here, or open it in this browser</label>
      <div class="row">
        <input id={id} type="text" autocomplete="off" spellcheck={false} value={text} data-first={props.first}
          onInput={(e) => set(e.currentTarget.value)} />
        <button type="submit" disabled={busy || text.trim() === ""}>Sign in</button>
      </div>
    </form>
  );
}

function HowToGetALink(props: { first?: boolean }) {
  return (
    <>
      <p>On the machine of the service, make a link for your team. It works once, within 15 minutes.</p>
      <Command text={linkCommand} label="Command that makes a link" />
      <LinkField first={props.first ?? false} />
    </>
  );
}

// sentenceOf says why a link does not work.
function sentenceOf(problem: Problem): string {
  if (problem.status === 410) return "This link was used before, or it is older than 15 minutes.";
  if (problem.status === 404) return "The service does not know this link. Copy the whole line from the terminal.";
  return problem.message;
}

function Refused(props: { problem: Problem }) {
  const { problem } = props;
  if (problem.status === 410 || problem.status === 404) {
    return <p class="problem plain" role="alert">{sentenceOf(problem)}</p>;
  }
  return <ProblemBox problem={problem} retry={() => void openAgain()} />;
}

// Welcome shows the progress of a one-time link.
export function Welcome() {
  const now = link.value;
  if (now.is !== "refused") return <Door title="Welcome"><Waiting what="Your link is checked." /></Door>;
  return (
    <Door title="This link does not work">
      <Refused problem={now.problem} />
      <HowToGetALink />
    </Door>
  );
}

export function SignedOut(props: { why: "none" | "left" }) {
  return (
    <Door title={props.why === "left" ? "You are signed out" : "Sign in"}>
      <HowToGetALink />
    </Door>
  );
}

export function Unreachable(props: { problem: Problem }) {
  return (
    <Door title="The portal cannot open">
      <ProblemBox problem={props.problem} retry={() => void resume()} />
    </Door>
  );
}

// SessionOver lies on top of the page. What was typed below stays.
export function SessionOver() {
  const [none, setNone] = useState(false);
  const refused = link.value.is === "refused" ? link.value.problem : null;
  const look = async () => {
    setNone(false);
    await resume();
    setNone(over.value);
  };
  const end = () => {
    over.value = false;
    link.value = { is: "none" };
    state.value = { is: "out", why: "none" };
  };
  return (
    <Dialog title="Your session is over" close={end} fixed>
      <p>Nothing that you typed is lost. Sign in again to go on with it.</p>
      {refused && <Refused problem={refused} />}
      <HowToGetALink first />
      <p class="fault" role="status">{none && "There is no session in this browser yet."}</p>
      <footer>
        <button type="button" class="quiet" onClick={end}>Leave without saving</button>
        <button type="button" class="quiet" onClick={() => void look()}>I signed in in another tab</button>
      </footer>
    </Dialog>
  );
}
