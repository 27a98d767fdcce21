import { canonicalJson } from '@capstan/meta';
import type { ComponentInputs, ConfigDefinition } from './definition.js';

/** What the control plane is told of features: a FeatureGate as the cluster will have it. */
export function featureGateConfig({ spec, version }: ComponentInputs): readonly ConfigDefinition[] {
  const manifest = {
    apiVersion: 'config.openshift.io/v1',
    kind: 'FeatureGate',
    metadata: { name: 'cluster' },
    spec: spec.configuration?.featureGate ?? {},
  };
  return [{ name: 'feature-gate', data: { 'feature-gate.yaml': canonicalJson(manifest), version } }];
}
