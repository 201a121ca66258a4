// Figures and names of parts as sentences show them.

// bytes is a size such as "62 MB".
export function bytes(n: number): string {
  const units = ["bytes", "kB", "MB", "GB"];
  let at = 0;
  while (n >= 1000 && at < units.length - 1) {
    n /= 1000;
    at++;
  }
  return `${n < 10 && at > 0 ? n.toFixed(1) : Math.round(n)} ${units[at]}`;
}

const figureForm = new Intl.NumberFormat("en-US", { maximumFractionDigits: 3 });

// figure is a number with at most three decimals, and never "-0".
export const figure = (n: number) => figureForm.format(Math.abs(n) < 0.0005 ? 0 : n);

// plural is "1 body" or "3 bodies".
export const plural = (n: number, one: string, many = one + "s") => `${n.toLocaleString("en-US")} ${n === 1 ? one : many}`;

// typeName is the name of a kind of feature. Unknown kinds keep their own.
const typeNames: Record<string, string> = { Three: "Freeform surface", Tslot: "T-slot" };
export const typeName = (type: string) => typeNames[type] ?? type;

// directionName is an axis such as "+Z", or the figures of a direction between axes.
export function directionName(v: { x: number; y: number; z: number }): string {
  for (const [name, a, b, c] of [["X", v.x, v.y, v.z], ["Y", v.y, v.x, v.z], ["Z", v.z, v.x, v.y]] as const) {
    if (Math.abs(b) < 1e-6 && Math.abs(c) < 1e-6) return (a < 0 ? "−" : "+") + name;
  }
  return [v.x, v.y, v.z].map(figure).join(", ");
}

const productNames: Record<string, string> = {
  part_processing: "First analysis", part_analysis: "Analysis", feature_details: "Measurement", plan: "Plan",
  toolpaths: "Toolpaths", program: "Program",
};
export const productName = (product: string) => productNames[product] ?? product;

// jobStates and jobTones are the names and the looks of states of jobs.
export const jobStates = { queued: "Waits", running: "Runs", succeeded: "Done", failed: "Failed" };
export const jobTones = { queued: "", running: " warn", succeeded: " good", failed: " bad" };

// capital is a text with a capital letter at its begin.
export const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);
