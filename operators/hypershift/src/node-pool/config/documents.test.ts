import { describe, expect, it } from 'vitest';
import { source } from '../testing/snapshots.js';
import { configTexts, tuningOf } from './documents.js';

const MACHINES = 'machineconfiguration.openshift.io/v1';
const selector = {
  machineConfigPoolSelector: { matchLabels: { 'machineconfiguration.openshift.io/mco-built-in': '' } },
};

describe('configuration of nodes', () => {
  it.each([
    [
      'a MachineConfig is for workers',
      { apiVersion: MACHINES, kind: 'MachineConfig', metadata: { name: 'a', labels: { x: 'y' } }, spec: {} },
      { metadata: { name: 'a', labels: { x: 'y', 'machineconfiguration.openshift.io/role': 'worker' } }, spec: {} },
    ],
    [
      'a KubeletConfig is for what is rendered here',
      { apiVersion: MACHINES, kind: 'KubeletConfig', spec: { maxPods: 1 } },
      { spec: { maxPods: 1, ...selector } },
    ],
    [
      'a ContainerRuntimeConfig too, whatever it selects',
      { apiVersion: MACHINES, kind: 'ContainerRuntimeConfig', spec: { machineConfigPoolSelector: {} } },
      { spec: selector },
    ],
    [
      'mirrors go as they are',
      { apiVersion: 'operator.openshift.io/v1alpha1', kind: 'ImageContentSourcePolicy', spec: { a: 1 } },
      { spec: { a: 1 } },
    ],
    [
      'policies in the version that nodes know',
      { apiVersion: 'config.openshift.io/v1alpha1', kind: 'ClusterImagePolicy', spec: {} },
      { apiVersion: 'config.openshift.io/v1', spec: {} },
    ],
  ])('%s', (_, document, expected) => {
    const read = configTexts([source('one', document)]);
    if ('problems' in read) throw new Error(read.problems.join());
    const { apiVersion, kind } = document;
    expect(read.texts.map((text) => JSON.parse(text))).toEqual([{ apiVersion, kind, ...expected }]);
  });

  it('two spellings in two orders are one configuration', () => {
    const a = { apiVersion: MACHINES, kind: 'KubeletConfig', metadata: { name: 'a' } };
    const b = { metadata: { name: 'b' }, kind: 'KubeletConfig', apiVersion: MACHINES };
    const again = { kind: 'KubeletConfig', metadata: { name: 'a' }, apiVersion: MACHINES };
    expect(configTexts([source('x', a), source('y', b)])).toEqual(configTexts([source('z', b, again)]));
  });

  it.each([
    [
      'a ConfigMap that is not there',
      { name: 'gone', documents: [] },
      'ConfigMap "gone" does not exist: create it, or take it out',
    ],
    [
      'no YAML',
      { ...source('odd'), documents: { problem: 'config: not YAML: x' } },
      'ConfigMap "odd": config: not YAML: x',
    ],
    ['no object', source('odd', 'text'), 'ConfigMap "odd", document 1: has no apiVersion and kind'],
    [
      'another kind',
      source('odd', { apiVersion: 'v1', kind: 'Pod' }),
      'ConfigMap "odd", document 1: v1 Pod cannot be used here; what can: MachineConfig, KubeletConfig, ContainerRuntimeConfig, ImageContentSourcePolicy, ImageDigestMirrorSet, ClusterImagePolicy',
    ],
  ])('%s is refused', (_, given, problem) => {
    expect(configTexts([given])).toEqual({ problems: [problem] });
  });
});

describe('tuning of nodes', () => {
  const tuned = (name: string) => ({ apiVersion: 'tuned.openshift.io/v1', kind: 'Tuned', metadata: { name } });
  const profile = { apiVersion: 'performance.openshift.io/v2', kind: 'PerformanceProfile', metadata: { name: 'p' } };

  it('is put together, the profile by itself', () => {
    const tuning = tuningOf([source('b', tuned('b')), source('a', tuned('a'), profile)]);
    expect(tuning).toMatchObject({
      profile: {
        source: 'a',
        text: JSON.stringify({ apiVersion: profile.apiVersion, kind: profile.kind, metadata: profile.metadata }),
      },
    });
    expect('tuned' in tuning && tuning.tuned.split('\n---\n').map((text) => JSON.parse(text))).toEqual([
      tuned('a'),
      tuned('b'),
    ]);
  });

  it('knows one profile only', () => {
    expect(tuningOf([source('a', profile), source('b', profile)])).toEqual({
      problems: ['a NodePool can have one PerformanceProfile, not 2: see ConfigMaps a, b'],
    });
  });
});
