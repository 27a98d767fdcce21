/** Status, resize and scheduling side effects of pods. */
import { forbidden, invalid } from '@capstan/meta';
import type { FieldError, JsonObject, KubeObject } from '@capstan/meta';
import type { Errors } from '../shared/checks.js';
import { checkImmutable, checkQualifiedName } from '../shared/checks.js';
import { assign, cloneJson, equalJson, fields, integer, record, records, text, textMap } from '../shared/json.js';
import { checkIP, familyOf } from '../shared/ip.js';
import { checkPod, checkPodAnnotationsKept } from './pod-update.js';
import { qosClass } from './qos.js';

function restarts(container: JsonObject | undefined, policy: string, exitCode: number): boolean {
  for (const rule of records(container?.['restartPolicyRules'])) {
    const codes = fields(rule['exitCodes']);
    const among = Array.isArray(codes['values']) && codes['values'].includes(exitCode);
    if (codes['operator'] === 'In' ? among : !among) return true;
  }
  const own = text(container?.['restartPolicy']) || policy;
  return own === 'Always' || (own === 'OnFailure' && exitCode !== 0);
}

function checkTransitions(
  out: Errors,
  list: string,
  spec: Readonly<JsonObject>,
  status: Readonly<JsonObject>,
  old: Readonly<JsonObject>,
): void {
  const statuses = `${list.replace(/s$/, '')}Statuses`;
  const policy = text(spec['restartPolicy']);
  records(old[statuses]).forEach((before, i) => {
    const ended = record(fields(before['state'])['terminated']);
    if (!ended) return;
    const now = records(status[statuses]).find((candidate) => candidate['name'] === before['name']);
    if (!now || record(fields(now['state'])['terminated'])) return;
    const container = records(spec[list]).find((candidate) => candidate['name'] === before['name']);
    const ephemeral = list === 'ephemeralContainers';
    if (!ephemeral && restarts(container, policy, integer(ended['exitCode']) ?? 0)) return;
    out.push(forbidden(`status.${statuses}[${i}].state`, 'may not be transitioned to non-terminated state'));
  });
}

function checkIPs(out: Errors, field: string, list: readonly JsonObject[], old: readonly JsonObject[]): void {
  const known = old.map((entry) => text(entry['ip']));
  list.forEach((entry, i) => checkIP(out, `${field}[${i}]`, text(entry['ip']), known));
  if (list.length < 2) return;
  const families = new Set(list.map((entry) => familyOf(text(entry['ip']))));
  if (list.length > 2 || families.size !== list.length)
    out.push(invalid(field, list, 'may specify no more than one IP for each IP family'));
}

const SYSTEM_CONDITIONS = new Set(['PodScheduled', 'Ready', 'Initialized']);

/** An update through `status`. */
export function validatePodStatus(pod: KubeObject, old: KubeObject): FieldError[] {
  const out: Errors = [];
  checkPodAnnotationsKept(out, pod, old);
  const status = fields(pod['status']);
  const before = fields(old['status']);
  records(status['conditions']).forEach((condition, i) => {
    if ((integer(condition['observedGeneration']) ?? 0) < 0) {
      out.push(
        invalid(
          `status.conditions[${i}].observedGeneration`,
          integer(condition['observedGeneration']),
          'must be a non-negative integer',
        ),
      );
    }
    const type = text(condition['type']);
    if (!SYSTEM_CONDITIONS.has(type)) checkQualifiedName(out, `status.conditions[${i}].Type`, type);
  });
  const nominated = text(status['nominatedNodeName']);
  const bound = text(fields(old['spec'])['nodeName']) !== '';
  if (bound && nominated !== '' && nominated !== text(before['nominatedNodeName'])) {
    out.push(forbidden('status.nominatedNodeName', 'may not be set on pods that are already bound to a node'));
  }
  checkImmutable(out, 'status.qosClass', text(status['qosClass']), text(before['qosClass']));
  for (const list of ['containers', 'initContainers', 'ephemeralContainers'])
    checkTransitions(out, list, fields(old['spec']), status, before);
  checkIPs(out, 'status.podIPs', records(status['podIPs']), records(before['podIPs']));
  const hosts = records(status['hostIPs']);
  if (hosts.length > 0 && text(status['hostIP']) !== text(hosts[0]?.['ip'])) {
    out.push(invalid('status.hostIPs[0].ip', text(hosts[0]?.['ip']), 'must be equal to `hostIP`'));
  }
  checkIPs(out, 'status.hostIPs', hosts, records(before['hostIPs']));
  return out;
}

// One address in two fields: clients that know only the old one must not be contradicted by the list.
function syncIP(status: JsonObject, single: string, list: string): void {
  const first = text(records(status[list])[0]?.['ip']);
  const alone = text(status[single]);
  if (alone !== '' && records(status[list]).length === 0) status[list] = [{ ip: alone }];
  else if (alone === '' && first !== '') status[single] = first;
  else if (alone !== '' && first !== '' && alone !== first) status[list] = [{ ip: alone }];
}

