/** The lines on which members of a document stand. */
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
  const { yamlLines } = await import('@capstan/meta/yaml');
  return yamlLines(text);
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
