/** Names of one run that differ in the next, and what stands for them in expectations. */
export type Masks = ReadonlyMap<string, string>;

const UID = /\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/g;
const TIME = /\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z\b/g;
const LONG_TIME = /\b[A-Z][a-z]{2}, \d\d [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d [+-]\d{4}/g;
const RESOURCE_VERSION = /(resourceVersion"?: )"\d+"/g;
/** A cell of a table that holds an age and nothing else. */
const AGE = /(?<= {2}|^)(?:\d+[dhms]){1,2}(?= {2}|$)/gm;

/** Older clients colour even what no terminal shows. */
const COLOUR = /\u001B\[[\d;]*m/g;

/** Makes output comparable between runs: columns keep their order and lose their width. */
export function normalise(text: string, masks: Masks): string {
  let out = text
    .replace(COLOUR, '')
    .replace(/[ \t]+$/gm, '')
    .replace(/(?<=\S) {2,}/g, '  ');
  for (const [name, mask] of masks) out = out.replaceAll(name, mask);
  return out
    .replace(UID, '<uid>')
    .replace(TIME, '<time>')
    .replace(LONG_TIME, '<time>')
    .replace(RESOURCE_VERSION, '$1<rv>')
    .replace(AGE, '<age>');
}

/** A text written in a test: the first and last line break and the common indentation go. */
export function block(strings: TemplateStringsArray, ...values: readonly unknown[]): string {
  const text = String.raw({ raw: strings.raw }, ...values);
  const lines = text
    .replace(/^\n/, '')
    .replace(/\n[ ]*$/, '\n')
    .split('\n');
  const indents = lines.filter((line) => line !== '').map((line) => /^ */.exec(line)?.[0].length ?? 0);
  const indent = Math.min(...indents);
  return lines.map((line) => line.slice(indent)).join('\n');
}
