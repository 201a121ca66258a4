// The session of this page: who is signed in, and whether the service has ended it.
import { signal } from "@preact/signals";
import { api, Problem, whenSessionIsOver, type Session } from "./api";
import { home, navigate } from "./route";

export type SessionState =
  | { is: "starting" }
  | { is: "out"; why: "none" | "left" }
  | { is: "in"; session: Session }
  | { is: "failed"; problem: Problem };

// LinkState is the progress of a one-time link.
export type LinkState = { is: "none" } | { is: "opening" } | { is: "refused"; problem: Problem };

export const state = signal<SessionState>({ is: "starting" });
export const link = signal<LinkState>({ is: "none" });

// over is true from an answer 401 until the person signs in again. The page below keeps what was typed.
export const over = signal(false);

// renewed counts how often a session was continued. Lists load again when it changes.
export const renewed = signal(0);

// notice is a sentence about the last action, for all pages.
export const notice = signal("");

// carried is a notice that the next page shows.
export const carried = signal("");

let token = ""; // the last token, for another try when the service did not answer

whenSessionIsOver(() => {
  if (state.value.is === "in") over.value = true;
});

// tokenOf returns the token of a link, or of a text that is only the token.
export function tokenOf(text: string): string {
  const found = /#token=([^&\s]+)/.exec(text);
  return found ? decodeURIComponent(found[1]!) : text.trim();
}

// takeToken removes a token from the address at once and returns it. The history keeps no address with it.
export function takeToken(): string {
  if (!location.hash.includes("token=")) return "";
  const taken = tokenOf(location.hash);
  history.replaceState(null, "", location.pathname + location.search);
  return taken;
}

function enter(session: Session): void {
  const before = state.value;
  const other = before.is === "in"
    && (before.session.user.id !== session.user.id || before.session.team.id !== session.team.id);
  if (other) {
    location.assign("/portal/"); // Another person must not see what the first one typed.
    return;
  }
  state.value = { is: "in", session };
  link.value = { is: "none" };
  if (over.value) {
    over.value = false;
    renewed.value++;
  }
}

// openLink makes a session of a token. A link that was used before is no fault while its session lasts.
export async function openLink(text: string): Promise<void> {
  token = tokenOf(text);
  link.value = { is: "opening" };
  try {
    enter(await api.signIn(token));
  } catch (e) {
    const problem = e as Problem;
    if (problem.status === 410 && !over.value) {
      try {
        enter(await api.session());
        notice.value = "That link was used before. You are still signed in.";
        navigate(home, true);
        return;
      } catch {
        // No session either: the sentence about the link follows.
      }
    }
    link.value = { is: "refused", problem };
    if (state.value.is === "starting") state.value = { is: "out", why: "none" };
    return;
  }
  if (location.pathname === "/portal/welcome") navigate(home, true);
}

// openAgain tries the last link again.
export const openAgain = () => openLink(token);

// resume reads the session that the cookie names.
export async function resume(): Promise<void> {
  try {
    enter(await api.session());
  } catch (e) {
    const problem = e as Problem;
    if (over.value) return;
    state.value = problem.status === 401 ? { is: "out", why: "none" } : { is: "failed", problem };
  }
}

// leave ends the session.
export async function leave(): Promise<void> {
  await api.signOut();
  over.value = false;
  state.value = { is: "out", why: "left" };
  navigate("/portal/", true);
}
