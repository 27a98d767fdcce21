import { describe, expect, it } from 'vitest';
import { addSidecar, COMPONENTS, removeSidecar } from './index.js';
import type { ComponentName, PodTemplate } from './index.js';

const KUBECONFIG = '/etc/kube-apiserver-proxy/kubeconfig';
const image = 'capstan:test';

const manager = (...args: string[]): PodTemplate => ({ spec: { containers: [{ name: 'manager', args }] } });

/** As HyperShift and its control plane operator create them, by component; of providers one for each platform. */
const TEMPLATES: readonly (readonly [ComponentName, string, PodTemplate, expected: object])[] = [
  [
    'operator',
    'the operator',
    {
      spec: {
        initContainers: [{ name: 'init-environment', command: ['/usr/bin/hypershift-operator', 'init'] }],
        containers: [
          {
            name: 'operator',
            command: ['/usr/bin/hypershift-operator'],
            args: ['run', '--namespace=$(MY_NAMESPACE)', '--metrics-addr=:9000'],
            ports: [{ name: 'metrics', containerPort: 9000 }, { containerPort: 9443 }],
          },
        ],
      },
    },
    { port: 8080, healthPort: 8081 },
  ],
  [
    'cluster-api',
    'the manager of Cluster API, which may have its metrics on 8080 by default',
    manager('--namespace', '$(MY_NAMESPACE)', '--health-addr=:9440', '--leader-elect=true'),
    { port: 18_080, healthPort: 18_081 },
  ],
  ...(
    [
      ['AWS', '--namespace=$(MY_NAMESPACE)', '--feature-gates=ROSA=false', '--metrics-bind-addr=:8081'],
      ['Azure', '--diagnostics-address=:8443'],
      ['GCP', '--metrics-bind-addr=127.0.0.1:8080'],
      ['KubeVirt', '--metrics-bind-address=0.0.0.0:8080'],
      ['Agent', '--health-probe-bind-address=:8081', '--metrics-bind-address=127.0.0.1:8080'],
      ['OpenStack', '--health-addr=:9440'],
      ['PowerVS', '--provider-id-fmt=v2'],
    ] as const
  ).map(
    ([platform, ...args]) =>
      ['capi-provider', `the provider of ${platform}`, manager(...args), { port: 18_080, healthPort: 18_081 }] as const,
  ),
  [
    'cluster-autoscaler',
    'the autoscaler, whose --kubeconfig is that of the hosted cluster',
    {
      spec: {
        containers: [
          {
            name: 'cluster-autoscaler',
            command: ['/usr/bin/cluster-autoscaler'],
            args: ['--cloud-provider=clusterapi', '--kubeconfig=/mnt/kubeconfig/value'],
            ports: [{ name: 'metrics', containerPort: 8085 }],
          },
        ],
      },
    },
    {
      port: 8080,
      healthPort: 8081,
      args: ['--cloud-provider=clusterapi', '--kubeconfig=/mnt/kubeconfig/value', `--cloud-config=${KUBECONFIG}`],
    },
  ],
  [
    'machine-approver',
    'the machine approver, whose --workload-cluster-kubeconfig is that of the hosted cluster',
    {
      spec: {
        containers: [
          {
            name: 'machine-approver-controller',
            command: ['/usr/bin/machine-approver'],
            args: ['--workload-cluster-kubeconfig=/etc/kubernetes/kubeconfig/kubeconfig'],
          },
        ],
      },
    },
    {
      port: 8080,
      healthPort: 8081,
      args: [
        '--workload-cluster-kubeconfig=/etc/kubernetes/kubeconfig/kubeconfig',
        `--management-cluster-kubeconfig=${KUBECONFIG}`,
      ],
    },
  ],
  [
    'control-plane-operator',
    'the control plane operator, whose metrics are on 8080',
    {
      spec: {
        containers: [
          {
            name: 'control-plane-operator',
            args: ['run', '--metrics-addr', '0.0.0.0:8080', '--health-probe-addr', '0.0.0.0:6060'],
            ports: [{ name: 'metrics', containerPort: 8080 }],
          },
        ],
      },
    },
    { port: 18_080, healthPort: 8081 },
  ],
  [
    'hosted-cluster-config-operator',
    'the config operator, whose metrics are on 8080',
    {
      spec: {
        containers: [
          {
            name: 'hosted-cluster-config-operator',
            args: ['--target-kubeconfig=/etc/kubernetes/kubeconfig/kubeconfig', '--metrics-bind-address=:8080'],
          },
        ],
      },
    },
    { port: 18_080, healthPort: 8081 },
  ],
  [
    'karpenter-operator',
    'the operator of Karpenter',
    {
      spec: {
        containers: [{ name: 'karpenter-operator', args: ['--target-kubeconfig=/mnt/kubeconfig/target-kubeconfig'] }],
      },
    },
    { port: 18_080, healthPort: 18_081 },
  ],
  [
    'capi-provider',
    'the Deployment of a platform provider, with a token minter that does not use Cluster API',
    {
      spec: {
        containers: [
          { name: 'manager', args: [] },
          { name: 'token-minter', args: ['--kubeconfig=/k'] },
        ],
      },
    },
    { port: 18_080, healthPort: 18_081 },
  ],
];

