const GROUP_MARK = '\u0001';
/** Around what is written in base64. */
export const BASE64_MARK = '\u0002';

/** A group that must be renamed. */
export const marked = (group: string): string => `${GROUP_MARK}${group}${GROUP_MARK}`;

/** The text of a document with its groups named by a function. */
export function render(text: string, name: (group: string) => string): string {
  const named = text.replaceAll(new RegExp(`${GROUP_MARK}([^${GROUP_MARK}]*)${GROUP_MARK}`, 'g'), (_, group: string) =>
    name(group),
  );
  return named.replaceAll(new RegExp(`${BASE64_MARK}([^${BASE64_MARK}]*)${BASE64_MARK}`, 'g'), (_, inner: string) =>
    Buffer.from(inner).toString('base64'),
  );
}
