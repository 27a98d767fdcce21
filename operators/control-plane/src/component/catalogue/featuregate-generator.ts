import { canonicalJson } from '@capstan/meta';
import type { ComponentDefinition, ComponentInputs, ConfigDefinition } from '../definition.js';

/** Renders the FeatureGate manifest that kube-apiserver starts with; runs nothing. */
export const featuregateGenerator: ComponentDefinition = {
  name: 'featuregate-generator',
  workload: 'None',
  replicas: 'one',
  isEarly: true,
  containers: [],
  configs: featureGateConfig,
};

function featureGateConfig({ spec, version }: ComponentInputs): readonly ConfigDefinition[] {
  const manifest = {
    apiVersion: 'config.openshift.io/v1',
    kind: 'FeatureGate',
    metadata: { name: 'cluster' },
    spec: spec.configuration?.featureGate ?? {},
  };
  return [{ name: 'feature-gate', data: { 'feature-gate.yaml': canonicalJson(manifest), version } }];
}
