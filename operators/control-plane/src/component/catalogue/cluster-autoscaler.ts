import type { ClusterAutoscaling } from '@capstan/api/hypershift';
import { DISABLE_AUTOSCALER_ANNOTATION } from '@capstan/hosting';
import type { ComponentDefinition } from '../definition.js';
import { CORE_GROUP } from './shared.js';
import { all, read } from './rules.js';
import { hasMachines, hasAnnotation } from './predicates.js';

const EXPANDERS: Readonly<Record<string, string>> = {
  LeastWaste: 'least-waste',
  Priority: 'priority',
  Random: 'random',
};

/** Scales MachineDeployments of node pools with autoscaling. */
export const clusterAutoscaler: ComponentDefinition = {
  name: 'cluster-autoscaler',
  workload: 'Deployment',
  replicas: 'one',
  isPartOf: (inputs) => hasMachines(inputs) && !hasAnnotation(DISABLE_AUTOSCALER_ANNOTATION)(inputs),
  access: {
    rules: ({ templateGroup }) => [
      all(
        CORE_GROUP,
        'machinedeployments',
        'machinedeployments/scale',
        'machines',
        'machinesets',
        'machinesets/scale',
        'machinepools',
        'machinepools/scale',
      ),
      // Scaling a pool from zero reads the capacity of its machines from the template.
      ...(templateGroup === undefined ? [] : [read(templateGroup, '*')]),
    ],
  },
  containers: [
    {
      name: 'cluster-autoscaler',
      image: 'cluster-autoscaler',
      command: ['/usr/bin/cluster-autoscaler'],
      args: ({ namespace, spec }) => [
        '--cloud-provider=clusterapi',
        `--node-group-auto-discovery=clusterapi:namespace=${namespace}`,
        '--kubeconfig=/mnt/kubeconfig/value',
        '--clusterapi-cloud-config-authoritative',
        '--skip-nodes-with-local-storage=false',
        '--alsologtostderr',
        '--leader-elect-lease-duration=137s',
        '--leader-elect-retry-period=26s',
        '--leader-elect-renew-deadline=107s',
        '--balance-similar-node-groups=true',
        '--v=4',
        ...autoscalerFlags(spec.autoscaling),
      ],
      ports: { metrics: 8085 },
      mounts: { '/mnt/kubeconfig': { secret: ({ infraID }) => `${infraID}-kubeconfig` } },
      cpu: '10m',
      memory: '60Mi',
    },
  ],
};

/** `spec.autoscaling` as flags. */
export function autoscalerFlags(autoscaling: ClusterAutoscaling = {}): readonly string[] {
  const { balancingIgnoredLabels = [], expanders = [], scaleDown, scaling } = autoscaling;
  const seconds = (value: number | undefined): string | undefined => (value === undefined ? undefined : `${value}s`);
  const ratio = (percent: number | undefined): string | undefined =>
    percent === undefined ? undefined : (percent / 100).toFixed(2);
  const values: Readonly<Record<string, number | string | undefined>> = {
    'max-nodes-total': autoscaling.maxNodesTotal,
    'max-graceful-termination-sec': autoscaling.maxPodGracePeriod,
    'max-node-provision-time': autoscaling.maxNodeProvisionTime,
    'max-free-difference-ratio': ratio(autoscaling.maxFreeDifferenceRatioPercent),
    'expendable-pods-priority-cutoff': autoscaling.podPriorityThreshold,
    expander: expanders.length === 0 ? undefined : expanders.map((each) => EXPANDERS[each] ?? each).join(','),
    'scale-down-enabled': scaling === 'ScaleUpOnly' ? 'false' : undefined,
    'scale-down-delay-after-add': seconds(scaleDown?.delayAfterAddSeconds),
    'scale-down-delay-after-delete': seconds(scaleDown?.delayAfterDeleteSeconds),
    'scale-down-delay-after-failure': seconds(scaleDown?.delayAfterFailureSeconds),
    'scale-down-unneeded-time': seconds(scaleDown?.unneededDurationSeconds),
    'scale-down-utilization-threshold': ratio(scaleDown?.utilizationThresholdPercent),
  };
  return [
    ...Object.entries(values).flatMap(([flag, value]) => (value === undefined ? [] : [`--${flag}=${value}`])),
    ...balancingIgnoredLabels.map((label) => `--balancing-ignore-label=${label}`),
  ];
}
