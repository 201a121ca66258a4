// Elements that all pages share.
import type { ComponentChildren } from "preact";
import { useEffect, useId, useLayoutEffect, useRef, useState } from "preact/hooks";
import type { Problem } from "./api";
import { Link } from "./route";

// patience (ms) is the time before a page says that it waits.
const patience = 300;

// Later shows its children after the patience has passed.
export function Later(props: { children: ComponentChildren }) {
  const [due, set] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => set(true), patience);
    return () => clearTimeout(timer);
  }, []);
  return due ? <>{props.children}</> : null;
}

// Waiting is what a page shows before its data has come.
export function Waiting(props: { what: string }) {
  return (
    <Later>
      <p class="waiting" role="status"><span class="spinner" aria-hidden="true" />{props.what}</p>
    </Later>
  );
}

// ProblemBox shows a failed request: sentence, code, id of the request, and another try where one can help.
export function ProblemBox(props: { problem: Problem; title?: string; retry?: () => void }) {
  const { problem } = props;
  const ref = useRef<HTMLDivElement>(null);
  useEffect(() => ref.current?.scrollIntoView({ block: "nearest" }), [problem]);
  return (
    <div class="problem" role="alert" ref={ref}>
      <Icon name="warning" />
      <div class="stretch">
        {props.title && <p class="strong">{props.title}</p>}
        <p>{problem.message}</p>
        <p class="fine">
          Code <code>{problem.code}</code>
          {problem.requestId !== "" && <> · request <code>{problem.requestId}</code></>}
        </p>
      </div>
      {props.retry && <button type="button" class="quiet" onClick={props.retry}>Try again</button>}
    </div>
  );
}

// Dialog is a modal window. Esc closes it, and the focus returns to the element that had it before.
export function Dialog(props: {
  title: string;
  close: () => void;
  mayClose?: () => boolean; // asked before Esc and the cross close the dialog
  fixed?: boolean; // neither Esc nor a cross
  wide?: boolean;
  children: ComponentChildren;
}) {
  const ref = useRef<HTMLDialogElement>(null);
  const id = useId();
  useLayoutEffect(() => {
    const dialog = ref.current!;
    const before = document.activeElement as HTMLElement | null;
    dialog.showModal();
    const first = dialog.querySelector<HTMLElement>("[data-first]");
    (first ?? dialog.querySelector<HTMLElement>("h2"))?.focus();
    return () => {
      dialog.close();
      // The element can be gone: a revoked key has no buttons. A person may have moved on meanwhile.
      setTimeout(() => {
        if (document.activeElement !== document.body) return;
        if (before?.isConnected && before !== document.body) before.focus();
        if (document.activeElement === document.body) document.querySelector<HTMLElement>("h1")?.focus();
      });
    };
  }, []);
  const leave = () => {
    if (!props.mayClose || props.mayClose()) props.close();
  };
  return (
    <dialog
      ref={ref}
      class={props.wide ? "wide" : undefined}
      aria-labelledby={id}
      onCancel={(e: Event) => {
        if (e.target !== ref.current) return;
        e.preventDefault();
        if (!props.fixed) leave();
      }}
      onKeyDown={(e: KeyboardEvent) => {
        if (e.key !== "Escape") return;
        e.preventDefault(); // A second Esc would close the window past onCancel.
        e.stopPropagation();
        if (!props.fixed) leave();
      }}
    >
      <header>
        <h2 id={id} tabIndex={-1}>{props.title}</h2>
        {!props.fixed && (
          <button type="button" class="icon" aria-label="Close" onClick={leave}><Icon name="cross" /></button>
        )}
      </header>
      {props.children}
    </dialog>
  );
}

