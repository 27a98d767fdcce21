/** Such a line ends a document wherever it stands, also within a text. */
const SEPARATOR = /^---(?=[ \t\r\n]|$)[^\n]*\n?/gm;
/** What makes the parts of a file depend on each other. */
export const DEPENDENT = /^(?:%|\.\.\.[ \t\r]*$)/m;

/** A document of a file. */
export interface Part {
  readonly text: string;
  /** Of its first line. */
  readonly line: number;
}

/** The documents of a file apart from each other. */
export function partsOf(text: string): Part[] {
  const parts: Part[] = [];
  let begin = 0;
  let line = 1;
  const take = (end: number, next: number): void => {
    parts.push({ text: text.slice(begin, end), line });
    for (let at = begin; at < next; at++) if (text.charCodeAt(at) === 0x0a) line += 1;
    begin = next;
  };
  for (const match of text.matchAll(SEPARATOR)) {
    // A separator may have the beginning of its document behind it.
    const isBare = /^---[ \t]*(?:#[^\n]*)?\r?\n?$/.test(match[0]);
    take(match.index, match.index + (isBare ? match[0].length : 3));
  }
  take(text.length, text.length);
  return parts;
}

/** The line on which the document states something for the first time. */
export function firstLine({ line, text }: Part): number {
  let at = line;
  for (const each of text.split('\n', 100)) {
    if (each.trim() !== '' && !each.trimStart().startsWith('#')) break;
    at += 1;
  }
  return at;
}
