/** Pods, and the two one-way documents posted to them: Binding and Eviction. */
import { forbidden, notSupported, required } from '@capstan/meta';
import type { FieldError, JsonObject, KubeObject } from '@capstan/meta';
import { BASE, keepField, keepMetadata } from '../base.js';
import type { Errors } from '../shared/checks.js';
import {
  assign,
  cloneJson,
  defaultTo,
  ensure,
  equalJson,
  fields,
  integer,
  record,
  records,
  text,
  textMap,
  texts,
} from '../shared/json.js';
import type { ResourceStrategy, StrategyContext } from '../strategy.js';
import { defaultPod } from './pod-defaults.js';
import { preparePodResize, preparePodStatus, validatePodResize, validatePodStatus } from './pod-status.js';
import { checkPod, validateEphemeralContainersUpdate, validatePodUpdate } from './pod-update.js';
import { hostnameWarnings, podWarnings } from './pod-warnings.js';
import { qosClass } from './qos.js';

function mergeLabelKeys(holder: JsonObject, labels: Readonly<Record<string, string>>): void {
  const selector = record(holder['labelSelector']);
  if (!selector) return;
  for (const [keys, operator] of [
    ['matchLabelKeys', 'In'],
    ['mismatchLabelKeys', 'NotIn'],
  ] as const) {
    for (const key of texts(holder[keys])) {
      const value = labels[key];
      if (value !== undefined)
        selector['matchExpressions'] = [...records(selector['matchExpressions']), { key, operator, values: [value] }];
    }
  }
}

// Keys are turned into plain expressions once, from the labels the pod has now: later relabelling must not move it.
function mergeAllLabelKeys(spec: JsonObject, labels: Readonly<Record<string, string>>): void {
  const affinity = fields(spec['affinity']);
  for (const kind of ['podAffinity', 'podAntiAffinity']) {
    const side = fields(affinity[kind]);
    for (const term of records(side['requiredDuringSchedulingIgnoredDuringExecution'])) mergeLabelKeys(term, labels);
    for (const term of records(side['preferredDuringSchedulingIgnoredDuringExecution'])) {
      const inner = record(term['podAffinityTerm']);
      if (inner) mergeLabelKeys(inner, labels);
    }
  }
  for (const constraint of records(spec['topologySpreadConstraints'])) mergeLabelKeys(constraint, labels);
}

function prepareForCreate(pod: KubeObject, ctx: StrategyContext): void {
  const spec = ensure(pod, 'spec');
  pod.metadata.generation = 1;
  const status: JsonObject = { phase: 'Pending', qosClass: qosClass(spec) };
  if (records(spec['schedulingGates']).length > 0) {
    const message = 'Scheduling is blocked due to non-empty scheduling gates';
    status['conditions'] = [
      {
        type: 'PodScheduled',
        status: 'False',
        lastProbeTime: null,
        lastTransitionTime: ctx.now,
        reason: 'SchedulingGated',
        message,
      },
    ];
  }
  pod['status'] = status;
  // Without a class the priority plugin resolves to 0; with one, admission has already set the number.
  if (text(spec['priorityClassName']) === '') {
    defaultTo(spec, 'priority', 0);
    defaultTo(spec, 'preemptionPolicy', 'PreemptLowerPriority');
  }
  mergeAllLabelKeys(spec, textMap(pod.metadata.labels));
}

function bumpPodGeneration(pod: KubeObject, old: KubeObject): void {
  const before = old.metadata.generation;
  if (!equalJson(pod['spec'], old['spec'])) pod.metadata.generation = (before ?? 0) + 1;
  else assign(pod.metadata as JsonObject, 'generation', before);
}

function validate(pod: KubeObject): FieldError[] {
  const out: Errors = [];
  const spec = fields(pod['spec']);
  checkPod(out, pod);
  if (records(spec['ephemeralContainers']).length > 0)
    out.push(forbidden('spec.ephemeralContainers', 'cannot be set on create'));
  if (text(spec['nodeName']) !== '' && records(spec['schedulingGates']).length > 0) {
    out.push(forbidden('spec.nodeName', 'cannot be set until all schedulingGates have been cleared'));
  }
  return out;
}

function grace(pod: KubeObject, requested: number | undefined): number {
  const spec = fields(pod['spec']);
  const phase = text(fields(pod['status'])['phase']);
  // Nobody is there to wait for: the pod never reached a node, or its containers are gone.
  if (text(spec['nodeName']) === '' || phase === 'Failed' || phase === 'Succeeded') return 0;
  const period = requested ?? integer(spec['terminationGracePeriodSeconds']) ?? 0;
  return period < 0 ? 1 : period;
}

const specText =
  (key: string) =>
  (pod: KubeObject): string =>
    text(fields(pod['spec'])[key]);
const statusText =
  (key: string) =>
  (pod: KubeObject): string =>
    text(fields(pod['status'])[key]);

/** Strategy of pods. */
export const podStrategy: ResourceStrategy = {
  ...BASE,
  hasGeneration: true,
  returnsDeletedObject: true,
  applyDefaults: defaultPod,
  prepareForCreate,
  validate,
  warningsOnCreate: (pod) => [
    ...hostnameWarnings(pod.metadata.name, "the Pod's hostname"),
    ...podWarnings('', pod.metadata, pod['spec']),
  ],
  prepareForUpdate: (pod, old) => {
    keepField(pod, old, 'status');
    bumpPodGeneration(pod, old);
  },
  validateUpdate: validatePodUpdate,
  subresources: {
    status: { prepareForUpdate: preparePodStatus, validateUpdate: validatePodStatus },
    ephemeralcontainers: {
      prepareForUpdate: (pod, old) => {
        const added = fields(pod['spec'])['ephemeralContainers'];
        const spec = cloneJson(fields(old['spec'])) as JsonObject;
        assign(spec, 'ephemeralContainers', added ?? undefined);
        pod['spec'] = spec;
        keepField(pod, old, 'status');
        keepMetadata(pod, old);
        bumpPodGeneration(pod, old);
      },
      validateUpdate: validateEphemeralContainersUpdate,
    },
    resize: {
      prepareForUpdate: (pod, old) => {
        preparePodResize(pod, old);
        keepMetadata(pod, old);
        bumpPodGeneration(pod, old);
      },
      validateUpdate: validatePodResize,
    },
  },
  gracePeriodSeconds: grace,
  fieldLabels: {
    'spec.nodeName': specText('nodeName'),
    'spec.host': specText('nodeName'),
    'spec.restartPolicy': specText('restartPolicy'),
    'spec.schedulerName': specText('schedulerName'),
    'spec.serviceAccountName': specText('serviceAccountName'),
    'spec.hostNetwork': (pod) => String(fields(pod['spec'])['hostNetwork'] === true),
    'status.phase': statusText('phase'),
    'status.podIP': (pod) => text(records(fields(pod['status'])['podIPs'])[0]?.['ip']),
    'status.podIPs': (pod) => text(records(fields(pod['status'])['podIPs'])[0]?.['ip']),
    'status.nominatedNodeName': statusText('nominatedNodeName'),
  },
};

/** A Binding names a node, by kind or by silence. */
export function validateBinding(binding: KubeObject): FieldError[] {
  const target = fields(binding['target']);
  const out: Errors = [];
  const kind = text(target['kind']);
  if (kind !== '' && kind !== 'Node') out.push(notSupported('target.kind', kind, ['Node', '<empty>']));
  if (text(target['name']) === '') out.push(required('target.name'));
  return out;
}
