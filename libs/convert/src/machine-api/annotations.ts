/** Annotations: those with an effect have another name in the other API, or are refused. */
import { setOwn } from '@capstan/meta';
import {
  CLUSTER_API_DATA_ANNOTATION,
  INSTANCE_STATE_ANNOTATION,
  KEPT_ANNOTATION,
  KEPT_CLUSTER_API_ANNOTATION,
  PAUSED_ANNOTATION,
  PRE_DRAIN_PREFIX,
  PRE_TERMINATE_PREFIX,
} from './names.js';
import type { Side } from '../engine/rule.js';
import type { TextConversion, Texts } from './texts.js';

const capacity = 'capacity.cluster-autoscaler.kubernetes.io';
const GPU_COUNT = `${capacity}/gpu-count`;
const GPU_TYPE = `${capacity}/gpu-type`;
/** What Machine API means by a GPU: it has no word for other ones. */
const USUAL_GPU = 'nvidia.com/gpu';

/** A value on its way; `undefined` where it has no other form and keeps its name and value. */
interface Renamed {
  readonly left: string;
  readonly right: string;
  readonly toRight?: (value: string) => string | undefined;
  readonly toLeft?: (value: string) => string | undefined;
}

const MIB = /^(0|[1-9]\d{0,14})$/;
const QUANTITY = /^(0|[1-9]\d{0,12})(Mi|Gi|Ti)$/;
const mebibytes: Readonly<Record<string, number>> = { Mi: 1, Gi: 1024, Ti: 1024 * 1024 };

function megabytesOf(quantity: string): string | undefined {
  const [, digits, unit] = QUANTITY.exec(quantity) ?? [];
  if (digits === undefined || unit === undefined) return undefined;
  return String(Number(digits) * (mebibytes[unit] ?? 1));
}

const OLD_DELETE = 'machine.openshift.io/cluster-api-delete-machine';
const DELETE = { left: 'machine.openshift.io/delete-machine', right: 'cluster.x-k8s.io/delete-machine' };
const NO_DRAIN = {
  left: 'machine.openshift.io/exclude-node-draining',
  right: 'machine.cluster.x-k8s.io/exclude-node-draining',
};
/** Machine API acts on a value, Cluster API on the key: an empty value has no effect on one side only. */
const ifNotEmpty = (value: string): string | undefined => (value === '' ? undefined : value);

const renamed: readonly Renamed[] = [
  // The older name comes first: the way back writes the newer one.
  { left: OLD_DELETE, right: DELETE.right, toRight: ifNotEmpty },
  { ...DELETE, toRight: ifNotEmpty, toLeft: (value) => (value === '' ? 'true' : value) },
  NO_DRAIN,
  ...['min', 'max'].map((end) => ({
    left: `machine.openshift.io/cluster-api-autoscaler-node-group-${end}-size`,
    right: `cluster.x-k8s.io/cluster-api-autoscaler-node-group-${end}-size`,
  })),
  { left: 'machine.openshift.io/vCPU', right: `${capacity}/cpu` },
  {
    left: 'machine.openshift.io/memoryMb',
    right: `${capacity}/memory`,
    toRight: (value) => (MIB.test(value) ? `${value}Mi` : undefined),
    toLeft: megabytesOf,
  },
  { left: 'machine.openshift.io/GPU', right: GPU_COUNT },
  { left: 'machine.openshift.io/maxPods', right: `${capacity}/maxPods` },
];
const byLeft = new Map(renamed.map((each) => [each.left, each]));
const byRight = new Map(renamed.map((each) => [each.right, each]));

const isHook = (key: string): boolean => key.startsWith(PRE_DRAIN_PREFIX) || key.startsWith(PRE_TERMINATE_PREFIX);

/** What controllers of Machine API write for each other, and what is preserved of Cluster API. */
const ofMachineApi: ReadonlySet<string> = new Set([INSTANCE_STATE_ANNOTATION, KEPT_CLUSTER_API_ANNOTATION]);

