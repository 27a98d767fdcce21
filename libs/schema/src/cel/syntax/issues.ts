/** Complaints about an expression, rendered with the offending line and a caret under it. */

/** One complaint; the offset counts UTF-16 units from the start, -1 when there is no place to point at. */
export interface CelIssue {
  readonly offset: number;
  readonly message: string;
}

const maxReported = 100;
const maxSnippet = 16_384;

interface Place {
  line: number;
  /** UTF-16 offset of the line's first character. */
  start: number;
}

function placeOf(source: string, offset: number): Place {
  let line = 1;
  let start = 0;
  for (let at = source.indexOf('\n'); at !== -1 && at < offset; at = source.indexOf('\n', at + 1)) {
    line++;
    start = at + 1;
  }
  return { line, start };
}

function render(source: string, issue: CelIssue): string {
  if (issue.offset < 0) return `ERROR: <input>:-1:0: ${issue.message}`;
  // An empty source has no columns at all.
  if (source === '') return `ERROR: <input>:1:0: ${issue.message}`;
  const { line, start } = placeOf(source, issue.offset);
  const end = source.indexOf('\n', start);
  const snippet = source.slice(start, end === -1 ? source.length : end).replaceAll('\t', ' ');
  const before = Array.from(source.slice(start, issue.offset));
  const head = `ERROR: <input>:${line}:${before.length + 1}: ${issue.message}`;
  if (snippet.length > maxSnippet) return head;
  let marks = '';
  for (const char of before) marks += (char.codePointAt(0) ?? 0) > 0x7f ? '\uff0e' : '.';
  const under = snippet.codePointAt(issue.offset - start) ?? 0;
  return `${head}\n | ${snippet}\n | ${marks}${under > 0x7f ? '\uff3e' : '^'}`;
}

/** All complaints in the order of their places, as the server prints them. */
export function formatIssues(source: string, issues: readonly CelIssue[]): string {
  const sorted = [...issues].sort((a, b) => a.offset - b.offset);
  const lines = sorted.slice(0, maxReported).map((issue) => render(source, issue));
  if (sorted.length > maxReported) lines.push(`${sorted.length - maxReported} more errors were truncated`);
  return lines.join('\n');
}
