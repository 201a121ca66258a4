// The frame of all pages of a person who is signed in.
import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";
import type { Session } from "./api";
import { useSend } from "./load";
import { home, isBelow, Link, path } from "./route";
import { carried, leave, notice } from "./session";
import { Icon, ProblemBox } from "./ui";

// Mark is the sign of the product.
export function Mark() {
  return (
    <span class="mark">
      <svg viewBox="0 0 32 32" width="28" height="28" aria-hidden="true" focusable="false">
        <rect width="32" height="32" rx="7" /><path d="M6 23V9h4l6 8 6-8h4v14h-4v-8l-6 8-6-8v8z" />
      </svg>
      millwright
    </span>
  );
}

function Notice() {
  const at = path.value;
  const first = useRef(true);
  useEffect(() => {
    if (first.current) first.current = false;
    else {
      notice.value = carried.value;
      carried.value = "";
    }
  }, [at]);
  return (
    <div role="status" class="noticeplace">
      {notice.value !== "" && (
        <div class="notice">
          <Icon name="check" />
          <p class="stretch">{notice.value}</p>
          <button type="button" class="icon" aria-label="Dismiss" onClick={() => (notice.value = "")}>
            <Icon name="cross" />
          </button>
        </div>
      )}
    </div>
  );
}

export function Shell(props: { session: Session; children: ComponentChildren }) {
  const { user, team } = props.session;
  const leaving = useSend();
  const at = path.value;
  const skip = (e: Event) => {
    e.preventDefault();
    document.querySelector<HTMLElement>("h1")?.focus();
  };
  return (
    <div class="shell">
      <a class="skip" href="#main" onClick={skip}>Skip to the content</a>
      <header class="side">
        <Link to={home} class="home"><Mark /></Link>
        <nav aria-label="Pages">
          <p class="group" id="parts">Parts</p>
          <ul aria-labelledby="parts">
            <li><Link to={home} current={isBelow(home)}><Icon name="part" />Parts</Link></li>
          </ul>
          <p class="group" id="shop">Shop</p>
          <ul aria-labelledby="shop">
            <li><Link to="/portal/shop" current={isBelow("/portal/shop")}><Icon name="shop" />Shop</Link></li>
          </ul>
          <p class="group" id="developers">Developers</p>
          <ul aria-labelledby="developers">
            <li>
              <Link to="/portal/developers/keys" current={at === "/portal/developers/keys"}>
                <Icon name="key" />Keys
              </Link>
            </li>
            <li>
              <Link to="/portal/developers/usage" current={at === "/portal/developers/usage"}>
                <Icon name="chart" />Usage
              </Link>
            </li>
            <li>
              <Link to="/portal/developers/jobs" current={at === "/portal/developers/jobs"}>
                <Icon name="list" />Jobs
              </Link>
            </li>
          </ul>
          <ul class="last" aria-label="Service">
            <li><Link to="/portal/about" current={at === "/portal/about"}><Icon name="info" />About</Link></li>
          </ul>
        </nav>
        <div class="person">
          <p><bdi class="strong">{user.name}</bdi><span class="fine">Team <bdi>{team.name}</bdi></span></p>
          <button type="button" class="icon" aria-label="Sign out" title="Sign out" disabled={leaving.busy}
            onClick={() => void leaving.run(leave)}>
            <Icon name="leave" />
          </button>
        </div>
      </header>
      <main id="main">
        {leaving.problem && <ProblemBox title="You are not signed out." problem={leaving.problem} />}
        <Notice />
        {props.children}
      </main>
    </div>
  );
}
