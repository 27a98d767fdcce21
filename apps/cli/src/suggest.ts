const MOST_CHANGES = 3;

/** How many characters have to be added, removed or replaced. */
function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, at) => at);
  for (let i = 1; i <= a.length; i += 1) {
    const next = [i];
    for (let k = 1; k <= b.length; k += 1) {
      const replaced = (row[k - 1] ?? 0) + (a[i - 1] === b[k - 1] ? 0 : 1);
      next.push(Math.min((row[k] ?? 0) + 1, (next[k - 1] ?? 0) + 1, replaced));
    }
    row = next;
  }
  return row[b.length] ?? 0;
}

/** What was probably meant: the name that is most like it, if one is. */
export function suggestion(text: string, names: Iterable<string>): string | undefined {
  let best: { readonly name: string; readonly changes: number } | undefined;
  for (const name of names) {
    const changes = distance(text, name);
    const isLike = changes <= MOST_CHANGES || (text.length > MOST_CHANGES && name.includes(text));
    if (isLike && (best === undefined || changes < best.changes)) best = { name, changes };
  }
  return best?.name;
}
