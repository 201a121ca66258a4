// Origins of pages, by the rules of the service (core/service/account/origin.go).

// maxOrigins bounds the origins of one key.
const maxOrigins = 50;

// form is scheme, host or address in brackets, and port. Wildcards and names of users are not allowed.
const form = /^https?:\/\/(\[[0-9a-f:.]+\]|[^\s/?#@*,:[\]\\]+)(:\d{1,5})?\/?$/i;

// lines returns the origins of a text with one a line.
export const lines = (text: string) => text.split("\n").map((l) => l.trim()).filter((l) => l !== "");

const isOrigin = (text: string) => /^[!-~]+$/.test(text) && form.test(text) && URL.canParse(text);

// faults returns a sentence for each line that is not an origin.
export function faults(text: string): string[] {
  const out: string[] = [];
  text.split("\n").forEach((line, i) => {
    const origin = line.trim();
    if (origin !== "" && !isOrigin(origin)) {
      out.push(`Line ${i + 1} is not an origin: write scheme, host and port, as in https://shop.example:8443.`);
    }
  });
  if (lines(text).length > maxOrigins) out.push(`A key allows at most ${maxOrigins} origins.`);
  return out;
}