/** What the component gets to know of its proxy. */
function accessIn({ spec }: PodTemplate): object {
  const [proxy] = spec.initContainers ?? [];
  const [user] = spec.containers;
  const portOf = (flag: string): number =>
    Number(
      proxy?.args
        ?.find((arg) => arg.startsWith(`--${flag}=`))
        ?.split(':')
        .at(-1),
    );
  return {
    port: portOf('listen'),
    healthPort: portOf('health-listen'),
    args: user?.args,
    env: user?.env?.at(-1),
    others: spec.containers.slice(1),
  };
}

describe('A component that uses Cluster API', () => {
  it('is one of the components with a test here', () => {
    expect([...new Set(TEMPLATES.map(([name]) => name))].toSorted()).toEqual(Object.keys(COMPONENTS).toSorted());
  });

  it.each(TEMPLATES)('%s is led to its proxy, and restored: %s', (component, _text, template, expected) => {
    const added = addSidecar(template, { image, native: true, component });
    const [user, ...others] = template.spec.containers;
    expect(accessIn(added)).toEqual({
      args: user?.args,
      env: { name: 'KUBECONFIG', value: KUBECONFIG },
      others,
      ...expected,
    });
    expect(added.metadata?.annotations?.['hypershift.openshift.io/kube-apiserver-proxy-kubeconfig']).toContain(
      `http://127.0.0.1:${(expected as { port: number }).port}`,
    );
    expect(removeSidecar(added)).toEqual(template);
  });

  it.each([
    [
      'in a script',
      [{ name: 'cluster-autoscaler', command: ['/bin/sh', '-c'], args: ['exec autoscaler'] }],
      'container cluster-autoscaler runs a script: set --cloud-config in it yourself',
    ],
    [
      'in its image',
      [{ name: 'cluster-autoscaler' }],
      'container cluster-autoscaler has the arguments of its image: name them, to add --cloud-config',
    ],
    [
      'in its command',
      [{ name: 'cluster-autoscaler', command: ['/autoscaler', '--cloud-config=/x'], args: [] }],
      'container cluster-autoscaler has --cloud-config in its command: move it to args',
    ],
    [
      'of one of several unknown containers',
      [
        { name: 'a', args: [] },
        { name: 'b', args: [] },
      ],
      '--cloud-config is for one container, and there are a, b: name the one that uses Cluster API',
    ],
  ])('is refused with flags %s', (_case, containers, message) => {
    expect(() =>
      addSidecar({ spec: { containers } }, { image, native: true, component: 'cluster-autoscaler' }),
    ).toThrow(message);
  });
});

describe('Ports', () => {
  const portIn = (template: PodTemplate): unknown =>
    addSidecar(template, { image, native: true }).spec.initContainers?.[0]?.args?.[1];
  it.each<[string, PodTemplate['spec'], number]>([
    ['that nobody names', { containers: [{ name: 'a', args: ['--address=10.0.80.80', '--v=8080.1'] }] }, 8080],
    ['in a flag', { containers: [{ name: 'a', args: ['--port=8080'] }] }, 18_080],
    ['in an address', { containers: [{ name: 'a', command: ['/a', ':8080'] }] }, 18_080],
    ['in a variable', { containers: [{ name: 'a', env: [{ name: 'PORT', value: '8080' }] }] }, 18_080],
    ['in a probe', { containers: [{ name: 'a', livenessProbe: { httpGet: { port: 8080 } } }] }, 18_080],
    [
      'of an init container',
      { initContainers: [{ name: 'i', ports: [{ containerPort: 8080 }] }], containers: [] },
      18_080,
    ],
    ['of the host', { containers: [{ name: 'a', ports: [{ containerPort: 1, hostPort: 8080 }] }] }, 18_080],
    ['of the network of the node', { hostNetwork: true, containers: [] }, 18_080],
    ['and a spare one', { containers: [{ name: 'a', args: ['--a=:8080', '--b=:18080'] }] }, 18_081],
  ])('%s are kept free', (_name, spec, port) => {
    expect(portIn({ spec })).toBe(`--listen=127.0.0.1:${port}`);
  });

  it('of a pod on the network of its node are both declared, for the scheduler', () => {
    const { spec } = addSidecar<PodTemplate>({ spec: { hostNetwork: true, containers: [] } }, { image, native: true });
    expect(spec.initContainers?.[0]?.ports).toMatchObject([{ containerPort: 18_080 }, { containerPort: 18_081 }]);
  });
});
