// Addresses and pages. The service answers every page address with the same file.
import { computed, signal } from "@preact/signals";
import type { ComponentChildren } from "preact";

// home is the first page of a person who signs in.
export const home = "/portal/parts";

export const path = signal(location.pathname);
const search = signal(location.search);

// query is the part of the address behind "?".
export const query = computed(() => new URLSearchParams(search.value));

// navigate shows another page, or the same with another query; with replace the present address leaves the history.
export function navigate(to: string, replace = false): void {
  const url = new URL(to, location.origin);
  if (url.pathname + url.search !== location.pathname + location.search) {
    if (replace) history.replaceState(null, "", to);
    else history.pushState(null, "", to);
  }
  path.value = url.pathname;
  search.value = url.search;
}

// setQuery changes values of the query and keeps the others; null removes one. The history gets no new address.
export function setQuery(change: Record<string, string | null>): void {
  const next = new URLSearchParams(search.peek());
  for (const [name, value] of Object.entries(change)) {
    if (value === null) next.delete(name);
    else next.set(name, value);
  }
  const text = next.toString();
  navigate(path.peek() + (text === "" ? "" : "?" + text), true);
}

// match returns the values of a pattern such as "/portal/parts/{id}" in an address, or null.
export function match(pattern: string, address: string): Record<string, string> | null {
  const want = pattern.split("/"), got = address.split("/");
  if (want.length !== got.length) return null;
  const values: Record<string, string> = {};
  for (const [i, name] of want.entries()) {
    if (!name.startsWith("{")) {
      if (name !== got[i]) return null;
      continue;
    }
    try {
      values[name.slice(1, -1)] = decodeURIComponent(got[i]!);
    } catch {
      return null; // not an encoded text
    }
  }
  return values;
}

// isBelow reports whether the page shown is an address, or one below it.
export const isBelow = (root: string) => path.value === root || path.value.startsWith(root + "/");

addEventListener("popstate", () => {
  path.value = location.pathname;
  search.value = location.search;
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
