/** What may change on a pod after it was made. */
import { internalPodSpec, internalView } from '../shared/internal-view.js';
import { forbidden, invalid, required } from '@capstan/meta';
import type { FieldError, JsonObject, KubeObject } from '@capstan/meta';
import type { Errors } from '../shared/checks.js';
import { checkText } from '../shared/checks.js';
import { diffJson } from '../shared/diff.js';
import { assign, equalJson, fields, integer, record, records, text, textMap } from '../shared/json.js';
import { rangeErrors } from '../shared/texts.js';
import { checkTolerations } from './affinity.js';
import { checkImageSpaces } from './containers.js';
import { checkPodAnnotations, checkPodSpec } from './pod-spec.js';

const UPDATABLE = [
  '`spec.containers[*].image`',
  '`spec.initContainers[*].image`',
  '`spec.activeDeadlineSeconds`',
  '`spec.tolerations` (only additions to existing tolerations)',
  '`spec.terminationGracePeriodSeconds` (allow it to be set to 1 if it was previously negative)',
].join(',');

/** Everything that holds for a pod at all times. */
export function checkPod(out: Errors, pod: KubeObject): void {
  const spec = fields(pod['spec']);
  checkPodAnnotations(out, 'metadata.annotations', pod.metadata.annotations, spec);
  checkPodSpec(out, 'spec', spec, pod.metadata);
  if (text(spec['serviceAccountName']) === '') {
    records(spec['volumes']).forEach((volume, i) => {
      records(fields(volume['projected'])['sources']).forEach((source, j) => {
        if (!record(source['serviceAccountToken'])) return;
        const field = `spec.volumes[${i}].projected.sources[${j}].serviceAccountToken`;
        out.push(forbidden(field, 'must not be specified when serviceAccountName is not set'));
      });
    });
  }
  for (const list of ['containers', 'initContainers']) {
    records(spec[list]).forEach((container, i) => checkImageSpaces(out, `spec.${list}[${i}]`, container));
  }
}

/** Annotations that pods keep as they are. */
export function checkPodAnnotationsKept(out: Errors, pod: KubeObject, old: KubeObject): void {
  const before = textMap(old.metadata.annotations);
  const after = textMap(pod.metadata.annotations);
  const key = 'kubernetes.io/config.mirror';
  const field = `metadata.annotations[${key}]`;
  if (before[key] !== undefined && after[key] !== before[key])
    out.push(forbidden(field, 'may not remove or update mirror pod annotation'));
  if (before[key] === undefined && after[key] !== undefined)
    out.push(forbidden(field, 'may not add mirror pod annotation'));
}

function checkSameContainers(
  out: Errors,
  path: string,
  containers: readonly JsonObject[],
  old: readonly JsonObject[],
): boolean {
  if (containers.length !== old.length) {
    out.push(forbidden(path, 'pod updates may not add or remove containers'));
    return false;
  }
  containers.forEach((container, i) => {
    if (text(container['image']) === '') out.push(required(`${path}[${i}].image`));
    checkImageSpaces(out, `${path}[${i}]`, container);
  });
  return true;
}

// Answers whether validation goes on: the server stops at a deadline it dislikes.
function checkDeadline(out: Errors, spec: Readonly<JsonObject>, old: Readonly<JsonObject>): boolean {
  const field = 'spec.activeDeadlineSeconds';
  const value = integer(spec['activeDeadlineSeconds']);
  const before = integer(old['activeDeadlineSeconds']);
  if (value === undefined) {
    if (before !== undefined) out.push(invalid(field, null, 'must not update from a positive integer to nil value'));
    return true;
  }
  const complaints = rangeErrors(value, 0, 2147483647);
  checkText(out, field, value, complaints);
  if (complaints.length > 0) return false;
  if (before === undefined || before >= value) return true;
  out.push(invalid(field, value, 'must be less than or equal to previous value'));
  return false;
}

function checkTolerationsKept(out: Errors, spec: Readonly<JsonObject>, old: Readonly<JsonObject>): void {
  const bare = (toleration: JsonObject): JsonObject => ({ ...toleration, tolerationSeconds: undefined });
  const now = records(spec['tolerations']).map(bare);
  if (
    records(old['tolerations']).every((toleration) => now.some((candidate) => equalJson(candidate, bare(toleration))))
  ) {
    checkTolerations(out, 'spec.tolerations', spec['tolerations']);
  } else
    out.push(forbidden('spec.tolerations', 'existing toleration can not be modified except its tolerationSeconds'));
}

function checkGatesOnlyRemoved(out: Errors, spec: Readonly<JsonObject>, old: Readonly<JsonObject>): void {
  const before = new Set(records(old['schedulingGates']).map((gate) => text(gate['name'])));
  records(spec['schedulingGates']).forEach((gate, i) => {
    const name = text(gate['name']);
    if (before.has(name)) return;
    out.push(
      forbidden(`spec.schedulingGates[${i}].name`, `only deletion is allowed, but found new scheduling gate '${name}'`),
    );
  });
}

function withImagesOf(containers: readonly JsonObject[], old: readonly JsonObject[]): JsonObject[] {
  return containers.map((container, i) => {
    const copy = { ...container };
    assign(copy, 'image', old[i]?.['image']);
    return copy;
  });
}

