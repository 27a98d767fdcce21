import type { ControlPlaneComponent, ControlPlaneVersionStatus } from '@capstan/api/hypershift';
import { componentVersions, controlPlaneVersion } from '@capstan/control-plane';

import type { BenchContext, BenchRow, BenchSuite } from '../model.js';

const CLUSTERS = 1_000;
const COMPONENTS = 40;
const IMAGE = 'quay.io/openshift-release-dev/ocp-release@sha256:4f1d3c';
const NOW = '2026-02-20T12:00:00Z';

/** A cluster that has been upgraded as often as is remembered. */
interface Cluster {
  readonly components: readonly ControlPlaneComponent[];
  readonly parts: readonly string[];
  readonly current: ControlPlaneVersionStatus;
}

function component(name: string, version: string): ControlPlaneComponent {
  const conditions = ['Available', 'RolloutComplete'].map((type) => ({
    type,
    status: 'True' as const,
    reason: 'AsExpected',
    message: '',
    lastTransitionTime: NOW,
  }));
  return {
    apiVersion: 'hypershift.openshift.io/v1beta1',
    kind: 'ControlPlaneComponent',
    metadata: { name, namespace: 'clusters-one' },
    spec: {},
    status: { version, observedGeneration: 1, conditions, resources: [] },
  };
}

function cluster(): Cluster {
  const parts = Array.from({ length: COMPONENTS }, (_, at) => `component-${at}`);
  const history = Array.from({ length: 50 }, (_, at) => ({
    state: 'Completed' as const,
    version: `4.20.${49 - at}`,
    image: IMAGE,
    startedTime: NOW,
    completionTime: NOW,
  }));
  return {
    parts,
    components: parts.map((name) => component(name, '4.20.49')),
    current: { desired: { version: '4.20.49', image: IMAGE }, history, observedGeneration: 1 },
  };
}

/** One look at every cluster; gives how many would be written. */
function pass(clusters: readonly Cluster[], version: string): number {
  let written = 0;
  for (const { components, current, parts } of clusters) {
    const next = controlPlaneVersion({
      current,
      desired: { version, image: IMAGE },
      generation: 1,
      components: componentVersions({ components, parts, isPartial: false }),
      now: NOW,
    });
    if (next !== current) written += 1;
  }
  return written;
}

function row(name: string, clusters: readonly Cluster[], version: string, isWritten: boolean): BenchRow {
  return {
    name,
    unit: 's',
    better: 'lower',
    target: 1,
    run: (bench: BenchContext) => {
      const expected = isWritten ? clusters.length : 0;
      if (pass(clusters, version) !== expected) throw new Error(`not ${expected} of the clusters would be written`);
      return 1 / bench.rate(() => pass(clusters, version));
    },
    reference: {
      name: 'JSON.stringify of the same components',
      run: (bench: BenchContext) =>
        1 / bench.rate(() => clusters.map(({ components }) => JSON.stringify(components).length)),
    },
  };
}

/** The versions of the control planes of a large fleet. */
export const controlPlaneVersionSuite: BenchSuite = {
  name: 'control-plane-version',
  open: () => {
    const clusters = Array.from({ length: CLUSTERS }, () => cluster());
    const of = '1,000 clusters of 40 components';
    return {
      rows: [
        row(`a look at ${of}, nothing changed`, clusters, '4.20.49', false),
        row(`a look at ${of}, all of them to be upgraded`, clusters, '4.20.50', true),
      ],
    };
  },
};
