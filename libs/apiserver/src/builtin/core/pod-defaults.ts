/** Defaults of pods and pod templates. */
import type { JsonObject, KubeObject } from '@capstan/meta';
import { defaultText, defaultTo, ensure, fields, integer, record, records, text } from '../shared/json.js';
import { roundUpToMilli } from '../shared/quantity.js';
import { defaultPullPolicy } from './image.js';

/** 0644. */
const FILE_MODE = 420;
const HOUR = 3600;

function defaultFieldRefs(items: unknown): void {
  for (const item of records(items)) {
    const fieldRef = record(item['fieldRef']);
    if (fieldRef) defaultText(fieldRef, 'apiVersion', 'v1');
    defaultDivisor(item['resourceFieldRef']);
  }
}

// The divisor is a quantity by value in the API's type, so its zero is always written out.
function defaultDivisor(resourceFieldRef: unknown): void {
  const ref = record(resourceFieldRef);
  if (ref) defaultTo(ref, 'divisor', '0');
}

function defaultProjected(projected: JsonObject): void {
  defaultTo(projected, 'defaultMode', FILE_MODE);
  for (const source of records(projected['sources'])) {
    const token = record(source['serviceAccountToken']);
    if (token) defaultTo(token, 'expirationSeconds', HOUR);
    const downward = record(source['downwardAPI']);
    if (downward) defaultFieldRefs(downward['items']);
  }
}

function defaultOldVolumes(volume: JsonObject): void {
  const iscsi = record(volume['iscsi']);
  if (iscsi) defaultText(iscsi, 'iscsiInterface', 'default');
  const rbd = record(volume['rbd']);
  if (rbd) {
    defaultText(rbd, 'pool', 'rbd');
    defaultText(rbd, 'user', 'admin');
    defaultText(rbd, 'keyring', '/etc/ceph/keyring');
  }
  const azureDisk = record(volume['azureDisk']);
  if (azureDisk) {
    defaultTo(azureDisk, 'cachingMode', 'ReadWrite');
    defaultTo(azureDisk, 'kind', 'Shared');
    defaultTo(azureDisk, 'fsType', 'ext4');
    defaultTo(azureDisk, 'readOnly', false);
  }
  const scaleIO = record(volume['scaleIO']);
  if (scaleIO) {
    defaultText(scaleIO, 'storageMode', 'ThinProvisioned');
    defaultText(scaleIO, 'fsType', 'xfs');
  }
}

/** Defaults of one volume source, shared by pods and (where the source exists there) persistent volumes. */
export function defaultVolumeSource(volume: JsonObject): void {
  for (const key of ['secret', 'configMap', 'downwardAPI']) {
    const source = record(volume[key]);
    if (source) defaultTo(source, 'defaultMode', FILE_MODE);
  }
  const downward = record(volume['downwardAPI']);
  if (downward) defaultFieldRefs(downward['items']);
  const projected = record(volume['projected']);
  if (projected) defaultProjected(projected);
  const hostPath = record(volume['hostPath']);
  if (hostPath) defaultTo(hostPath, 'type', '');
  const image = record(volume['image']);
  if (image) defaultText(image, 'pullPolicy', defaultPullPolicy(text(image['reference'])));
  const claim = record(record(volume['ephemeral'])?.['volumeClaimTemplate']);
  if (claim) defaultTo(ensure(claim, 'spec'), 'volumeMode', 'Filesystem');
  defaultOldVolumes(volume);
}

function defaultVolume(volume: JsonObject): void {
  let sources = 0;
  for (const key of Object.keys(volume))
    if (key !== 'name' && volume[key] !== undefined && volume[key] !== null) sources++;
  if (sources === 0) volume['emptyDir'] = {};
  else defaultVolumeSource(volume);
}

function defaultHttpGet(handler: JsonObject | undefined): void {
  const httpGet = record(handler?.['httpGet']);
  if (!httpGet) return;
  defaultText(httpGet, 'path', '/');
  defaultText(httpGet, 'scheme', 'HTTP');
}

const PROBE_DEFAULTS: readonly (readonly [string, number])[] = [
  ['timeoutSeconds', 1],
  ['periodSeconds', 10],
  ['successThreshold', 1],
  ['failureThreshold', 3],
];

function defaultProbe(probe: JsonObject | undefined): void {
  if (!probe) return;
  for (const [key, value] of PROBE_DEFAULTS) if (!probe[key]) probe[key] = value;
  defaultHttpGet(probe);
  const grpc = record(probe['grpc']);
  if (grpc) defaultTo(grpc, 'service', '');
}

/** Rounds a resource list in place. */
export function defaultResourceList(list: unknown): void {
  const map = record(list);
  if (!map) return;
  for (const key of Object.keys(map)) map[key] = roundUpToMilli(map[key]);
}

