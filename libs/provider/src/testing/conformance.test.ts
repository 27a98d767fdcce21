import { describe, expect, it } from 'vitest';
import type { HostingPlatform, InfrastructureCluster, MachineTemplate } from '../hosting/platform.js';
import { settingsOf } from '../hosting/settings.js';
import { hostingConformance } from './conformance.js';
import type { HostingExamples } from './conformance-subject.js';
import { testPlatform } from './harbour.js';

const secret = {
  apiVersion: 'v1',
  kind: 'Secret',
  metadata: { name: 'quay', namespace: 'clusters' },
  data: { a: 'YQ==' },
};

const examples: HostingExamples = {
  clusters: [{ port: 'rotterdam' }, { port: 'antwerp', credentials: { name: 'quay' } }],
  pools: [{ berth: 'b1' }, { berth: 'b1', size: 'large', cranes: 2 }],
  secrets: [secret],
  bootImages: { harbour: { amd64: 'image-1' } },
  createFlags: {},
  isPublished: false,
};

describe('the made-up platform', () => {
  it.each(hostingConformance(testPlatform(), examples).map(({ name, run }) => [name, run] as const))('%s', (_, run) => {
    run();
  });
});

function failures(changes: Partial<HostingPlatform>, given: Partial<HostingExamples> = {}): string[] {
  return hostingConformance(testPlatform(changes), { ...examples, ...given }).flatMap(({ run }) => {
    try {
      run();
      return [];
    } catch (error) {
      return [(error as Error).message];
    }
  });
}

describe('a platform fails the suite', () => {
  const { create, ...parts } = testPlatform();
  const cluster = parts.cluster as InfrastructureCluster;
  const machineTemplate = parts.machineTemplate as MachineTemplate;
  let calls = 0;

  it.each<[string, Partial<HostingPlatform>, string]>([
    [
      'that refuses its own examples',
      { validate: () => [{ path: 'spec.x', message: 'this will never ever do' }] },
      'refused: this will never ever do',
    ],
    [
      'that breaks on a cluster without settings',
      {
        validate: () => [],
        controlPlane: ({ hostedCluster }) => {
          const { port } = settingsOf(hostedCluster, { key: 'harbour' }) as { port: string };
          return { type: 'Harbour', settings: { port: port.trim() } };
        },
      },
      'a cluster without settings throws: TypeError',
    ],
    [
      'whose outputs differ between two calls',
      { controlPlane: () => ({ type: 'Harbour', settings: { calls: (calls += 1) } }) },
      'two calls with the same inputs give different outputs',
    ],
    [
      'that writes the endpoint',
      { cluster: { ...cluster, spec: () => ({ controlPlaneEndpoint: {} }) } },
      'the infrastructure cluster sets the endpoint itself',
    ],
    [
      'that keeps credentials elsewhere',
      { credentials: () => [{ ...secret, metadata: { name: 'quay', namespace: 'other' } }] },
      'quay is elsewhere',
    ],
    [
      'whose program reads what nobody makes',
      {
        program: ({ controlPlaneNamespace }) => ({
          containers: [
            { name: 'manager', image: { payload: 'x' }, args: [controlPlaneNamespace], secrets: { '/x': 'lost' } },
          ],
          rules: [],
        }),
      },
      'nobody makes Secret lost',
    ],
    [
      'whose program may do anything',
      {
        program: ({ controlPlaneNamespace }) => ({
          containers: [{ name: 'manager', image: { payload: 'x' }, args: [controlPlaneNamespace] }],
          rules: [{ apiGroups: ['*'], resources: ['*'], verbs: ['*'] }],
        }),
      },
      'a rule lets the program do anything',
    ],
    [
      'whose template is none',
      { machineTemplate: { ...machineTemplate, spec: () => ({ spec: {} }) } },
      'there is no template.spec',
    ],
    [
      'whose command line asks for settings as if they were fields',
      { create: { ...create, cluster: () => [{ path: 'spec.x', message: 'give x by all means' }] } },
      'a problem of the command line is at spec.x',
    ],
  ])('%s', (_, changes, message) => {
    expect(failures(changes)).toContainEqual(expect.stringContaining(message));
  });

  it('whose fields have no effect, or are declared so when they have one', () => {
    // The settings of a published platform, on a platform that looks at none of them.
    const idle: Partial<HostingPlatform> = {
      type: 'Agent',
      key: 'agent',
      validate: () => [],
      cluster: { ...cluster, spec: () => ({}) },
      controlPlane: () => ({ type: 'None' }),
      machineTemplate: { ...machineTemplate, spec: () => ({ template: { spec: {} } }), unused: { made: 'up' } },
    };
    const pools = [{ agentLabelSelector: { matchLabels: { a: 'b' } } }];
    const found = failures(idle, { isPublished: undefined, clusters: [{ agentNamespace: 'n' }], pools });
    expect(found).toContain('nothing comes of agentNamespace');
    expect(found).toContainEqual(expect.stringContaining('no example has agentLabelSelector.matchExpressions[].key'));
    expect(found).toContainEqual(
      expect.stringContaining('agentLabelSelector.matchLabels{}: use them, or name them in unused'),
    );
  });
});
