// Times and numbers as sentences show them. Times are local, days of usage are UTC.

const minute = 60_000;
const hour = 60 * minute;
export const day = 24 * hour;

const dateForm = new Intl.DateTimeFormat("en-US", { year: "numeric", month: "short", day: "numeric" });
const minuteForm = new Intl.DateTimeFormat("en-US", {
  year: "numeric", month: "short", day: "numeric", hour: "2-digit", minute: "2-digit", hourCycle: "h23",
});
const dayForm = new Intl.DateTimeFormat("en-US", { month: "short", day: "numeric", timeZone: "UTC" });
const longDayForm = new Intl.DateTimeFormat("en-US", {
  weekday: "short", year: "numeric", month: "short", day: "numeric", timeZone: "UTC",
});
const relative = new Intl.RelativeTimeFormat("en-US", { numeric: "auto" });

export const date = (at: string | number) => dateForm.format(new Date(at));
export const moment = (at: string | number) => minuteForm.format(new Date(at));
export const utcDay = (at: string) => dayForm.format(new Date(at + "T00:00:00Z"));
export const longUtcDay = (at: string) => longDayForm.format(new Date(at + "T00:00:00Z"));
export const count = (n: number) => n.toLocaleString("en-US");

// isoDay is the UTC day of a time (ms).
export const isoDay = (at: number) => new Date(at).toISOString().slice(0, 10);

// span is how long ago a time was, as "5 minutes ago". What seems to come happened just now, by a clock that differs.
export function span(at: string, now: number): string {
  const ms = Math.min(0, new Date(at).getTime() - now);
  const far = -ms;
  if (far < minute) return "just now";
  if (far < hour) return relative.format(Math.trunc(ms / minute), "minute");
  if (far < day) return relative.format(Math.trunc(ms / hour), "hour");
  return relative.format(Math.trunc(ms / day), "day");
}

// countdown is a remaining time as h:mm:ss.
export function countdown(ms: number): string {
  const s = Math.max(0, Math.ceil(ms / 1000));
  const two = (n: number) => String(n).padStart(2, "0");
  return `${Math.floor(s / 3600)}:${two(Math.floor(s / 60) % 60)}:${two(s % 60)}`;
}
