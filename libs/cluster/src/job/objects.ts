import { podFromTemplate } from '../workload/templates.js';
import type { Pod } from '../workload/resources.js';
import type { NewPod } from './decide.js';
import { matchPolicy } from './failures.js';
import { INDEX_FAILURES, INDEX_IGNORED_FAILURES, INDEX_KEY, isIndexed, TRACKING_FINALIZER } from './types.js';
import type { Job } from './types.js';
import { indexFailures } from './view.js';

interface Container {
  readonly env?: readonly { readonly name: string }[];
}

const INDEX_VARIABLE = 'JOB_COMPLETION_INDEX';
const MAX_GENERATED_BASE = 58;

function withIndexVariable<T extends Container>(container: T): T {
  const { env = [] } = container;
  if (env.some(({ name }) => name === INDEX_VARIABLE)) return container;
  const variable = { name: INDEX_VARIABLE, valueFrom: { fieldRef: { fieldPath: `metadata.labels['${INDEX_KEY}']` } } };
  return { ...container, env: [...env, variable] };
}

function failureAnnotations(job: Job, replaces: Pod | undefined): Record<string, string> {
  if (job.spec.backoffLimitPerIndex === undefined) return {};
  let { counted, ignored } = replaces === undefined ? { counted: 0, ignored: 0 } : indexFailures(replaces);
  if (replaces !== undefined) {
    if (matchPolicy(job, replaces).counts) counted += 1;
    else ignored += 1;
  }
  return {
    [INDEX_FAILURES]: String(counted),
    ...(ignored === 0 ? {} : { [INDEX_IGNORED_FAILURES]: String(ignored) }),
  };
}

/** A pod of a Job: with its finalizer, and with its index when there is one. */
export function makeJobPod(job: Job, { index, replaces }: NewPod): Pod {
  const { metadata, spec, ...pod } = podFromTemplate(job, job.spec.template);
  const finalizers = [...new Set([...(metadata.finalizers ?? []), TRACKING_FINALIZER])];
  if (!isIndexed(job) || index === undefined)
    return { ...pod, metadata: { ...metadata, finalizers }, spec: { ...spec } };
  const suffix = `-${index}-`;
  const base = (job.metadata.name ?? '').slice(0, MAX_GENERATED_BASE - suffix.length);
  const containers = (key: string): object =>
    spec?.[key] === undefined ? {} : { [key]: (spec[key] as readonly Container[]).map(withIndexVariable) };
  return {
    ...pod,
    metadata: {
      ...metadata,
      generateName: `${base}${suffix}`,
      labels: { ...metadata.labels, [INDEX_KEY]: String(index) },
      annotations: { ...metadata.annotations, [INDEX_KEY]: String(index), ...failureAnnotations(job, replaces) },
      finalizers,
    },
    spec: {
      ...spec,
      ...containers('containers'),
      ...containers('initContainers'),
      hostname: `${job.metadata.name ?? ''}-${index}`,
    },
  };
}