/** Status updates keep the spec, the owners and what the server itself wrote. */
export function preparePodStatus(pod: KubeObject, old: KubeObject): void {
  assign(pod, 'spec', old['spec']);
  assign(pod.metadata as JsonObject, 'ownerReferences', old.metadata.ownerReferences);
  const status = (record(pod['status']) ?? {}) as JsonObject;
  pod['status'] = status;
  const before = fields(old['status']);
  if (text(status['qosClass']) === '') assign(status, 'qosClass', before['qosClass']);
  if (!status['observedGeneration']) assign(status, 'observedGeneration', before['observedGeneration']);
  const remembered = new Map<string, JsonObject[]>();
  for (const condition of records(before['conditions'])) {
    const type = text(condition['type']);
    remembered.set(type, [...(remembered.get(type) ?? []), condition]);
  }
  for (const condition of records(status['conditions'])) {
    const earlier = remembered.get(text(condition['type']))?.shift();
    if (!condition['observedGeneration'] && earlier?.['observedGeneration'])
      condition['observedGeneration'] = earlier['observedGeneration'];
  }
  syncIP(status, 'podIP', 'podIPs');
}

function onlyResources(containers: readonly JsonObject[], old: readonly JsonObject[]): JsonObject[] | undefined {
  if (containers.length !== old.length || containers.some((container, i) => container['name'] !== old[i]?.['name']))
    return undefined;
  return containers.map((container, i) => {
    const copy: JsonObject = { ...old[i] };
    assign(copy, 'resources', container['resources']);
    assign(copy, 'resizePolicy', container['resizePolicy']);
    return copy;
  });
}

/** `resize` takes resources only. Containers that do not line up are left for validation to refuse. */
export function preparePodResize(pod: KubeObject, old: KubeObject): void {
  const spec = fields(pod['spec']);
  const before = fields(old['spec']);
  const containers = onlyResources(records(spec['containers']), records(before['containers']));
  const init = onlyResources(records(spec['initContainers']), records(before['initContainers']));
  if (containers && init) {
    const merged: JsonObject = { ...before, containers };
    if (init.length > 0) merged['initContainers'] = init;
    if (record(spec['resources'])) merged['resources'] = spec['resources'];
    pod['spec'] = merged;
  }
  assign(pod, 'status', old['status']);
}

const COMPUTE = new Set(['cpu', 'memory']);

function withoutCompute(spec: Readonly<JsonObject>): JsonObject {
  const copy = cloneJson(spec) as JsonObject;
  for (const holder of [copy, ...records(copy['containers']), ...records(copy['initContainers'])]) {
    delete holder['resizePolicy'];
    const resources = record(holder['resources']);
    for (const list of ['limits', 'requests']) {
      const map = record(resources?.[list]);
      if (!resources || !map) continue;
      for (const name of COMPUTE) delete map[name];
      if (Object.keys(map).length === 0) delete resources[list];
    }
  }
  return copy;
}

function checkSameOrder(out: Errors, list: string, spec: Readonly<JsonObject>, old: Readonly<JsonObject>): void {
  const now = records(spec[list]);
  const before = records(old[list]);
  if (now.length !== before.length)
    out.push(forbidden(`spec.${list}`, `${list} may not be added or removed on resize`));
  else {
    before.forEach((container, i) => {
      if (now[i]?.['name'] === container['name']) return;
      out.push(forbidden(`spec.${list}[${i}].name`, `${list} may not be renamed or reordered on resize`));
    });
  }
}

/** An update through `resize`: cpu and memory of containers that run on may change, nothing else. */
export function validatePodResize(pod: KubeObject, old: KubeObject): FieldError[] {
  const out: Errors = [];
  const spec = fields(pod['spec']);
  const before = fields(old['spec']);
  if (textMap(old.metadata.annotations)['kubernetes.io/config.mirror'] !== undefined)
    return [forbidden('[]', 'static pods cannot be resized')];
  if (fields(before['os'])['name'] === 'windows') return [forbidden('[]', 'windows pods cannot be resized')];
  checkPod(out, pod);
  if (qosClass(spec) !== qosClass(before)) {
    out.push(
      invalid('spec', text(fields(pod['status'])['qosClass']), 'Pod QOS Class may not change as a result of resizing'),
    );
  }
  const aligned = out.length;
  checkSameOrder(out, 'containers', spec, before);
  checkSameOrder(out, 'initContainers', spec, before);
  if (out.length > aligned) return out;
  const fixed = records(before['initContainers']).some(
    (container, i) =>
      container['restartPolicy'] !== 'Always' && !equalJson(container, records(spec['initContainers'])[i]),
  );
  if (fixed) out.push(forbidden('spec', 'resources for non-sidecar init containers are immutable'));
  if (!equalJson(withoutCompute(spec), withoutCompute(before)))
    out.push(forbidden('spec', 'only cpu and memory resources are mutable'));
  return out;
}
