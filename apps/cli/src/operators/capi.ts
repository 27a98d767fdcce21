import { capiOperator } from '@capstan/capi-operator';
import type { OperatorContext, ResourceKind } from '@capstan/kube';
import type { Io } from '../io.js';
import { runOperator, servingFlags } from './run.js';
import type { ServingOptions } from './run.js';

/** Options of `capstan capi-operator`. */
export interface CapiOperatorOptions extends ServingOptions {
  readonly transportNamespace?: string | undefined;
  readonly platform?: string | undefined;
  readonly featureGates?: string | undefined;
  readonly releaseVersion?: string | undefined;
}

function kind(group: string, version: string, plural: string): ResourceKind {
  return { group, version, plural, namespaced: false, kind: plural };
}

/** Manages the Cluster API CRDs until asked to stop. */
export async function runCapiOperator(options: CapiOperatorOptions, io: Io): Promise<void> {
  const { featureGates, platform, releaseVersion, transportNamespace } = options;
  const flags: OperatorContext<typeof capiOperator.flags>['flags'] = {
    ...servingFlags(options),
    ...(transportNamespace === undefined ? {} : { 'transport-namespace': transportNamespace }),
    ...(platform === undefined ? {} : { platform }),
    ...(featureGates === undefined ? {} : { 'feature-gates': featureGates }),
    ...(releaseVersion === undefined ? {} : { 'release-version': releaseVersion }),
  };
  const needed = [
    kind('operator.openshift.io', 'v1alpha1', 'clusterapis'),
    kind('apiextensions.openshift.io', 'v1alpha1', 'compatibilityrequirements'),
    kind('config.openshift.io', 'v1', 'clusteroperators'),
    ...(platform === undefined ? [kind('config.openshift.io', 'v1', 'infrastructures')] : []),
    ...(featureGates === undefined ? [kind('config.openshift.io', 'v1', 'featuregates')] : []),
  ];
  const announcement = 'Managing Cluster API CRDs on';
  await runOperator({ operator: capiOperator, flags, options, announcement, needed }, io);
}
