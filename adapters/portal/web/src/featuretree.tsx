// The tree of features: kinds, groups of equal features, features. It is one stop of the Tab key.
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import type { Feature } from "./partapi";
import type { PartModel } from "./partmodel";
import { gist } from "./datasheet";
import { Icon } from "./ui";
import { directionName, typeName } from "./words";

interface Node {
  id: string;
  level: number;
  name: string;
  note: string;
  features: Feature[];
  children: Node[];
}

// nodesOf arranges features by kind, those with most features first, and equal ones in a group.
function nodesOf(model: PartModel): Node[] {
  const { features, featureGroups } = model.result;
  const kinds = new Map<string, Feature[]>();
  for (const f of features) kinds.set(f.featureType, [...(kinds.get(f.featureType) ?? []), f]);
  const leaf = (f: Feature, level: number): Node => ({
    id: f.featureTag, level, name: gist(model.sheets.value.get(f.featureTag) ?? null) || typeName(f.featureType),
    note: directionName(f.machiningDirection), features: [f], children: [],
  });
  return [...kinds].sort((a, b) => b[1].length - a[1].length).map(([type, list]) => {
    const placed = new Set<string>(), children: Node[] = [];
    for (const f of list) {
      if (placed.has(f.featureId)) continue;
      const group = featureGroups.find((g) => g.featureIds.includes(f.featureId));
      const members = group ? list.filter((m) => group.featureIds.includes(m.featureId)) : [];
      if (members.length < 2) {
        children.push(leaf(f, 2));
        continue;
      }
      members.forEach((m) => placed.add(m.featureId));
      children.push({
        id: "group:" + f.featureTag, level: 2, name: group!.label, note: group!.pattern ?? "", features: members,
        children: members.map((m) => leaf(m, 3)),
      });
    }
    return { id: type, level: 1, name: typeName(type), note: String(list.length), features: list, children };
  });
}

export function FeatureTree(props: { model: PartModel }) {
  const { model } = props;
  const ref = useRef<HTMLUListElement>(null);
  const sheets = model.sheets.value;
  const nodes = useMemo(() => nodesOf(model), [model, sheets]);
  const [open, setOpen] = useState<ReadonlySet<string>>(() => new Set(model.result.features.length <= 40 ? nodes.map((n) => n.id) : []));
  const [cursor, setCursor] = useState("");
  const selected = model.selected.value, first = selected[0] ?? "";

  // What is selected elsewhere is opened and brought into sight here.
  useEffect(() => {
    if (first === "") return;
    const path: string[] = [];
    for (const kind of nodes) {
      if (!kind.features.some((f) => f.featureTag === first)) continue;
      path.push(kind.id);
      for (const c of kind.children) if (c.children.some((l) => l.id === first)) path.push(c.id);
    }
    setOpen((now) => (path.every((p) => now.has(p)) ? now : new Set([...now, ...path])));
    setCursor(first);
  }, [first, nodes]);
  useEffect(() => {
    const row = ref.current?.querySelector<HTMLElement>(`[data-id="${CSS.escape(cursor)}"]`), box = ref.current;
    if (!row || !box) return;
    const r = row.getBoundingClientRect(), b = box.getBoundingClientRect();
    if (r.top < b.top) box.scrollTop -= b.top - r.top;
    else if (r.bottom > b.bottom) box.scrollTop += r.bottom - b.bottom;
  }, [cursor, open]);

  const rows: Node[] = [];
  const walk = (list: Node[]) => list.forEach((n) => {
    rows.push(n);
    if (open.has(n.id)) walk(n.children);
  });
  walk(nodes);
  const at = Math.max(0, rows.findIndex((n) => n.id === cursor));

  const setOpenOf = (id: string, is: boolean) => setOpen((now) => {
    const next = new Set(now);
    if (is) next.add(id);
    else next.delete(id);
    return next;
  });
  const choose = (n: Node, add: boolean) => {
    setCursor(n.id);
    if (n.level === 1) setOpenOf(n.id, !open.has(n.id));
    else if (n.children.length > 0) model.select(n.features.map((f) => f.featureTag));
    else model.toggle(n.id, add);
  };
  const key = (e: KeyboardEvent) => {
    const n = rows[at];
    if (!n || e.ctrlKey || e.metaKey || e.altKey) return;
    const parent = () => rows.slice(0, at).findLast((r) => r.level < n.level);
    const go = (i: number) => setCursor(rows[Math.max(0, Math.min(rows.length - 1, i))]!.id);
    const act: Record<string, () => void> = {
      ArrowDown: () => go(at + 1), ArrowUp: () => go(at - 1), Home: () => go(0), End: () => go(rows.length - 1),
      ArrowRight: () => (n.children.length > 0 && !open.has(n.id) ? setOpenOf(n.id, true) : go(at + 1)),
      ArrowLeft: () => (open.has(n.id) && n.children.length > 0 ? setOpenOf(n.id, false) : setCursor(parent()?.id ?? n.id)),
      Enter: () => choose(n, false), " ": () => choose(n, e.shiftKey), Escape: () => model.select([]),
      h: () => model.hide(n.features.map((f) => f.featureTag)), i: () => model.isolate(n.features.map((f) => f.featureTag)),
      u: () => model.showAll(),
    };
    const run = act[e.key];
    if (!run) return;
    e.preventDefault();
    run();
  };

  const overs = model.hoverRegion.value === null ? [] : model.ofRegion.get(model.hoverRegion.value) ?? [];
  const over = overs[0]?.featureTag ?? null;
  return (
    <ul role="tree" class="tree" aria-label="Features" tabIndex={0} ref={ref} aria-multiselectable="true"
      aria-activedescendant={rows.length > 0 ? `row-${rows[at]!.id}` : undefined} onKeyDown={key}
      onMouseLeave={() => (model.hoverTag.value = null)}>
      {rows.map((n) => {
        const is = n.features.every((f) => selected.includes(f.featureTag)) && n.level > 1;
        const gone = n.features.every((f) => model.isHidden(f));
        return (
          <li key={n.id} id={`row-${n.id}`} data-id={n.id} role="treeitem" aria-level={n.level} aria-selected={is}
            {...(n.children.length > 0 ? { "aria-expanded": open.has(n.id) } : {})}
            class={`l${n.level}${rows[at] === n ? " cursor" : ""}${n.id === over ? " over" : ""}${gone ? " gone" : ""}`}
            onClick={(e) => choose(n, e.shiftKey || e.ctrlKey || e.metaKey)}
            onMouseEnter={() => (model.hoverTag.value = n.children.length === 0 ? n.id : null)}>
            <span class="twist" aria-hidden="true" onClick={(e) => {
              if (n.children.length === 0) return;
              e.stopPropagation();
              setOpenOf(n.id, !open.has(n.id));
            }}>
              {n.children.length > 0 && <Icon name={open.has(n.id) ? "down" : "forth"} />}
            </span>
            <span class="stretch">{n.name}{gone && <span class="fine"> hidden</span>}</span>
            <span class="fine">{n.note}</span>
          </li>
        );
      })}
    </ul>
  );
}
