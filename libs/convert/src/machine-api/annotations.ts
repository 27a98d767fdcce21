/** Annotations of machines and sets: what the two APIs and their autoscalers call the same thing. */
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

const renamed: readonly Renamed[] = [
  { left: 'machine.openshift.io/delete-machine', right: 'cluster.x-k8s.io/delete-machine' },
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

/** What controllers of Cluster API write for each other, and what is preserved of Machine API. */
const ofClusterApi: ReadonlySet<string> = new Set([PAUSED_ANNOTATION, KEPT_ANNOTATION, CLUSTER_API_DATA_ANNOTATION]);
const ofMachineApi: ReadonlySet<string> = new Set([INSTANCE_STATE_ANNOTATION, KEPT_CLUSTER_API_ANNOTATION]);

/** The type that Machine API implies. */
function isUsualGpu(key: string, annotations: Texts): boolean {
  return key === GPU_TYPE && annotations[key] === USUAL_GPU && (annotations[GPU_COUNT] ?? '0') !== '0';
}

const asText = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);

function addTranslated(made: Record<string, unknown>, key: string, held: unknown): void {
  if (ofClusterApi.has(key) || isHook(key)) return;
  const rule = byLeft.get(key);
  const text = asText(held);
  const value = rule?.toRight === undefined || text === undefined ? held : rule.toRight(text);
  if (rule === undefined || value === undefined) setOwn(made, key, held);
  else made[rule.right] = value;
}

/** Annotations on their way to Cluster API and back. */
export const annotationConversion: TextConversion<unknown> = {
  toClusterApi(places) {
    const made: Record<string, unknown> = {};
    for (const place of places) for (const key of Object.keys(place)) addTranslated(made, key, place[key]);
    const count = asText(made[GPU_COUNT]);
    if (count !== undefined && count !== '0') made[GPU_TYPE] ??= USUAL_GPU;
    return made;
  },

  toMachineApi(annotations, _facts, count) {
    const made: Record<string, unknown> = {};
    for (const key of Object.keys(annotations)) {
      if (isUsualGpu(key, annotations)) continue;
      const rule = byRight.get(key);
      const text = asText(annotations[key]);
      const value = rule?.toLeft === undefined || text === undefined ? annotations[key] : rule.toLeft(text);
      if (rule === undefined || value === undefined) setOwn(made, key, annotations[key]);
      else made[rule.left] = value;
    }
    return count > 1 ? [made, {}] : [made];
  },

  isPassing(side, key) {
    return side === 'left' ? ofMachineApi.has(key) : ofClusterApi.has(key) || isHook(key);
  },

  refusal(key) {
    return isHook(key) ? 'stands for a lifecycle hook in Cluster API: write it in spec.lifecycleHooks' : undefined;
  },
};
