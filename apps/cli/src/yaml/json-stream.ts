/** Quoted texts are passed over; what is left counts. */
const TOKEN = /"(?:[^"\\]|\\[^])*"|[{}[\]]/g;

/** The JSON objects of a text that stand one behind the other, as `jq` prints them; undefined where it holds other things. */
export function jsonTexts(text: string): { readonly text: string; readonly line: number }[] | undefined {
  const parts: { text: string; line: number }[] = [];
  let depth = 0;
  let begin = 0;
  let line = 1;
  for (const match of text.matchAll(TOKEN)) {
    const [token] = match;
    if (token.startsWith('"')) continue;
    const end = match.index + 1;
    if (token === '{' || token === '[') {
      if (depth === 0 && text.slice(begin, match.index).trim() !== '') return undefined;
      depth += 1;
    } else if (--depth === 0) {
      const whole = text.slice(begin, end);
      const object = whole.trimStart();
      const before = whole.length - object.length;
      line += linesIn(whole.slice(0, before));
      parts.push({ text: object, line });
      line += linesIn(object);
      begin = end;
    }
  }
  return depth === 0 && text.slice(begin).trim() === '' ? parts : undefined;
}

function linesIn(text: string): number {
  return text.split('\n').length - 1;
}
