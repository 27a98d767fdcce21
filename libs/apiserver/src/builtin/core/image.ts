const PART = '[a-z0-9]+(?:(?:\\.|_|__|-+)[a-z0-9]+)*';
const HOST_PART = '(?:[a-zA-Z0-9]|[a-zA-Z0-9][a-zA-Z0-9-]*[a-zA-Z0-9])';
const HOST = `(?:${HOST_PART}(?:\\.${HOST_PART})*|\\[[a-fA-F0-9:]+\\])(?::[0-9]+)?`;
const TAG = '[\\w][\\w.-]{0,127}';
const DIGEST = '[A-Za-z][A-Za-z0-9]*(?:[-_+.][A-Za-z][A-Za-z0-9]*)*:[0-9a-fA-F]{32,}';
const REFERENCE = new RegExp(`^(?:${HOST}/)?${PART}(?:/${PART})*(?::(${TAG}))?(?:@(${DIGEST}))?$`);

/** Longer names are no names of images; the domain aside, which nobody has that long. */
const MAX_NAME_LENGTH = 255;

/** Images with a moving tag get pulled each time: `:latest`, named or implied. An unreadable reference counts as pinned. */
export function defaultPullPolicy(image: string): 'Always' | 'IfNotPresent' {
  const match = REFERENCE.exec(image);
  const name = image.split(/[:@]/, 1)[0] ?? '';
  if (match === null || name.length > MAX_NAME_LENGTH) return 'IfNotPresent';
  const tag = match[1] ?? (match[2] === undefined ? 'latest' : '');
  return tag === 'latest' ? 'Always' : 'IfNotPresent';
}
