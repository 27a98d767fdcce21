import type { Dice } from './dice.js';

function encoded(dice: Dice, segment: string): string {
  return [...segment]
    .map((letter) => (dice.percent(15) ? `%${letter.charCodeAt(0).toString(16).padStart(2, '0')}` : letter))
    .join('');
}

/** A path that means the same to a server, or to one that is read carelessly. */
export function spelledPath(dice: Dice, segments: readonly string[]): string {
  const spelled = segments.flatMap((segment) => {
    const written = dice.percent(8) ? encoded(dice, segment) : segment;
    if (dice.percent(2)) return ['.', written];
    if (dice.percent(2)) return ['x', '..', written];
    if (dice.percent(2)) return ['', written];
    return dice.percent(1) ? ['%2e', written] : [written];
  });
  const path = `/${spelled.join('/')}${dice.percent(3) ? '/' : ''}`;
  return dice.percent(2) ? `/${path}` : path;
}

/** More parameters than Go reads. */
const TOO_MANY = 'x=1&'.repeat(10_001);

/** The spellings of one parameter that an attacker tries who knows how readers differ. */
const SPOILS: readonly ((parameter: string) => string)[] = [
  (parameter) => `${parameter};`,
  (parameter) => `${parameter};x=1`,
  (parameter) => `${parameter}%zz`,
  (parameter) => `${parameter}%`,
  (parameter) => `${parameter}%00`,
  (parameter) => `${parameter}%ff`,
  (parameter) => `${parameter}%3B`,
  (parameter) => `${parameter}+`,
  (parameter) => `${parameter}#`,
  (parameter) => `${parameter},`,
  (parameter) => `${parameter}%5C`,
  (parameter) => `${parameter}=`,
  (parameter) => `?${parameter}`,
  (parameter) => `+${parameter}`,
  (parameter) => `${parameter}&&`,
  (parameter) => `=x&${parameter}`,
  (parameter) => `;&${parameter}`,
  (parameter) => `${parameter}&${parameter.split('=', 1)[0]}=`,
  (parameter) => `${parameter.split('=', 1)[0]}=&${parameter}`,
  (parameter) => `${parameter.split('=', 1)[0]}&${parameter}`,
  (parameter) => parameter.charAt(0).toUpperCase() + parameter.slice(1),
  (parameter) => parameter.replace('e', '%65').replace('a', '%61'),
  (parameter) => parameter.replace('=', '%3D'),
];

/** A query that means the same to a server, or to one that is read carelessly. */
export function spelledQuery(dice: Dice, query: string): string {
  const spelled = query
    .split('&')
    .map((parameter) => (dice.percent(25) ? dice.one(SPOILS)(parameter) : parameter))
    .join('&');
  return dice.percent(1) ? TOO_MANY + spelled : spelled;
}

/** A text of JSON with some of its characters escaped, which means the same. */
function escaped(dice: Dice, text: string): string {
  return text.replaceAll(/[.x]/g, (letter) =>
    dice.percent(20) ? `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}` : letter,
  );
}

/** JSON as others may write it: escapes, white space, keys that come twice. */
export function spelledJson(dice: Dice, value: unknown): string {
  const text = JSON.stringify(value, undefined, dice.percent(10) ? 2 : undefined);
  const apiVersion = (value as { apiVersion?: unknown } | null)?.apiVersion;
  const twice =
    dice.percent(4) && typeof apiVersion === 'string' && text.startsWith('{"')
      ? `{"apiVersion":${JSON.stringify(apiVersion)},${text.slice(1)}`
      : text;
  return dice.percent(10)
    ? twice.replaceAll(/"(apiVersion|apiGroup|group)":"[^"]*"/g, (pair) => escapedValue(dice, pair))
    : twice;
}

function escapedValue(dice: Dice, pair: string): string {
  const colon = pair.indexOf(':');
  return pair.slice(0, colon + 1) + escaped(dice, pair.slice(colon + 1));
}

/** Block style, with what only looks like fields. */
export function yamlOf({ apiVersion, kind, metadata, spec }: Record<string, unknown>): string {
  return [
    '# apiVersion: cluster.x-k8s.io/v1',
    `apiVersion: ${String(apiVersion)} # here`,
    `kind: ${String(kind)}`,
    `metadata: ${JSON.stringify(metadata)}`,
    ...(spec === undefined ? [] : [`spec: ${JSON.stringify(spec)}`]),
    '',
  ].join('\n');
}