// Copy copies a text. Where the browser forbids it, it selects the text for the person's own copying.
export function Copy(props: { text: string; label?: string; source: () => HTMLElement | null; done?: () => void }) {
  const [says, set] = useState("");
  useEffect(() => {
    if (says === "") return;
    const timer = setTimeout(() => set(""), 4000);
    return () => clearTimeout(timer);
  }, [says]);
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(props.text);
      set("Copied");
      props.done?.();
    } catch {
      const at = props.source();
      if (!at) return;
      getSelection()?.selectAllChildren(at);
      const copied = document.execCommand("copy");
      set(copied ? "Copied" : "Selected: press Ctrl+C");
      if (copied) props.done?.();
    }
  };
  return (
    <>
      <button type="button" class="quiet copy" onClick={() => void copy()}>
        <Icon name={says === "Copied" ? "check" : "copy"} />
        {says || props.label || "Copy"}
      </button>
      <span class="unseen" role="status">{says}</span>
    </>
  );
}

// Command is a text for a terminal, with a button that copies it.
export function Command(props: { text: string; label: string }) {
  const ref = useRef<HTMLElement>(null);
  return (
    <div class="command">
      <pre tabIndex={0} aria-label={props.label}><code ref={ref}>{props.text}</code></pre>
      <Copy text={props.text} source={() => ref.current} />
    </div>
  );
}

// Page is the frame of a page: the title, actions beside it, the content. A new page takes the focus.
export function Page(props: {
  title: string;
  lead?: ComponentChildren;
  actions?: ComponentChildren;
  crumb?: { to: string; text: string }; // the page above
  children: ComponentChildren;
}) {
  const ref = useRef<HTMLHeadingElement>(null);
  useLayoutEffect(() => {
    document.title = `${props.title} · millwright`;
  }, [props.title]);
  useEffect(() => {
    if (document.activeElement === document.body || document.activeElement?.tagName === "A") ref.current?.focus();
  }, []);
  return (
    <>
      <div class="heading">
        <div>
          {props.crumb && <p class="crumb"><Link to={props.crumb.to}>{props.crumb.text}</Link></p>}
          <h1 tabIndex={-1} ref={ref}><bdi>{props.title}</bdi></h1>
          {props.lead && <p class="lead">{props.lead}</p>}
        </div>
        {props.actions && <div class="actions">{props.actions}</div>}
      </div>
      {props.children}
    </>
  );
}

const icons = {
  cross: "M5 5l10 10M15 5L5 15",
  check: "M4 10.5l4 4 8-9",
  copy: "M7 7h9v9H7zM4 13V4h9",
  warning: "M10 3l8 14H2zM10 8v4M10 14.6v.1",
  key: "M12.5 11.5a4 4 0 1 0-3.2-3.2L3 14.6V17h2.6v-2h2v-2h2l1.1-1.2M13.6 6.4v.1",
  part: "M10 2.5l6.5 3.7v7.6L10 17.5l-6.5-3.7V6.2zM3.5 6.2L10 10l6.5-3.8M10 10v7.5",
  down: "M5 8l5 5 5-5",
  forth: "M8 5l5 5-5 5",
  shop: "M7 3h6v7H7zM10 10v7M8 12.5l4 1.5M8 15l4 1.5",
  list: "M4 5h12M4 10h12M4 15h12",
  plus: "M10 4v12M4 10h12",
  chart: "M3 17h14M5.5 14V9M10 14V4M14.5 14V7",
  info: "M10 17a7 7 0 1 0 0-14 7 7 0 0 0 0 14zM10 9v5M10 6.2v.1",
  leave: "M8 4H4v12h4M8 10h9M13.5 6.5L17 10l-3.5 3.5",
  save: "M10 3v9M6 9l4 4 4-4M4 16h12",
  terminal: "M3 4h14v12H3zM6 8l2.5 2L6 12M10 12.5h4",
};

// Icon is a drawing beside a text. Readers of the screen skip it.
export function Icon(props: { name: keyof typeof icons }) {
  return (
    <svg class="glyph" viewBox="0 0 20 20" width="20" height="20" aria-hidden="true" focusable="false">
      <path d={icons[props.name]} />
    </svg>
  );
}