function defaultContainer(container: JsonObject): void {
  if (text(container['imagePullPolicy']) === '')
    container['imagePullPolicy'] = defaultPullPolicy(text(container['image']));
  defaultText(container, 'terminationMessagePath', '/dev/termination-log');
  defaultText(container, 'terminationMessagePolicy', 'File');
  for (const port of records(container['ports'])) defaultText(port, 'protocol', 'TCP');
  for (const variable of records(container['env'])) {
    const from = record(variable['valueFrom']);
    const fieldRef = record(from?.['fieldRef']);
    if (fieldRef) defaultText(fieldRef, 'apiVersion', 'v1');
    defaultDivisor(from?.['resourceFieldRef']);
    const file = record(from?.['fileKeyRef']);
    if (file) defaultTo(file, 'optional', false);
  }
  defaultProbe(record(container['livenessProbe']));
  defaultProbe(record(container['readinessProbe']));
  defaultProbe(record(container['startupProbe']));
  const lifecycle = record(container['lifecycle']);
  if (lifecycle && lifecycle['stopSignal'] !== undefined) {
    // Stop signals are behind a gate that is closed by default: the field is dropped, not refused.
    delete lifecycle['stopSignal'];
    if (!record(lifecycle['postStart']) && !record(lifecycle['preStop'])) delete container['lifecycle'];
  }
  defaultHttpGet(record(lifecycle?.['postStart']));
  defaultHttpGet(record(lifecycle?.['preStop']));
  const resources = record(container['resources']);
  if (resources) {
    defaultResourceList(resources['limits']);
    defaultResourceList(resources['requests']);
  }
}

/** Defaults that pods and templates share. */
function defaultPodSpec(spec: JsonObject): void {
  defaultText(spec, 'dnsPolicy', 'ClusterFirst');
  defaultText(spec, 'restartPolicy', 'Always');
  defaultTo(spec, 'securityContext', {});
  defaultTo(spec, 'terminationGracePeriodSeconds', 30);
  defaultText(spec, 'schedulerName', 'default-scheduler');
  // Two names of one field; the old one only speaks when the new one is silent.
  const account = text(spec['serviceAccountName']) || text(spec['serviceAccount']);
  if (account !== '') {
    spec['serviceAccountName'] = account;
    spec['serviceAccount'] = account;
  }
  for (const volume of records(spec['volumes'])) defaultVolume(volume);
  for (const container of records(spec['containers'])) defaultContainer(container);
  for (const container of records(spec['initContainers'])) defaultContainer(container);
  for (const container of records(spec['ephemeralContainers'])) defaultContainer(container);
  defaultResourceList(spec['overhead']);
}

/** Defaults of a PodTemplateSpec. */
export function defaultPodTemplate(template: unknown): void {
  const object = record(template);
  if (object) defaultPodSpec(ensure(object, 'spec'));
}

function requestsFromLimits(container: JsonObject): void {
  const resources = record(container['resources']);
  const limits = record(resources?.['limits']);
  if (!resources || !limits) return;
  const requests = ensure(resources, 'requests');
  for (const key of Object.keys(limits)) if (!Object.hasOwn(requests, key)) requests[key] = limits[key];
}

const POD_LEVEL = /^(cpu|memory|hugepages-.*)$/;

// With pod-level limits given, what the pod requests is at least what its limits say for resources nobody requested.
function defaultPodLevelRequests(spec: JsonObject): void {
  const resources = record(spec['resources']);
  const limits = record(resources?.['limits']);
  if (!resources || !limits || Object.keys(limits).length === 0) return;
  const requests = ensure(resources, 'requests');
  const requested = [...records(spec['containers']), ...records(spec['initContainers'])].map((container) =>
    fields(fields(container['resources'])['requests']),
  );
  for (const key of Object.keys(limits)) {
    if (Object.hasOwn(requests, key) || !POD_LEVEL.test(key)) continue;
    if (!requested.some((list) => Object.hasOwn(list, key))) requests[key] = limits[key];
  }
  if (Object.keys(requests).length === 0) delete resources['requests'];
}

/** Defaults of a Pod. */
export function defaultPod(pod: KubeObject): void {
  const spec = ensure(pod, 'spec');
  defaultPodSpec(spec);
  for (const container of records(spec['containers'])) requestsFromLimits(container);
  for (const container of records(spec['initContainers'])) requestsFromLimits(container);
  defaultPodLevelRequests(spec);
  defaultTo(spec, 'enableServiceLinks', true);
  // Negative means "at once" in old clients; templates keep it, pods do not.
  if ((integer(spec['terminationGracePeriodSeconds']) ?? 0) < 0) spec['terminationGracePeriodSeconds'] = 1;
  if (spec['hostNetwork'] !== true) return;
  for (const container of [...records(spec['containers']), ...records(spec['initContainers'])]) {
    for (const port of records(container['ports'])) if (!port['hostPort']) port['hostPort'] = port['containerPort'];
  }
}
