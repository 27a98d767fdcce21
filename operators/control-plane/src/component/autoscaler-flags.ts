import type { ClusterAutoscaling } from '@capstan/api/hypershift';

const EXPANDERS: Readonly<Record<string, string>> = {
  LeastWaste: 'least-waste',
  Priority: 'priority',
  Random: 'random',
};

/** The flags of the cluster autoscaler that say what `spec.autoscaling` says. */
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
