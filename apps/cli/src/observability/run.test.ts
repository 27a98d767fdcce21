import { describe, expect, it } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { COMPONENTS } from '../commands/observability.js';
import { main } from '../main.js';
import { TestIo } from '../testing-io.js';
import { observedOf } from './run.js';

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
  'HyperShiftHostedClusterUnavailable',
  'HyperShiftNodePoolNotAtVersion',
  'HyperShiftOperatorDown',
  'HyperShiftControlPlaneUpgradeStuck',
  'HyperShiftPrivateCAPIMigrationFailed',
  'HyperShiftPrivateCAPIMigrationStuck',
  'HyperShiftPrivateCAPIMigrationForeignLock',
  'HyperShiftPrivateCAPIMigrationBothGroups',
  'HyperShiftControlPlaneOperatorDown',
  'CRDCompatibilityCheckerDown',
  'CRDCompatibilityWebhookFailing',
  'CRDCompatibilityRequirementNotMet',
  'CRDCompatibilityRequirementNotAdmitted',
  'ClusterAPIOperatorDown',
  'ClusterAPIOperatorDegraded',
  'ClusterAPIOperatorWritesFailing',
  'ClusterAPINotUpgradeable',
  'MachineAPIMigrationDown',
  'MachineAPISynchronizationFailing',
  'MachineAPIAuthorityNotChanged',
];

interface Groups {
  readonly groups: readonly {
    readonly rules: readonly {
      readonly alert?: string;
      readonly expr: string;
      readonly annotations: Readonly<Record<string, string>>;
    }[];
  }[];
}

describe('capstan observability rules', () => {
  const alerts = ({ groups }: Groups): string[] =>
    groups.flatMap(({ rules }) => rules.flatMap(({ alert }) => alert ?? []));

  it.each([
    [[], 'hypershift'],
    [['-n', 'monitoring'], 'monitoring'],
  ])('%j prints a PrometheusRule for the namespace', async (argv, namespace) => {
    const printed = parse(await print('rules', '--component', 'all', ...argv)) as {
      metadata: unknown;
      kind: string;
      spec: Groups;
    };
    expect(printed).toMatchObject({ kind: 'PrometheusRule', metadata: { name: 'capstan', namespace } });
    expect(alerts(printed.spec)).toEqual(ALERTS);
  });

  it('prints a rule file, and either in either language', async () => {
    const all = ['--component', 'all'];
    const plain = parse(await print('rules', '--plain', ...all)) as Groups;
    expect(Object.keys(plain)).toEqual(['groups']);
    expect(alerts(plain)).toEqual(ALERTS);
    expect(JSON.parse(await print('rules', '--plain', '-o', 'json', ...all))).toEqual(plain);
    expect(JSON.parse(await print('rules', '-o', 'json'))).toEqual(parse(await print('rules')));
  });

  it.each<[readonly string[], readonly string[]]>([
    // Of what is not installed the alert that it is down would fire.
    [[], ['HyperShift']],
    [['--component', 'crd-compatibility'], ['CRDCompatibility']],
    [
      ['--component', 'capi-operator', '--component', 'proxy'],
      ['HyperShiftAPIProxy', 'ClusterAPI'],
    ],
  ])('%j prints the alerts of these components alone', async (argv, beginnings) => {
    const printed = alerts(parse(await print('rules', '--plain', ...argv)) as Groups);
    const isOf = (alert: string): boolean => beginnings.some((beginning) => alert.startsWith(beginning));
    const isPrivate = (alert: string): boolean => /Proxy|ConversionWebhook/.test(alert);
    expect(printed).toEqual(ALERTS.filter((alert) => isOf(alert) && (argv.length > 0 || !isPrivate(alert))));
  });

  it('every component can be chosen', async () => {
    const printed = await Promise.all(
      COMPONENTS.map(async (name) => alerts(parse(await print('rules', '--plain', '--component', name)) as Groups)),
    );
    expect(printed.flat()).toEqual(ALERTS);
    expect(COMPONENTS.map((name) => observedOf([name]).length)).toEqual(COMPONENTS.map(() => 1));
  });

  it.each([
    [[], '> 7200 '],
    [['--upgrade-limit', '45m'], '> 2700 '],
  ])('%j gives upgrades of control planes their time', async (argv, limit) => {
    const { groups } = parse(await print('rules', '--plain', ...argv)) as Groups;
    const rules = groups.flatMap((group) => group.rules);
    expect(rules.find(({ alert }) => alert === 'HyperShiftControlPlaneUpgradeStuck')?.expr).toContain(limit);
  });

  it('leads to the runbooks where they are published', async () => {
    const { groups } = parse(
      await print('rules', '--plain', '--component', 'proxy', '--runbook-base', 'https://example.com/runbooks/'),
    ) as Groups;
    expect(groups[0]?.rules[0]?.annotations['runbook_url']).toBe(
      'https://example.com/runbooks/api-proxy-sidecar-failure.md',
    );
  });
});

