/**
 * A text without the given character at its end. A regular expression such as `/0+$/` takes the square of a run of zeros that
 * is not at the end: it begins again at each of them.
 */
export function trimEndOf(text: string, char: string): string {
  let end = text.length;
  while (end > 0 && text.charAt(end - 1) === char) end--;
  return text.slice(0, end);
}

/** The same at its beginning. */
export function trimStartOf(text: string, char: string): string {
  let start = 0;
  while (start < text.length && text.charAt(start) === char) start++;
  return text.slice(start);
}
