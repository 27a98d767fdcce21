import type { LabelSelector } from '@capstan/api/model';

type Expression = NonNullable<LabelSelector['matchExpressions']>[number];

const KEY = String.raw`[A-Za-z0-9][-A-Za-z0-9_./]*`;
const FORMS: readonly (readonly [RegExp, (key: string, value: string) => Expression])[] = [
  [new RegExp(`^(${KEY})\\s+notin\\s+\\((.*)\\)$`), (key, value) => ({ key, operator: 'NotIn', values: list(value) })],
  [new RegExp(`^(${KEY})\\s+in\\s+\\((.*)\\)$`), (key, value) => ({ key, operator: 'In', values: list(value) })],
  [new RegExp(`^(${KEY})\\s*!=\\s*(.*)$`), (key, value) => ({ key, operator: 'NotIn', values: [value] })],
  [new RegExp(`^!\\s*(${KEY})$`), (key) => ({ key, operator: 'DoesNotExist' })],
  [new RegExp(`^(${KEY})$`), (key) => ({ key, operator: 'Exists' })],
];
const EQUALS = new RegExp(`^(${KEY})\\s*==?\\s*([-A-Za-z0-9_.]*)$`);

function list(text: string): string[] {
  return text.split(',').map((each) => each.trim());
}

/** Requirements of a selector: commas within parentheses part values. */
function parts(text: string): string[] {
  return text
    .split(/,(?![^(]*\))/)
    .map((each) => each.trim())
    .filter((each) => each !== '');
}

/** A selector as users write it on the command line: `size=large,zone notin (az1,az2)`; undefined when it is none. */
export function selectorOf(text: string): LabelSelector | undefined {
  const matchLabels: Record<string, string> = {};
  const matchExpressions: Expression[] = [];
  for (const part of parts(text)) {
    const [, key, value = ''] = EQUALS.exec(part) ?? [];
    if (key !== undefined) {
      matchLabels[key] = value;
      continue;
    }
    const found = FORMS.map(([form, make]) => [form.exec(part), make] as const).find(([match]) => match !== null);
    if (found?.[0] == null) return undefined;
    matchExpressions.push(found[1](found[0][1] ?? '', found[0][2] ?? ''));
  }
  return {
    ...(Object.keys(matchLabels).length === 0 ? {} : { matchLabels }),
    ...(matchExpressions.length === 0 ? {} : { matchExpressions }),
  };
}