describe('capstan observability dashboards', () => {
  const DASHBOARDS = {
    'private-cluster-api-types': {
      rows: ['Migration Overview', 'API Proxy Performance', 'Conversion Webhook Performance', 'Resource Utilization'],
      panels: [
        'Request Rate',
        'Latency Percentiles',
        'Error Rate',
        'Conversion Request Rate',
        'Conversion Latency',
        'Conversion Error Rate',
        'Proxy Container Memory',
        'Proxy Container CPU',
      ],
    },
    'hosted-clusters': {
      rows: ['Hosted Clusters', 'Control Plane Versions', 'Node Pools', 'Operator', 'Operators of Control Planes'],
      panels: [
        'Clusters Not Available',
        'Control Planes by Version',
        'Control Plane Upgrades Under Way',
        'Pools Upgrading',
        'Reconciliations',
      ],
    },
    'crd-compatibility': {
      rows: ['Requirements', 'Reviews'],
      panels: ['CRDs Reviewed', 'Objects Reviewed', 'Object Review Latency', 'Refused by the API Server'],
    },
    'cluster-api-operator': { rows: ['State', 'Writes'], panels: ['Conditions', 'Definitions', 'Writes'] },
    'machine-api-migration': {
      rows: ['Machines'],
      panels: ['Authority', 'Not synchronized', 'Waiting for authority'],
    },
  };

  it.each(Object.entries(DASHBOARDS))('prints %s with every row that was asked for so far', async (uid, expected) => {
    const printed = JSON.parse(await print('dashboards', uid)) as {
      uid: string;
      panels: { type: string; title: string }[];
    };
    expect(printed.uid).toBe(uid);
    const titles = (isRow: boolean): string[] =>
      printed.panels.filter(({ type }) => (type === 'row') === isRow).map(({ title }) => title);
    expect(titles(true)).toEqual(expected.rows);
    expect(titles(false)).toEqual(expect.arrayContaining(expected.panels));
  });

  it('prints the panels of some components alone', async () => {
    const printed = JSON.parse(await print('dashboards', '--component', 'proxy')) as { uid: string; panels: object[] };
    const whole = JSON.parse(await print('dashboards', 'private-cluster-api-types')) as typeof printed;
    expect(printed.uid).toBe(whole.uid);
    expect(printed.panels.length).toBeLessThan(whole.panels.length);
  });

  it('prints all of them in ConfigMaps for the namespace', async () => {
    const printed = parseAllDocuments(await print('dashboards', '--config-map', '-n', 'grafana', '-o', 'yaml'));
    const maps = printed.map((each) => each.toJS() as { metadata: unknown; data: Readonly<Record<string, string>> });
    expect(maps).toHaveLength(Object.keys(DASHBOARDS).length);
    for (const [at, uid] of Object.keys(DASHBOARDS).entries()) {
      expect(maps[at]?.metadata).toMatchObject({ namespace: 'grafana', labels: { grafana_dashboard: '1' } });
      const texts = Object.values(maps[at]?.data ?? {});
      expect(texts.map((text) => JSON.parse(text) as unknown)).toEqual([JSON.parse(await print('dashboards', uid))]);
    }
  });
});

it.each([
  [
    ['observability', 'rules', '-o', 'xml'],
    "Allowed choices are json, yaml.\nSee 'capstan observability rules --help'",
  ],
  [['observability', 'rules', '-n', ''], "It may not be empty.\nSee 'capstan observability rules --help'"],
  [
    ['observability', 'dashboards', 'mine'],
    'error: there is no dashboard "mine"\nname one of private-cluster-api-types, hosted-clusters, crd-compatibility',
  ],
  [['observability', 'frob'], "error: unknown command 'frob'\nSee 'capstan observability --help'"],
])('%j is a usage error', async (argv, message) => {
  const io = new TestIo();
  expect(await main(argv, io)).toBe(2);
  expect(io.stderr).toContain(message);
});
