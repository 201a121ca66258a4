// What a finding of the proof colors in a playback.
import type { Finding } from "../programtypes";

// Fault is what collides: zones of the outline of the tool (0 flutes, 1 neck, 2 shank, 3 holder), and the jaws.
export interface Fault { zones: readonly number[]; jaws: boolean }

const byKind: Record<string, Fault> = {
  gouge: { zones: [0], jaws: false }, rapid: { zones: [0], jaws: false }, shank: { zones: [1, 2], jaws: false },
  holder: { zones: [3], jaws: false }, fixture: { zones: [0, 1, 2, 3], jaws: true },
};

// faultOf is what collides in findings of one move.
export function faultOf(findings: readonly Finding[]): Fault {
  const all = findings.map((f) => byKind[f.kind]).filter((f) => f !== undefined);
  return { zones: all.flatMap((f) => f.zones), jaws: all.some((f) => f.jaws) };
}
