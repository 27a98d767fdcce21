import { hostedCluster } from '@capstan/api/hypershift';
import { crd } from '@capstan/api/model';
import type { ResourceRef } from '@capstan/kube';
import type { KubeObject } from '@capstan/meta';
import { expect } from 'vitest';
import type { Scenario } from '../scenario.js';
import type { Session } from '../session.js';

const CRDS: ResourceRef = {
  group: 'apiextensions.k8s.io',
  version: 'v1',
  plural: 'customresourcedefinitions',
  namespaced: false,
};

/** Hosted clusters in a group of the scenario's own; any spec will do, and older servers lack functions of its rules. */
function definition(k: Session): KubeObject {
  const { spec, ...rest } = crd(hostedCluster);
  const group = `${k.namespace}.example.com`;
  return {
    ...rest,
    metadata: { name: `hostedclusters.${group}` },
    spec: {
      ...spec,
      group,
      names: { ...spec.names, shortNames: [k.namespace] },
      versions: spec.versions.map((version) => {
        const { properties } = version.schema.openAPIV3Schema;
        const anySpec = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true };
        return {
          ...version,
          schema: { openAPIV3Schema: { type: 'object', properties: { ...properties, spec: anySpec } } },
        };
      }),
    },
  };
}

function release(state: string, version: string): object {
  return { state, version, image: `registry.example/release:${version}`, startedTime: '2026-02-20T10:00:00Z' };
}

/** The control plane has its release, the nodes do not yet. */
const STATUS = {
  conditions: [],
  controlPlaneVersion: {
    desired: { image: 'registry.example/release:4.20.1', version: '4.20.1' },
    history: [release('Completed', '4.20.1'), release('Completed', '4.20.0')],
    observedGeneration: 1,
  },
  version: {
    desired: { image: 'registry.example/release:4.20.1', version: '4.20.1' },
    history: [
      { ...release('Partial', '4.20.1'), completionTime: null, verified: false },
      { ...release('Completed', '4.20.0'), completionTime: '2026-02-20T10:00:00Z', verified: false },
    ],
    availableUpdates: null,
    observedGeneration: 1,
  },
};

async function explained(k: Session, path: string): Promise<string> {
  let problem = '';
  // A real server publishes the schema a moment after it serves the resource.
  for (let attempt = 0; attempt <= 20; attempt += 1) {
    const { code, stderr, stdout } = await k.raw(`explain ${k.namespace}${path}`);
    problem = stderr;
    if (code === 0) return stdout.replaceAll(/\s+/g, ' ');
  }
  throw new Error(`the schema of hosted clusters is not published: ${problem}`);
}

async function withHostedClusters(k: Session, run: () => Promise<void>): Promise<void> {
  const name = `hostedclusters.${k.namespace}.example.com`;
  await k.create(CRDS, definition(k));
  try {
    await k.output(`wait --for=condition=Established crd/${name} --timeout=20s`);
    for (let attempt = 0; (await k.raw(`get ${k.namespace}`)).code !== 0; attempt += 1) {
      if (attempt > 20) throw new Error('hosted clusters are not served');
    }
    await run();
  } finally {
    await k.raw(`delete crd/${name} --wait=false --ignore-not-found`);
  }
}

/** What people see of a kind that is defined in `api`. */
export const hostedClusterScenarios: readonly Scenario[] = [
  {
    name: 'explain distinguishes the releases of a hosted control plane from those of the whole cluster',
    run: (k) =>
      withHostedClusters(k, async () => {
        expect(await explained(k, '.status.controlPlaneVersion')).toContain(
          'The releases of the control plane alone: the components on the management cluster, whatever nodes do.',
        );
        expect(await explained(k, '.status.controlPlaneVersion')).toContain('OVN that run on nodes do not count.');
        expect(await explained(k, '.status.version')).toContain(
          'The releases of the whole cluster, nodes and control plane together,',
        );
      }),
  },
  {
    name: 'the columns of a hosted cluster show both releases while nodes follow',
    since: 24,
    run: (k) =>
      withHostedClusters(k, async () => {
        const hostedClusters: ResourceRef = {
          group: `${k.namespace}.example.com`,
          version: 'v1beta1',
          plural: 'hostedclusters',
          namespaced: true,
        };
        const created = await k.create(hostedClusters, {
          apiVersion: `${hostedClusters.group}/v1beta1`,
          kind: 'HostedCluster',
          metadata: { name: 'one' },
          spec: {},
        });
        // A merge would lose what is null.
        const patch = JSON.stringify([{ op: 'add', path: '/status', value: STATUS }]);
        await k.output([
          'patch',
          k.namespace,
          created.metadata.name ?? '',
          '--subresource=status',
          '--type=json',
          '-p',
          patch,
        ]);
        const [head = '', row = ''] = (await k.output(`get ${k.namespace} -o wide`)).split('\n');
        expect(head.trim().split(/\s{2,}/)).toEqual([
          'NAME',
          'VERSION',
          'CP VERSION',
          'KUBECONFIG',
          'PROGRESS',
          'AVAILABLE',
          'PROGRESSING',
          'MESSAGE',
          'CP PROGRESS',
          'DP PROGRESS',
        ]);
        expect(row.trim().split(/\s{2,}/)).toEqual(['one', '4.20.0', '4.20.1', 'Partial', 'Completed', 'Partial']);
      }),
  },
];
