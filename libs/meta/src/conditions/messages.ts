/** The longest message of a condition that still reads in the column of a table. */
export const MAX_CONDITION_MESSAGE = 200;

/** A text of at most so many characters. */
export function cutText(text: string, most = MAX_CONDITION_MESSAGE): string {
  return text.length <= most ? text : `${text.slice(0, Math.max(0, most - 3)).trimEnd()}...`;
}

/** `a, b, c and 25 more`: as many items as fit into so many characters, and always the first. */
export function cutList(items: readonly string[], most = MAX_CONDITION_MESSAGE): string {
  const whole = items.join(', ');
  if (whole.length <= most) return whole;
  for (let named = items.length - 1; named > 1; named -= 1) {
    const text = `${items.slice(0, named).join(', ')} and ${items.length - named} more`;
    if (text.length <= most) return text;
  }
  const rest = items.length > 1 ? ` and ${items.length - 1} more` : '';
  return `${cutText(items[0] ?? '', most - rest.length)}${rest}`;
}
