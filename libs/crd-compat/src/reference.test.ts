import { expect, test } from 'vitest';
import { type Rule, explain, rules } from './catalogue.js';

function section(rule: Rule): string {
  return [
    `### ${rule.id}`,
    '',
    `**${rule.severity}**: ${rule.title}.`,
    '',
    rule.explanation,
    '',
    `    ${rule.example}`,
  ].join('\n');
}

function page(): string {
  const all = [...rules.values()];
  const of = (severity: Rule['severity']): string =>
    all
      .filter((rule) => rule.severity === severity)
      .map(section)
      .join('\n\n');
  return `# Rules of the CRD compatibility checker

What a finding about two definitions may be. The required definition is on the left of an arrow, the live one on the
right. An error breaks clients that rely on the requirement, and comes with a request that shows it, or with the remark that
none could be found; a warning may surprise them. \`capstan crd explain RULE\` prints one of these.

## Errors

${of('error')}

## Warnings

${of('warning')}
`;
}

test('the reference page describes every rule', async () => {
  await expect(page()).toMatchFileSnapshot('../../../docs/reference/crd-compat-rules.md');
});

test('every rule can be asked for, and nothing else', () => {
  for (const [id, rule] of rules) expect(explain(id)).toBe(rule);
  expect(explain('no-such-rule')).toBeUndefined();
});

test('every rule speaks in whole sentences', () => {
  for (const { example, explanation, title } of rules.values()) {
    expect(explanation).toMatch(/^[A-Za-z].*\.$/);
    expect(title).not.toMatch(/\.$/);
    expect(example).not.toBe('');
  }
});
