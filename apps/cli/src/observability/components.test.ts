import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { alertsOf } from '@capstan/observability';
import type { Observability } from '@capstan/observability';
import { checkComponents } from '@capstan/observability/promql';
import { expect, it } from 'vitest';
import { OBSERVED } from './components.js';

const root = join(import.meta.dirname, '../../../..');
const runbooks = join(root, 'docs/operations/runbooks');
const HEADINGS = ['Meaning', 'Impact', 'Diagnosis', 'Mitigation', 'When to escalate'];

it('Every rule and panel asks only for metrics and labels that are there, and every alert has its runbook', () => {
  expect(checkComponents(OBSERVED, { hasRunbook: (name) => existsSync(join(runbooks, `${name}.md`)) })).toEqual([]);
});

it('No operator that has something to watch is forgotten', () => {
  const folders = readdirSync(join(root, 'operators')).filter((name) =>
    existsSync(join(root, 'operators', name, 'src/observability.ts')),
  );
  expect(OBSERVED.map(({ component }) => component).toSorted()).toEqual(folders.toSorted());
});

it.each(OBSERVED.map((each) => [each.component, each] as const))(
  'The component %s has the log messages it declares, at their levels',
  (component, { logs }) => {
    const source = sourcesOf(join(root, 'operators', component, 'src'));
    expect(logs.filter(({ level, message }) => !source.includes(`logger.${level}('${message}'`))).toEqual([]);
  },
);

it.each(OBSERVED.map((each) => [each.component, each] as const))(
  'The component %s declares every log message that it has',
  (component, { logs }) => {
    const declared = new Set(logs.map(({ level, message }) => `${level} ${message}`));
    const source = sourcesOf(join(root, 'operators', component, 'src'));
    const found = [...source.matchAll(/logger\.(info|warn|error)\(\s*'([^']+)'/g)];
    expect(found.map(([, level, message]) => `${level} ${message}`).filter((each) => !declared.has(each))).toEqual([]);
  },
);

/** The text of all modules of a folder, tests and the declarations themselves left out. */
function sourcesOf(folder: string): string {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.ts'));
  const own = files.filter((file) => !file.endsWith('.test.ts') && file !== 'observability.ts');
  return own.map((file) => readFileSync(join(folder, file), 'utf8')).join('\n');
}

it.each(readdirSync(runbooks))('The runbook %s belongs to an alert and answers what one asks at night', (file) => {
  const text = readFileSync(join(runbooks, file), 'utf8');
  const alerts = alertsOf(OBSERVED).filter(({ runbook }) => `${runbook}.md` === file);
  expect(alerts).not.toEqual([]);
  for (const { alert } of alerts) expect(text).toContain(`\`${alert}\``);
  expect([...text.matchAll(/^## (.+)$/gm)].map(([, heading]) => heading)).toEqual(HEADINGS);
});

/** The page with the table of these columns replaced; the text around it is written by hand. */
function withTable(page: string, head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  const [before, after] = page.split(`${line(head)}\n`);
  if (before === undefined || after === undefined) throw new Error(`the page has no table ${line(head)}`);
  const table = [line(head), `|${'---|'.repeat(head.length)}`, ...rows.map(line)].join('\n');
  return `${before}${table}\n${after.replace(/^(?:\|.*\n)*/, '')}`;
}

/** The page with the tables as the components declare them. */
function operationsPage(page: string, components: readonly Observability[]): string {
  const alerts = alertsOf(components).map(({ alert, severity, for: hold, runbook }) => [
    `\`${alert}\``,
    severity,
    hold,
    `[${runbook}](runbooks/${runbook}.md)`,
  ]);
  const metrics = components.flatMap(({ metrics: own }) =>
    own.map(({ name, type, labels, help }) => [
      `\`${name}\``,
      type,
      labels.map((label) => `\`${label}\``).join(', '),
      help,
    ]),
  );
  const places = components.map(({ component, metricsAt }) => [component, metricsAt]);
  const logs = components.flatMap(({ component, logs: messages }) =>
    messages.map(({ message, level, meaning }) => [component, `\`${message}\``, level, meaning]),
  );
  const tables: readonly (readonly [string, readonly (readonly string[])[]])[] = [
    ['alert severity after runbook', alerts],
    ['component where', places],
    ['metric type labels help', metrics],
    ['component message level meaning', logs],
  ];
  return tables.reduce((text, [head, rows]) => withTable(text, head.split(' '), rows), page);
}

it('The tables of the operations page match the declarations (vitest -u rewrites them)', async () => {
  const page = readFileSync(join(root, 'docs/operations/README.md'), 'utf8');
  await expect(operationsPage(page, OBSERVED)).toMatchFileSnapshot('../../../../docs/operations/README.md');
});
