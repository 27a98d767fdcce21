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

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  return [line(head), `|${'---|'.repeat(head.length)}`, ...rows.map(line)].join('\n');
}

/** The page that lists what there is. */
function operationsPage(components: readonly Observability[]): string {
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
  return `# Operations

What our programs show of themselves, and what to do when an alert fires. The tables are written by a test from what the
programs declare (\`apps/cli/src/observability/components.test.ts\`).

## Install

\`\`\`
capstan observability rules | kubectl apply -f -                       # where the Prometheus operator is
capstan observability rules --component all | kubectl apply -f -       # of every component there is
capstan observability rules --plain > rules.yaml                       # for a Prometheus without it
capstan observability dashboards --config-map | kubectl apply -f -     # where Grafana runs with its sidecar
capstan observability dashboards hosted-clusters > dashboard.json      # to import by hand
\`\`\`

\`rules\` prints the alerts of the operators of hosted clusters (\`hypershift\`, \`control-plane\`), which every management
cluster of hosted clusters runs. Alerts that a component is down also fire where it has never been installed, so name the
others with \`--component\` where they run: \`proxy\` and \`conversion-shim\` with private Cluster API types,
\`crd-compatibility\` and \`capi-operator\` where those are installed, unless \`capstan install --service-monitor\` has
installed their alerts already. Named components replace the default; \`all\` stands for every one. \`dashboards\` takes the
same option and prints all of them without it: an empty panel wakes nobody.

The alerts look at programs in the namespaces of all hosted clusters, so the rules belong to the Prometheus that scrapes
them all; on OpenShift that is the platform's own, in a namespace labelled \`openshift.io/cluster-monitoring: "true"\`.
\`--runbook-base URL\` makes the links of alerts (\`runbook_url\`) lead to where you publish the runbooks; without it they
name the host \`runbooks.invalid\`, which exists nowhere. Dashboards have the variables \`cluster\` and \`namespace\`; \`cluster\` is
the external label by which one data source tells its Prometheus servers apart, and may be missing. The scraper has to add the labels
\`namespace\`, \`pod\` and \`container\`, as service and pod monitors do, and the shim's targets the job
\`capi-conversion-webhook-shim\`, as the ServiceMonitor of \`capstan manifests conversion-shim --service-monitor\` does. Targets
of the operator of hosted clusters are the job \`operator\`, scraped with \`honorLabels: true\`: its series have a \`namespace\` of
their own, that of the cluster or pool.

## Alerts

${table(['alert', 'severity', 'after', 'runbook'], alerts)}

A program that is gone counts nothing; those whose names end in \`Down\` ask its scraper, and fire as well where nobody is
scraped.

## Metrics

${table(['program', 'where'], places)}

${table(['metric', 'type', 'labels', 'what it counts'], metrics)}

Operators that run on the manager of \`libs/kube\` also show the usual \`controller_runtime_*\`, \`workqueue_*\` and
\`rest_client_*\`.

## Log messages

${table(['program', 'message', 'level', 'what it means'], logs)}
`;
}

it('The page of operations matches the declarations (vitest -u rewrites it)', async () => {
  await expect(operationsPage(OBSERVED)).toMatchFileSnapshot('../../../../docs/operations/README.md');
});
