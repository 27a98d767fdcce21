import { describe, expect, it } from 'vitest';
import type { Inputs } from '../resource/inputs.js';
import { surroundingsProblem } from './surroundings.js';

const context = {
  clusterName: 'c',
  namespaces: { clusterApi: 'openshift-cluster-api', machineApi: 'openshift-machine-api' },
};
const cluster = { apiVersion: 'cluster.x-k8s.io/v1beta2', kind: 'Cluster', metadata: { name: 'c' } };
const infrastructureCluster = { kind: 'AWSCluster' };
const COMMAND = 'run capstan machine-api create-cluster';

function problem(surroundings: object): ReturnType<typeof surroundingsProblem> {
  return surroundingsProblem({ surroundings, tools: { clusters: { kind: 'AWSCluster' } } } as unknown as Inputs);
}

describe('What copies need around them', () => {
  it.each([
    ['the Cluster', { context }, 'ClusterNotFound', `Cluster openshift-cluster-api/c does not exist: ${COMMAND}`],
    [
      'the infrastructure cluster',
      { context, cluster },
      'InfrastructureClusterNotFound',
      `AWSCluster openshift-cluster-api/c does not exist: ${COMMAND}`,
    ],
  ])('is waited for, and the message names the command that creates %s', (_what, surroundings, reason, message) => {
    expect(problem(surroundings)).toEqual({ reason, message, isFinal: true });
  });

  it('is nothing else', () => {
    expect(problem({ cluster, context: { ...context, infrastructureCluster } })).toBeUndefined();
  });
});
