// Addresses and pages. The service answers every page address with the same file.
import { signal } from "@preact/signals";
import type { ComponentChildren } from "preact";

export const path = signal(location.pathname);

// navigate shows another page; with replace the present address leaves the history.
export function navigate(to: string, replace = false): void {
  if (to !== location.pathname) {
    if (replace) history.replaceState(null, "", to);
    else history.pushState(null, "", to);
  }
  path.value = to;
}

addEventListener("popstate", () => {
  path.value = location.pathname;
});

// Link opens a page without loading the program again. Modified clicks stay with the browser.
export function Link(props: { to: string; class?: string; current?: boolean; children: ComponentChildren }) {
  return (
    <a
      href={props.to}
      class={props.class}
      aria-current={props.current ? "page" : undefined}
      onClick={(e: MouseEvent) => {
        if (e.button !== 0 || e.metaKey || e.ctrlKey || e.shiftKey || e.altKey) return;
        e.preventDefault();
        navigate(props.to);
      }}
    >
      {props.children}
    </a>
  );
}
