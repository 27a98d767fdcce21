import { AssemblyError } from './errors.js';

/** A word or a list in parentheses. */
export type Node = string | readonly Node[];

const WORD = /;;[^\n]*|"[^"]*"|[()]|[^\s()";]+/g;

/** The one list that a text consists of. */
export function parse(text: string): readonly Node[] {
  const open: Node[][] = [[]];
  for (const [word] of text.matchAll(WORD)) {
    if (word.startsWith(';;')) continue;
    if (word === '(') open.push([]);
    else if (word === ')') {
      const closed = open.pop() as Node[];
      const around = open.at(-1);
      if (around === undefined) throw new AssemblyError('a parenthesis closes that was not opened');
      around.push(closed);
    } else open.at(-1)?.push(word);
  }
  const [top, ...more] = open[0] ?? [];
  if (open.length !== 1 || !Array.isArray(top) || more.length > 0)
    throw new AssemblyError('a text is one list in parentheses');
  return top as readonly Node[];
}
