/** The lines on which members of a document stand. */
import type { Document, LineCounter, Node } from 'yaml';
import type { LineMarks } from './quick-yaml.js';
import { readQuickly } from './quick-yaml.js';

/** A way into a document. */
export type Steps = readonly (string | number)[];

/** The line of the member that the steps lead to, as far as they lead, from 1 on. */
export type FindLine = (steps: Steps) => number | undefined;

/** Reads a document for the lines of its members. */
export async function lineFinder(text: string): Promise<FindLine> {
  const marks: LineMarks = new WeakMap();
  const quick = readQuickly(text, marks);
  if (quick !== undefined) return (steps) => quickLine(quick.value, marks, steps);
  const { LineCounter: Counter, parseDocument } = await import('yaml');
  const lines = new Counter();
  // What is wrong with it, its depth and its keys among that, was reported when it was read.
  const document = parseDocument(text, { lineCounter: lines, strict: false, uniqueKeys: false, logLevel: 'silent' });
  return (steps) => slowLine(document, lines, steps);
}

function quickLine(root: unknown, marks: LineMarks, steps: Steps): number | undefined {
  let line: number | undefined;
  let at = root;
  for (const step of steps) {
    if (typeof at !== 'object' || at === null) break;
    const found = marks.get(at)?.get(step);
    if (found === undefined) break;
    line = found;
    at = (at as Record<string | number, unknown>)[step];
  }
  return line;
}

function slowLine(document: Document, lines: LineCounter, steps: Steps): number | undefined {
  let line: number | undefined;
  let at: unknown = document.contents;
  for (const step of steps) {
    const { items } = Object(at) as { readonly items?: readonly unknown[] };
    const pair = items?.find((each) => keyOf(each) === step) as { key: Node; value: unknown } | undefined;
    const found = typeof step === 'number' ? (items?.[step] as Node | undefined) : pair?.key;
    if (found?.range == null) break;
    line = lines.linePos(found.range[0]).line;
    at = typeof step === 'number' ? found : pair?.value;
  }
  return line;
}

function keyOf(pair: unknown): unknown {
  const { key } = Object(pair) as { readonly key?: { readonly value?: unknown } };
  return key?.value;
}
