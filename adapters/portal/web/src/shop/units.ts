// Figures as people type them, with their units, in the unit of the field.

// factors convert a typed unit into the unit of a field.
const factors: Record<string, Record<string, number>> = {
  mm: { mm: 1, cm: 10, m: 1000, in: 25.4, inch: 25.4, '"': 25.4, thou: 0.0254, "µm": 0.001, um: 0.001 },
  "mm/min": { "mm/min": 1, "m/min": 1000, "in/min": 25.4, ipm: 25.4, "mm/s": 60 },
  "m/min": { "m/min": 1, sfm: 0.3048, "ft/min": 0.3048 },
  s: { s: 1, sec: 1, ms: 0.001, min: 60, h: 3600 },
  ms: { ms: 1, s: 1000 },
  kW: { kw: 1, w: 0.001, hp: 0.7457 },
  "°": { "°": 1, deg: 1 },
  rpm: { rpm: 1, "1/min": 1 },
  "$/h": { $: 1, cents: 0.01, "¢": 0.01 },
  "$/kg": { $: 1, cents: 0.01, "¢": 0.01 },
};

// shownAs is the unit in which people type and read the figures of a field, and how many of the field's make one:
// money is kept in cents.
export function shownAs(unit: string): { unit: string; each: number } {
  return unit.startsWith("US cents") ? { unit: unit.replace("US cents", "$"), each: 100 } : { unit, each: 1 };
}

const shape = /^([-+])?(?:(\d+)\s+)?(?:(\d+)\/(\d+)|(\d*[.,]?\d+(?:e[-+]?\d+)?|\d+[.,]))\s*(.*)$/i;

// read returns the value of a typed figure in the unit of a field, or the sentence that says why it is none.
export function read(typed: string, kept: string): number | string {
  const { unit, each } = shownAs(kept);
  let text = typed.trim().replace(/[\u202f\u00a0']/g, "").replace(/−/g, "-");
  if (text.startsWith("$")) text = text.slice(1) + " $";
  if (/^\d{1,3}( \d{3})+(?=[.,\D]|$)/.test(text)) text = text.replace(/(\d) (?=\d{3})/g, "$1");
  const found = shape.exec(text);
  if (!found) return "This is not a number. Write it like 10.5, 10,5 or 1/4 in.";
  const [, sign, whole, top, bottom, plain, name] = found;
  if (whole !== undefined && top === undefined) return "This is not a number. Write it like 10.5, 10,5 or 1/4 in.";
  if (bottom !== undefined && Number(bottom) === 0) return "A fraction cannot have the divisor 0.";
  let value = top !== undefined ? Number(top) / Number(bottom) : Number(plain!.replace(",", "."));
  value += Number(whole ?? 0);
  if (sign === "-") value = -value;
  const stated = name!.trim();
  if (stated !== "" && stated !== unit) {
    const factor = factors[unit]?.[stated.toLowerCase()];
    if (factor === undefined) {
      const known = Object.keys(factors[unit] ?? {});
      return known.length > 0 ? `${stated} is not a unit of this field; use ${known.join(", ")}.` : "This field has no unit.";
    }
    value *= factor;
  }
  return Number((value * each).toPrecision(12));
}

// show is a value as a field of a unit shows it.
export const show = (value: unknown, unit = ""): string => {
  if (typeof value !== "number") return value === null || value === undefined ? "" : String(value);
  return String(Number((value / shownAs(unit).each).toPrecision(9)));
};

const spaced = new Intl.NumberFormat("en-US", { maximumFractionDigits: 6 });

// withUnit is a value in a sentence.
export function withUnit(kept: number, of: string): string {
  const { unit, each } = shownAs(of);
  const value = kept / each;
  if (unit === "°") return `${spaced.format(value)}°`;
  return unit === "" ? spaced.format(value) : `${spaced.format(value)} ${unit}`;
}