/** The type that Machine API implies. */
function isUsualGpu(key: string, annotations: Texts): boolean {
  return key === GPU_TYPE && annotations[key] === USUAL_GPU && (annotations[GPU_COUNT] ?? '0') !== '0';
}

const asText = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);

/** Annotations with an effect in one API that the other does not have, or has under another name only. */
const withoutCounterpart: Readonly<Record<string, string>> = {
  'metal3.io/autoscale-to-hosts':
    'scales the set to the number of hosts, which Cluster API cannot: remove it, and set replicas',
};
const REMEDIATION_STRATEGY = 'machine.openshift.io/remediation-strategy';
const acting = [OLD_DELETE, DELETE.left, NO_DRAIN.left];

/** Whether Machine API acts on the entry: deletion wants a value. */
const hasEffectInMachineApi = (key: string, value: unknown): boolean =>
  acting.includes(key) && (value !== '' || key === NO_DRAIN.left);

function refusalOf(side: Side, key: string, value: unknown): string | undefined {
  if (side === 'left' && isHook(key))
    return 'stands for a lifecycle hook in Cluster API: write it in spec.lifecycleHooks';
  if (side === 'left' && (key === DELETE.right || key === NO_DRAIN.right))
    return `has no effect in Machine API, and would have one in Cluster API: remove it, or write ${byRight.get(key)?.left}`;
  if (side === 'right' && hasEffectInMachineApi(key, value))
    return `has no effect in Cluster API, and would have one in Machine API: remove it, or write ${byLeft.get(key)?.right}`;
  return withoutCounterpart[key];
}

function addTranslated(made: Record<string, unknown>, key: string, held: unknown): void {
  if (isHook(key)) return;
  const rule = byLeft.get(key);
  const text = asText(held);
  const value = rule?.toRight === undefined || text === undefined ? held : rule.toRight(text);
  if (rule === undefined || value === undefined) setOwn(made, key, held);
  else made[rule.right] = value;
}

function toMachineApi(annotations: Texts): Record<string, unknown> {
  const made: Record<string, unknown> = {};
  for (const key of Object.keys(annotations)) {
    if (isUsualGpu(key, annotations)) continue;
    const rule = byRight.get(key);
    const text = asText(annotations[key]);
    const value = rule?.toLeft === undefined || text === undefined ? annotations[key] : rule.toLeft(text);
    if (rule === undefined || value === undefined) setOwn(made, key, annotations[key]);
    else made[rule.left] = value;
  }
  return made;
}

/** Annotations of objects of which Cluster API has these keys for its controllers alone. */
function conversionWithout(ofClusterApi: ReadonlySet<string>): TextConversion<unknown> {
  return {
    toClusterApi(places) {
      const made: Record<string, unknown> = {};
      for (const place of places)
        for (const key of Object.keys(place)) if (!ofClusterApi.has(key)) addTranslated(made, key, place[key]);
      const count = asText(made[GPU_COUNT]);
      if (count !== undefined && count !== '0') made[GPU_TYPE] ??= USUAL_GPU;
      return made;
    },
    toMachineApi(annotations, _facts, count) {
      const made = toMachineApi(annotations);
      return count > 1 ? [made, {}] : [made];
    },
    isPassing: (side, key) => (side === 'left' ? ofMachineApi.has(key) : ofClusterApi.has(key) || isHook(key)),
    refusal: refusalOf,
  };
}

/** Annotations on their way to Cluster API and back. */
export const annotationConversion: TextConversion<unknown> = conversionWithout(
  new Set([PAUSED_ANNOTATION, KEPT_ANNOTATION, CLUSTER_API_DATA_ANNOTATION]),
);

/** Those of health checks, which both APIs pause by the same annotation. */
export const healthCheckAnnotations: TextConversion<unknown> = {
  ...conversionWithout(new Set([KEPT_ANNOTATION, CLUSTER_API_DATA_ANNOTATION])),
  refusal: (side, key, value) =>
    key === REMEDIATION_STRATEGY && value === 'external-baremetal'
      ? 'has no effect in Cluster API: remove it, and name a Metal3RemediationTemplate in spec.remediationTemplate'
      : refusalOf(side, key, value),
};
