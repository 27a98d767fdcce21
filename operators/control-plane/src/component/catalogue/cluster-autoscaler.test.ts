import { expect, it } from 'vitest';
import { autoscalerFlags } from './cluster-autoscaler.js';

it('turns spec.autoscaling into flags of the cluster autoscaler', () => {
  expect(autoscalerFlags()).toEqual([]);
  expect(
    autoscalerFlags({
      maxNodesTotal: 9,
      scaling: 'ScaleUpOnly',
      expanders: ['LeastWaste', 'Random'],
      balancingIgnoredLabels: ['a', 'b'],
      maxFreeDifferenceRatioPercent: 5,
    }),
  ).toEqual([
    '--max-nodes-total=9',
    '--max-free-difference-ratio=0.05',
    '--expander=least-waste,random',
    '--scale-down-enabled=false',
    '--balancing-ignore-label=a',
    '--balancing-ignore-label=b',
  ]);
});