// A gated pod has not been seen by the scheduler yet, so it may still be narrowed.
function unguardGated(out: Errors, munged: JsonObject, old: Readonly<JsonObject>): void {
  const selector = textMap(munged['nodeSelector']);
  const before = textMap(old['nodeSelector']);
  if (!equalJson(selector, before)) {
    if (Object.keys(before).some((key) => selector[key] !== before[key])) {
      out.push(
        invalid(
          'spec.nodeSelector',
          selector,
          'only additions to spec.nodeSelector are allowed (no mutations or deletions)',
        ),
      );
    }
    assign(munged, 'nodeSelector', old['nodeSelector']);
  }
  const affinity = fields(munged['affinity']);
  const oldAffinity = fields(old['affinity']);
  if (equalJson(affinity['nodeAffinity'], oldAffinity['nodeAffinity'])) return;
  checkNodeAffinityNarrowed(out, fields(affinity['nodeAffinity']), fields(oldAffinity['nodeAffinity']));
  const merged: JsonObject = { ...affinity };
  assign(merged, 'nodeAffinity', oldAffinity['nodeAffinity']);
  const gone = old['affinity'] === undefined && Object.keys(merged).length === 0;
  assign(munged, 'affinity', gone ? undefined : merged);
}

function checkNodeAffinityNarrowed(out: Errors, affinity: Readonly<JsonObject>, old: Readonly<JsonObject>): void {
  const key = 'requiredDuringSchedulingIgnoredDuringExecution';
  if (!record(old[key])) return;
  const path = `spec.affinity.nodeAffinity.${key}.nodeSelectorTerms`;
  const before = records(fields(old[key])['nodeSelectorTerms']);
  const after = records(fields(affinity[key])['nodeSelectorTerms']);
  if (before.length > 0 && before.length !== after.length) {
    out.push(invalid(path, after, 'no additions/deletions to non-empty NodeSelectorTerms list are allowed'));
    return;
  }
  before.forEach((term, i) => {
    const now = after[i] ?? {};
    const parts = ['matchExpressions', 'matchFields'];
    const empty = parts.every((part) => records(term[part]).length === 0);
    const kept = parts.every((part) =>
      equalJson(records(now[part]).slice(0, records(term[part]).length), records(term[part])),
    );
    const grew = parts.some((part) => records(now[part]).length > 0);
    if (!kept || (empty && grew))
      out.push(invalid(`${path}[${i}]`, now, 'only additions are allowed (no mutations or deletions)'));
  });
}

function checkRestUnchanged(out: Errors, spec: Readonly<JsonObject>, old: Readonly<JsonObject>): void {
  if (equalJson(spec, old)) return;
  const munged: JsonObject = { ...spec };
  munged['containers'] = withImagesOf(records(spec['containers']), records(old['containers']));
  if (records(spec['initContainers']).length > 0) {
    munged['initContainers'] = withImagesOf(records(spec['initContainers']), records(old['initContainers']));
  }
  for (const key of ['activeDeadlineSeconds', 'schedulingGates', 'tolerations']) assign(munged, key, old[key]);
  const grace = integer(old['terminationGracePeriodSeconds']);
  if (grace !== undefined && grace < 0 && munged['terminationGracePeriodSeconds'] === 1)
    munged['terminationGracePeriodSeconds'] = grace;
  if (records(old['schedulingGates']).length > 0) unguardGated(out, munged, old);
  if (equalJson(munged, old)) return;
  const diff = diffJson(internalPodSpec(old), internalPodSpec(munged));
  out.push(forbidden('spec', `pod updates may not change fields other than ${UPDATABLE}\n${diff}`));
}

/** An update of the pod itself. */
export function validatePodUpdate(pod: KubeObject, old: KubeObject): FieldError[] {
  const out: Errors = [];
  checkPod(out, pod);
  checkPodAnnotationsKept(out, pod, old);
  checkPodAnnotations(out, 'metadata.annotations', pod.metadata.annotations, fields(pod['spec']));
  const spec = fields(pod['spec']);
  const before = fields(old['spec']);
  for (const list of ['containers', 'initContainers']) {
    if (!checkSameContainers(out, `spec.${list}`, records(spec[list]), records(before[list]))) return out;
  }
  if (!checkDeadline(out, spec, before)) return out;
  checkTolerationsKept(out, spec, before);
  checkGatesOnlyRemoved(out, spec, before);
  checkRestUnchanged(out, spec, before);
  return out;
}

/** An update through `ephemeralcontainers`: they may only be added. */
export function validateEphemeralContainersUpdate(pod: KubeObject, old: KubeObject): FieldError[] {
  const out: Errors = [];
  checkPod(out, pod);
  checkPodAnnotationsKept(out, pod, old);
  if (textMap(old.metadata.annotations)['kubernetes.io/config.mirror'] !== undefined) {
    return [forbidden('[]', 'static pods do not support ephemeral containers')];
  }
  const now = records(fields(pod['spec'])['ephemeralContainers']);
  for (const container of records(fields(old['spec'])['ephemeralContainers'])) {
    const name = text(container['name']);
    const same = now.findLast((candidate) => text(candidate['name']) === name);
    const path = 'spec.ephemeralContainers';
    if (!same) out.push(forbidden(path, `existing ephemeral containers "${name}" may not be removed\n`));
    else if (!equalJson(same, container)) {
      const [before, after] = [container, same].map((each) => internalView('EphemeralContainer', each));
      out.push(
        forbidden(path, `existing ephemeral containers "${name}" may not be changed\n${diffJson(before, after)}`),
      );
    }
  }
  return out;
}
