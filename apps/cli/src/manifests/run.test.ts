import { describe, expect, it } from 'vitest';
import { COMPONENTS } from '@capstan/translate/sidecar';
import { parseAllDocuments } from 'yaml';
import { main } from '../main.js';
import { TestIo } from '../testing-io.js';

interface Printed {
  readonly kind: string;
  readonly rules?: unknown;
}

async function run(args: readonly string[], stdin = ''): Promise<{ code: number; out: string; err: string }> {
  const io = new TestIo();
  io.stdin = stdin;
  const code = await main(['manifests', ...args], io);
  return { code, out: io.stdout, err: io.stderr };
}

const itemsOf = (json: string): readonly unknown[] =>
  (JSON.parse(json) as { readonly items: readonly unknown[] }).items;

const kindsOf = (yaml: string): string[] =>
  parseAllDocuments(yaml).map((document) => (document.toJS() as Printed).kind);

const program = `
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata: {name: manager}
rules: [{apiGroups: [cluster.x-k8s.io], resources: [machines], verbs: [list]}]
---
apiVersion: apps/v1
kind: Deployment
metadata: {name: manager}
spec: {template: {spec: {containers: [{name: manager, ports: [{containerPort: 8080}]}]}}}
---
apiVersion: v1
kind: Service
metadata: {name: manager}
`;

describe('capstan manifests', () => {
  it('prints the conversion shim as YAML or JSON', async () => {
    const { code, out } = await run(['conversion-shim', '-n', 'private', '--service-monitor']);
    const kinds = kindsOf(out);
    expect([code, kinds]).toEqual([
      0,
      [
        'ServiceAccount',
        'ClusterRole',
        'ClusterRoleBinding',
        'Service',
        'Deployment',
        'PodDisruptionBudget',
        'ServiceMonitor',
      ],
    ]);
    const json = await run(['conversion-shim', '-o', 'json']);
    const list = JSON.parse(json.out) as { readonly kind: string; readonly items: readonly Printed[] };
    expect([list.kind, list.items.map(({ kind }) => kind)]).toEqual(['List', kinds.slice(0, -1)]);
  });

  it('prints the sidecar as a patch', async () => {
    const { code, out } = await run(['proxy-sidecar', '--container', 'manager', '--image', 'i:1', '-o', 'json']);
    expect([code, JSON.parse(out)]).toMatchObject([
      0,
      {
        spec: {
          template: {
            spec: {
              initContainers: [{ name: 'kube-apiserver-proxy', image: 'i:1', restartPolicy: 'Always' }],
              containers: [{ name: 'manager' }],
            },
          },
        },
      },
    ]);
  });

  it('prints workloads with it, roles of private groups, and the rest as it is', async () => {
    const { code, err, out } = await run(['proxy-sidecar', '--port', '9090', '-f', '-', '-o', 'json'], program);
    expect([code, err]).toEqual([0, '']);
    expect(JSON.parse(out)).toMatchObject({
      items: [
        { rules: [{ apiGroups: ['cluster.hypershift.openshift.io'] }] },
        {
          spec: {
            template: {
              spec: { initContainers: [{ name: 'kube-apiserver-proxy' }], containers: [{ name: 'manager' }] },
            },
          },
        },
        { kind: 'Service', metadata: { name: 'manager' } },
      ],
    });
  });

  it.each([
    [[], 'initContainers', '127.0.0.1:18080'],
    [['--no-native'], 'containers', '127.0.0.1:18080'],
    [['--port', '9090', '--no-native'], 'containers', '127.0.0.1:9090'],
  ])('adds it with %j as one of the %s, on %s', async (flags, list, address) => {
    const { out } = await run(['proxy-sidecar', ...flags, '-f', '-', '-o', 'json'], program);
    const [, deployment] = (JSON.parse(out) as { readonly items: readonly unknown[] }).items;
    const proxy = { name: 'kube-apiserver-proxy', args: expect.arrayContaining([`--listen=${address}`]) as unknown };
    expect(deployment).toMatchObject({
      spec: { template: { spec: { [list]: [proxy, ...(list === 'containers' ? [{}] : [])] } } },
    });
  });

  it('knows the components that have a proxy, and what each needs', async () => {
    const { err } = await run(['proxy-sidecar', '--component', 'x', '-f', '-'], program);
    expect(err).toContain(`Allowed choices are ${Object.keys(COMPONENTS).join(', ')}.`);
    const { code, out } = await run(
      ['proxy-sidecar', '--component', 'cluster-autoscaler', '-f', '-'],
      'apiVersion: v1\nkind: Pod\nmetadata: {name: a}\nspec: {containers: [{name: cluster-autoscaler, args: [--v=4]}]}\n',
    );
    expect([code, out]).toEqual([0, expect.stringContaining('- --cloud-config=/etc/kube-apiserver-proxy/kubeconfig')]);
  });

  it('removes it again, and leaves roles alone', async () => {
    const added = await run(['proxy-sidecar', '-f', '-', '-o', 'json'], program);
    const removed = await run(['proxy-sidecar', '--remove', '-f', '-', '-o', 'json'], added.out);
    const [addedRole, , service] = itemsOf(added.out);
    const [, deployment] = parseAllDocuments(program).map((document) => document.toJS() as unknown);
    expect([removed.code, itemsOf(removed.out)]).toEqual([0, [addedRole, deployment, service]]);
  });

  it.each<[string, string[], string]>([
    [
      'a component without its workload',
      ['proxy-sidecar', '--component', 'operator'],
      'error: --component depends on what the workload has: give the workload with -f\n',
    ],
    [
      'to remove it from no workload',
      ['proxy-sidecar', '--remove'],
      'error: --remove depends on what the workload has: give the workload with -f\n',
    ],
    [
      'a port that is taken',
      ['proxy-sidecar', '--port', '8080', '-f', '-'],
      'error: standard input, document 2, line 7: Deployment manager: port 8080 is that of container manager: choose another\n',
    ],
    [
      'a container that is not there',
      ['proxy-sidecar', '--port', '1', '--container', 'x', '-f', '-'],
      'error: standard input, document 2, line 7: Deployment manager: there is no container x\n',
    ],
    [
      'half a pair of groups',
      ['proxy-sidecar', '--group-pair', 'a.io'],
      'error: "a.io" is not a pair of groups such as a.example.com=b.example.com\n',
    ],
    [
      'half a pair of groups for the shim',
      ['conversion-shim', '--group-pair', 'a.io'],
      'error: --group-pair a.io does not name two groups\n',
    ],
  ])('refuses %s', async (_name, args, message) => {
    const { code, err, out } = await run(args, program);
    expect([code, err.startsWith(message) ? message : err, out]).toEqual([2, message, '']);
  });
});
