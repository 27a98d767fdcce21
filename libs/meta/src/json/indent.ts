const STEP = '  ';
/** A text, or what stands between two marks: the digits of a number stay as they are. */
const TOKEN = /"[^"\\]*(?:\\.[^"\\]*)*"|[{}[\],:]|[^"{}[\],:\s]+/g;
const OPENING: ReadonlySet<string> = new Set(['{', '[']);
const CLOSING: ReadonlySet<string> = new Set(['}', ']']);

/** Whether a line ends between two tokens. */
function isBroken(last: string, token: string): boolean {
  if (CLOSING.has(token)) return !OPENING.has(last);
  return last === ',' || OPENING.has(last);
}

/** JSON without spaces, indented by two as Go and `JSON.stringify` do, with every number written as it was. */
export function indentJson(text: string): string {
  const pieces: string[] = [];
  let depth = 0;
  let last = '';
  for (const [token] of text.matchAll(TOKEN)) {
    if (CLOSING.has(token)) depth -= 1;
    if (isBroken(last, token)) pieces.push('\n', STEP.repeat(depth));
    pieces.push(token === ':' ? ': ' : token);
    if (OPENING.has(token)) depth += 1;
    last = token;
  }
  return pieces.join('');
}
