import { describe, expect, it } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { main } from '../main.js';
import { TestIo } from '../testing-io.js';

async function print(...argv: readonly string[]): Promise<string> {
  const io = new TestIo();
  expect([await main(['observability', ...argv], io), io.stderr]).toEqual([0, '']);
  return io.stdout;
}

const ALERTS = [
  'HyperShiftAPIProxyHighLatency',
  'HyperShiftAPIProxyDown',
  'HyperShiftConversionWebhookUnavailable',
  'HyperShiftConversionWebhookDown',
  'CRDCompatibilityCheckerDown',
  'CRDCompatibilityWebhookFailing',
  'CRDCompatibilityRequirementNotMet',
  'CRDCompatibilityRequirementNotAdmitted',
];

interface Groups {
  readonly groups: readonly {
    readonly rules: readonly { readonly alert: string; readonly annotations: Readonly<Record<string, string>> }[];
  }[];
}

describe('capstan observability rules', () => {
  const alerts = ({ groups }: Groups): string[] => groups.flatMap(({ rules }) => rules.map(({ alert }) => alert));

  it.each([
    [[], 'hypershift'],
    [['-n', 'monitoring'], 'monitoring'],
  ])('%j prints a PrometheusRule for the namespace', async (argv, namespace) => {
    const printed = parse(await print('rules', ...argv)) as { metadata: unknown; kind: string; spec: Groups };
    expect(printed).toMatchObject({ kind: 'PrometheusRule', metadata: { name: 'capstan', namespace } });
    expect(alerts(printed.spec)).toEqual(ALERTS);
  });

  it('prints a rule file, and either in either language', async () => {
    const plain = parse(await print('rules', '--plain')) as Groups;
    expect(Object.keys(plain)).toEqual(['groups']);
    expect(alerts(plain)).toEqual(ALERTS);
    expect(JSON.parse(await print('rules', '--plain', '-o', 'json'))).toEqual(plain);
    expect(JSON.parse(await print('rules', '-o', 'json'))).toEqual(parse(await print('rules')));
  });

  it('leads to the runbooks where they are published', async () => {
    const { groups } = parse(
      await print('rules', '--plain', '--runbook-base', 'https://example.com/runbooks/'),
    ) as Groups;
    expect(groups[0]?.rules[0]?.annotations['runbook_url']).toBe(
      'https://example.com/runbooks/api-proxy-sidecar-failure.md',
    );
  });
});

const PRIVATE = ['--dashboard', 'private-cluster-api-types'];

describe('capstan observability dashboards', () => {
  it('prints all there are, one document each', async () => {
    const uids = parseAllDocuments(await print('dashboards', '-o', 'yaml')).map((each) => each.get('uid'));
    expect(uids).toEqual(['private-cluster-api-types', 'crd-compatibility']);
  });

  it('prints a dashboard with every row that was asked for so far', async () => {
    const { panels } = JSON.parse(await print('dashboards', ...PRIVATE)) as {
      panels: { type: string; title: string }[];
    };
    expect(panels.filter(({ type }) => type === 'row').map(({ title }) => title)).toEqual([
      'API Proxy Performance',
      'Conversion Webhook Performance',
      'Resource Utilization',
    ]);
    const titles = panels.filter(({ type }) => type !== 'row').map(({ title }) => title);
    expect(titles).toEqual(
      expect.arrayContaining([
        'Request Rate',
        'Latency Percentiles',
        'Error Rate',
        'Conversion Request Rate',
        'Conversion Latency',
        'Conversion Error Rate',
        'Proxy Container Memory',
        'Proxy Container CPU',
      ]),
    );
  });

  it('prints it in a ConfigMap for the namespace', async () => {
    const dashboard: unknown = JSON.parse(await print('dashboards', ...PRIVATE));
    const printed = parse(await print('dashboards', ...PRIVATE, '--config-map', '-n', 'grafana', '-o', 'yaml')) as {
      metadata: unknown;
      data: Readonly<Record<string, string>>;
    };
    expect(printed.metadata).toMatchObject({ namespace: 'grafana', labels: { grafana_dashboard: '1' } });
    expect(Object.values(printed.data).map((text) => JSON.parse(text) as unknown)).toEqual([dashboard]);
  });
});

it.each([
  [
    ['observability', 'rules', '-o', 'xml'],
    "Allowed choices are json, yaml.\nSee 'capstan observability rules --help'",
  ],
  [
    ['observability', 'dashboards', '--dashboard', 'none'],
    'there is no dashboard none: there are private-cluster-api-types, crd-compatibility',
  ],
  [['observability', 'rules', '-n', ''], "It may not be empty.\nSee 'capstan observability rules --help'"],
  [['observability', 'frob'], "error: unknown command 'frob'\nSee 'capstan observability --help'"],
])('%j is a usage error', async (argv, said) => {
  const io = new TestIo();
  expect(await main(argv, io)).toBe(2);
  expect(io.stderr).toContain(said);
});
