// Rows that light faces in the picture of the part.
import type { ComponentChildren } from "preact";
import type { Picture, Tone } from "./picture";

// Lights is the picture, and the id of the row that is lit in it, "" for none.
export interface Lights { picture: Picture; lit: string; set: (id: string) => void }

// Lit is a button whose faces are lit in the picture while it is pressed; one at a time on a page.
export function Lit(props: {
  id: string; regions: readonly number[]; tone: Tone; class?: string; children: ComponentChildren;
} & Lights) {
  const { id, lit, set, regions, tone, picture } = props;
  const press = () => {
    const off = lit === id;
    set(off ? "" : id);
    picture.light(off ? null : regions, tone);
    if (!off && regions.length > 0) picture.frame(regions);
  };
  return (
    <button type="button" class={props.class ?? "tool"} aria-pressed={lit === id}
      data-regions={regions.join(" ")} onClick={press}>
      {props.children}
    </button>
  );
}

// Figure is a labelled value of a list of figures.
export function Figure(props: { label: string; children: ComponentChildren }) {
  return <div><dt>{props.label}</dt><dd>{props.children}</dd></div>;
}
