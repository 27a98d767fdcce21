/**
 * Quoted texts and flow collections may go on in lines that are indented no further than the key they belong to: Kubernetes
 * reads them, and YAML 1.2 forbids it. Blanks at the beginning of such lines mean nothing, so they can be added.
 */

const QUOTED = /"(?:[^"\\]|\\[^])*"|'(?:[^']|'')*'/y;
/** Quoted texts (a quote within a word is an apostrophe), comments, and brackets. */
const FLOW_TOKEN = /(?<=[[{,:\s])(?:"(?:[^"\\]|\\[^])*"|'(?:[^']|'')*')|\s#[^\n]*|[[{\]}]/g;
/** What stands before a value in its line: dashes, properties, and a key. */
const LEAD =
  /^ *(?:(?:[-?] +|[&!][^\s]* +)*)(?:(?:"(?:[^"\\\n]|\\.)*"|'(?:[^'\n]|'')*'|[^\s"'#[\]{},&*!|>%@`-][^#\n]*?|-[^\s#][^#\n]*?) *: +)?(?:[&!][^\s]* +)*/;
const SEPARATOR = /\n---(?:\s|$)/;
const BLOCK_SCALAR = /^[|>][-+0-9]*(?:\s|$)/;

/** Behind the quoted text that begins there; undefined where it does not end. */
function behindQuoted(text: string, at: number): number | undefined {
  QUOTED.lastIndex = at;
  return QUOTED.test(text) ? QUOTED.lastIndex : undefined;
}

/** Behind the flow collection that begins there; undefined where it does not end. */
function behindFlow(text: string, start: number): number | undefined {
  let depth = 0;
  FLOW_TOKEN.lastIndex = start;
  for (let match = FLOW_TOKEN.exec(text); match !== null; match = FLOW_TOKEN.exec(text)) {
    const [token] = match;
    if (token === '[' || token === '{') depth += 1;
    else if (token === ']' || token === '}') depth -= 1;
    if (depth === 0) return FLOW_TOKEN.lastIndex;
  }
  return undefined;
}

function endOfLine(text: string, at: number): number {
  const end = text.indexOf('\n', at);
  return end < 0 ? text.length : end;
}

function indentOf(line: string): number {
  return line.length - line.trimStart().length;
}

/** Behind the lines of a block scalar whose first line ends there. */
function behindBlock(text: string, lineEnd: number, indent: number): number {
  let margin: number | undefined;
  for (let at = lineEnd + 1; at < text.length;) {
    const end = endOfLine(text, at);
    const line = text.slice(at, end);
    if (line.trim() !== '') {
      margin ??= indentOf(line);
      if (indentOf(line) < margin || margin <= indent) return at;
    }
    at = end + 1;
  }
  return text.length;
}

/** The text with such lines indented far enough; the very same where there are none, or where one does not end. */
export function reindent(text: string): string {
  let out = '';
  for (let at = 0; at < text.length;) {
    const end = endOfLine(text, at);
    const line = text.slice(at, end);
    const value = at + (LEAD.exec(line)?.[0].length ?? 0);
    if (BLOCK_SCALAR.test(text.slice(value, end))) {
      const next = behindBlock(text, end, indentOf(line));
      out += text.slice(at, next);
      at = next;
      continue;
    }
    const found = behindValue(text, value) ?? end;
    // A separator ends a document wherever it stands, also within a text.
    const behind = SEPARATOR.test(text.slice(value, found)) ? end : found;
    const last = Math.max(end, endOfLine(text, behind));
    out += text.slice(at, last + 1).replaceAll(/\n(?!$)/g, `\n${' '.repeat(value - at + 1)}`);
    at = last + 1;
  }
  return out;
}

function behindValue(text: string, at: number): number | undefined {
  switch (text[at]) {
    case '"':
    case "'":
      return behindQuoted(text, at);
    case '[':
    case '{':
      return behindFlow(text, at);
    default:
      return undefined;
  }
}
