/** Unified diff of two JSON values, pretty-printed: what the server appends when it refuses a change. */

import { pushAll } from '@capstan/meta';
import { htmlEscaped } from '../../codec/index.js';

const CONTEXT = 3;

interface Block {
  readonly a: number;
  readonly b: number;
  readonly size: number;
}

// Longest common subsequence; the inputs are a spec's few hundred lines, on an error path.
function commonLengths(a: readonly string[], b: readonly string[], width: number): Uint32Array {
  const table = new Uint32Array((a.length + 1) * width);
  for (let i = a.length - 1; i >= 0; i--) {
    for (let j = b.length - 1; j >= 0; j--) {
      const below = table[(i + 1) * width + j] ?? 0;
      const right = table[i * width + j + 1] ?? 0;
      table[i * width + j] = a[i] === b[j] ? (table[(i + 1) * width + j + 1] ?? 0) + 1 : Math.max(below, right);
    }
  }
  return table;
}

function matchingBlocks(a: readonly string[], b: readonly string[]): Block[] {
  const width = b.length + 1;
  const table = commonLengths(a, b, width);
  const blocks: Block[] = [];
  let i = 0;
  let j = 0;
  while (i < a.length && j < b.length) {
    if (a[i] !== b[j]) {
      if ((table[(i + 1) * width + j] ?? 0) >= (table[i * width + j + 1] ?? 0)) i++;
      else j++;
      continue;
    }
    const start = i;
    const from = j;
    while (i < a.length && j < b.length && a[i] === b[j]) {
      i++;
      j++;
    }
    blocks.push({ a: start, b: from, size: i - start });
  }
  blocks.push({ a: a.length, b: b.length, size: 0 });
  return blocks;
}

interface Line {
  readonly mark: ' ' | '-' | '+';
  readonly text: string;
  readonly a: number;
  readonly b: number;
}

function editScript(a: readonly string[], b: readonly string[]): Line[] {
  const lines: Line[] = [];
  let i = 0;
  let j = 0;
  for (const block of matchingBlocks(a, b)) {
    for (; i < block.a; i++) lines.push({ mark: '-', text: a[i] ?? '', a: i, b: j });
    for (; j < block.b; j++) lines.push({ mark: '+', text: b[j] ?? '', a: i, b: j });
    for (let at = 0; at < block.size; at++, i++, j++) lines.push({ mark: ' ', text: a[i] ?? '', a: i, b: j });
  }
  return lines;
}

function range(start: number, length: number): string {
  if (length === 1) return `${start + 1}`;
  return `${length === 0 ? start : start + 1},${length}`;
}

/** The diff with three lines of context, hunks headed `@@ -1,7 +1,7 @@`; empty when nothing differs. */
export function diffJson(before: unknown, after: unknown): string {
  const [a = [], b = []] = [before, after].map((value) =>
    htmlEscaped(JSON.stringify(value, undefined, 1) ?? 'null').split('\n'),
  );
  const lines = editScript(a, b);
  const hunks: Line[][] = [];
  let last = Number.NEGATIVE_INFINITY;
  lines.forEach((line, at) => {
    if (line.mark === ' ') return;
    const open = hunks.at(-1);
    if (open && at - last <= CONTEXT * 2 + 1) pushAll(open, lines.slice(last + 1, at + 1));
    else hunks.push(lines.slice(Math.max(0, at - CONTEXT, hunks.length > 0 ? last + CONTEXT + 1 : 0), at + 1));
    last = at;
    const rest = lines.slice(at + 1, at + 1 + CONTEXT * 2 + 1);
    if (!rest.some((next) => next.mark !== ' ')) pushAll(hunks.at(-1) ?? [], lines.slice(at + 1, at + 1 + CONTEXT));
  });
  return hunks
    .map((hunk) => {
      const first = hunk[0];
      const removed = hunk.filter((line) => line.mark !== '+').length;
      const added = hunk.filter((line) => line.mark !== '-').length;
      const head = `@@ -${range(first?.a ?? 0, removed)} +${range(first?.b ?? 0, added)} @@\n`;
      return head + hunk.map((line) => `${line.mark}${line.text}\n`).join('');
    })
    .join('');
}
