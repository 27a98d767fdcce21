import type { KubeObject } from '@capstan/meta';
import { fieldErrorMessage } from '@capstan/meta';
import { describe, expect, it } from 'vitest';
import { podWarnings } from './core/pod-warnings.js';
import { context } from './testing-cases/pipeline.js';
import { strategyOf } from './index.js';

/** What every JavaScript object inherits is in no table of the server. */
describe.each(['constructor', 'toString', '__proto__'])('the name %s', (name) => {
  it('is no source of metrics', () => {
    const autoscaler: KubeObject = {
      apiVersion: 'autoscaling/v2',
      kind: 'HorizontalPodAutoscaler',
      metadata: { name: 'x', namespace: 'default' },
      spec: {
        maxReplicas: 3,
        scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'd' },
        metrics: [{ type: name }],
      },
    };
    const errors = strategyOf('autoscaling', 'horizontalpodautoscalers').validate?.(autoscaler, context) ?? [];
    const unsupported = `spec.metrics[0].type: Unsupported value: "${name}"`;
    expect(errors.map(fieldErrorMessage).filter((each) => each.startsWith(unsupported))).not.toEqual([]);
    expect(errors.map(({ field }) => field).filter((field) => !field.endsWith('.type'))).toEqual([]);
  });

  it('is no deprecated label', () => {
    const term = { matchExpressions: [{ key: name, operator: 'Exists' }] };
    const spec = {
      containers: [],
      nodeSelector: Object.fromEntries([[name, 'x']]),
      affinity: { nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: [term] } } },
      topologySpreadConstraints: [{ topologyKey: name, labelSelector: {} }],
    };
    expect(podWarnings('spec', {}, spec)).toEqual([]);
  });
});
