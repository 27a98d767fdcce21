/** PersistentVolumes and the claims on them. */
import { internalView } from '../shared/internal-view.js';
import { forbidden, invalid, notSupported, required } from '@capstan/meta';
import type { FieldError, JsonObject, KubeObject } from '@capstan/meta';
import { BASE, keepField } from '../base.js';
import type { Errors } from '../shared/checks.js';
import { atKey, checkEnum, checkImmutableEnum, checkSubdomain } from '../shared/checks.js';
import { diffJson } from '../shared/diff.js';
import { assign, defaultText, defaultTo, ensure, equalJson, fields, record, text, texts } from '../shared/json.js';
import { nanosOf } from '../shared/quantity.js';
import { metadataAgain, type ResourceStrategy, type StrategyContext } from '../strategy.js';
import { checkNodeSelector } from './affinity.js';
import { checkAccessModes, checkVolumeMode } from './claim-spec.js';
import { defaultResourceList, defaultVolumeSource } from './pod-defaults.js';
import { checkDriverName, checkHostPath, checkNfs } from './volumes.js';

const SOURCES = [
  'hostPath',
  'gcePersistentDisk',
  'awsElasticBlockStore',
  'glusterfs',
  'flocker',
  'nfs',
  'rbd',
  'quobyte',
  'cephfs',
  'iscsi',
  'cinder',
  'fc',
  'flexVolume',
  'azureFile',
  'vsphereVolume',
  'photonPersistentDisk',
  'portworxVolume',
  'azureDisk',
  'scaleIO',
  'local',
  'storageos',
  'csi',
];

function checkSecretRef(out: Errors, path: string, value: unknown): void {
  const ref = record(value);
  if (!ref) return;
  for (const key of ['name', 'namespace']) if (text(ref[key]) === '') out.push(required(`${path}.${key}`));
}

function checkPersistentCsi(out: Errors, path: string, csi: JsonObject): void {
  checkDriverName(out, `${path}.driver`, text(csi['driver']));
  if (text(csi['volumeHandle']) === '') out.push(required(`${path}.volumeHandle`));
  for (const key of [
    'controllerPublishSecretRef',
    'controllerExpandSecretRef',
    'nodePublishSecretRef',
    'nodeExpandSecretRef',
  ]) {
    checkSecretRef(out, `${path}.${key}`, csi[key]);
  }
}

function checkSources(out: Errors, path: string, spec: Readonly<JsonObject>): void {
  let count = 0;
  for (const name of SOURCES) {
    const source = record(spec[name]);
    if (!source) continue;
    const at = `${path}.${name}`;
    if (count++ > 0) out.push(forbidden(at, 'may not specify more than 1 volume type'));
    else if (name === 'hostPath') checkHostPath(out, at, source);
    else if (name === 'nfs') checkNfs(out, at, source);
    else if (name === 'csi') checkPersistentCsi(out, at, source);
    else if (name === 'local') {
      if (text(source['path']) === '') out.push(required(`${at}.path`));
      if (!record(fields(spec['nodeAffinity'])['required']))
        out.push(required(`${path}.nodeAffinity`, 'Local volume requires node affinity'));
    }
  }
  if (count === 0) out.push(required(path, 'must specify a volume type'));
}

function checkCapacity(out: Errors, path: string, spec: Readonly<JsonObject>): void {
  const capacity = fields(spec['capacity']);
  const names = Object.keys(capacity);
  if (names.length === 0) out.push(required(path));
  if (capacity['storage'] === undefined || names.length > 1)
    out.push(notSupported(path, record(spec['capacity']) ?? null, ['storage']));
  for (const name of names) {
    const amount = capacity[name];
    // What the server looks at has 64 bits, whatever the amount.
    const seen = BigInt.asIntN(64, nanosOf(amount) / 1_000_000_000n);
    if (seen < 0n) out.push(invalid(atKey(path, name), seen, 'must be a valid resource quantity'));
    if (nanosOf(amount) <= 0n) out.push(invalid(atKey(path, name), amount, 'must be greater than zero'));
  }
}

/** The spec of a volume. */
function checkVolumeSpec(out: Errors, path: string, spec: Readonly<JsonObject>): void {
  checkAccessModes(out, `${path}.accessModes`, texts(spec['accessModes']), '');
  checkCapacity(out, `${path}.capacity`, spec);
  if (text(spec['persistentVolumeReclaimPolicy']) !== '') {
    checkEnum(out, `${path}.persistentVolumeReclaimPolicy`, spec['persistentVolumeReclaimPolicy'], [
      'Delete',
      'Recycle',
      'Retain',
    ]);
  }
  const affinity = record(spec['nodeAffinity']);
  if (affinity) {
    const needed = record(affinity['required']);
    if (needed) checkNodeSelector(out, `${path}.nodeAffinity.required`, needed);
    else out.push(required(`${path}.nodeAffinity.required`, 'must specify required node constraints'));
  }
  checkSources(out, path, spec);
  if (text(fields(spec['hostPath'])['path']) === '/' && spec['persistentVolumeReclaimPolicy'] === 'Recycle') {
    out.push(forbidden(`${path}.persistentVolumeReclaimPolicy`, "may not be 'recycle' for a hostPath mount of '/'"));
  }
  if (text(spec['storageClassName']) !== '')
    checkSubdomain(out, `${path}.storageClassName`, text(spec['storageClassName']));
  checkVolumeMode(out, `${path}.volumeMode`, spec['volumeMode']);
}

function validateVolume(volume: KubeObject): FieldError[] {
  const out: Errors = [];
  checkVolumeSpec(out, 'spec', fields(volume['spec']));
  return out;
}

function sourceOf(spec: Readonly<JsonObject>): JsonObject {
  return Object.fromEntries(SOURCES.filter((name) => record(spec[name])).map((name) => [name, spec[name]]));
}

function validateVolumeUpdate(volume: KubeObject, old: KubeObject, context: StrategyContext): FieldError[] {
  // The real server looks at the whole volume twice, and counts two causes.
  const complaints = [...metadataAgain(context).asNew, ...validateVolume(volume)];
  const out = [...complaints, ...complaints];
  const spec = fields(volume['spec']);
  const before = fields(old['spec']);
  const source = sourceOf(spec);
  const csi = record(source['csi']);
  if (csi && record(before['csi']) && !record(fields(before['csi'])['controllerExpandSecretRef'])) {
    source['csi'] = { ...csi, controllerExpandSecretRef: undefined };
  }
  if (!equalJson(source, sourceOf(before))) {
    const [a, b] = [sourceOf(before), source].map((each) => internalView('PersistentVolumeSource', each));
    const diff = diffJson(a, b);
    out.push(
      forbidden('spec.persistentvolumesource', `spec.persistentvolumesource is immutable after creation\n${diff}`),
    );
  }
  checkImmutableEnum(out, 'volumeMode', spec['volumeMode'], before['volumeMode']);
  if (record(before['nodeAffinity']) && !equalJson(spec['nodeAffinity'], before['nodeAffinity'])) {
    out.push(
      invalid(
        'nodeAffinity',
        spec['nodeAffinity'] ?? null,
        'field is immutable, except for updating from beta label to GA',
      ),
    );
  }
  if (before['volumeAttributesClassName'] !== undefined && spec['volumeAttributesClassName'] === undefined) {
    out.push(forbidden('spec.volumeAttributesClassName', 'update from non-nil value to nil is forbidden'));
  }
  return out;
}

/** The registry may not write these without the version they were read at. */
export function needsVersion(obj: KubeObject): FieldError[] {
  return obj.metadata.resourceVersion ? [] : [required('resourceVersion')];
}

/** Strategy of persistent volumes. */
export const persistentVolumeStrategy: ResourceStrategy = {
  ...BASE,
  returnsDeletedObject: true,
  applyDefaults: (volume) => {
    const spec = ensure(volume, 'spec');
    defaultText(spec, 'persistentVolumeReclaimPolicy', 'Retain');
    defaultTo(spec, 'volumeMode', 'Filesystem');
    defaultResourceList(spec['capacity']);
    defaultVolumeSource(spec);
    defaultText(ensure(volume, 'status'), 'phase', 'Pending');
  },
  prepareForCreate: (volume, ctx) => {
    volume['status'] = { phase: 'Pending', lastPhaseTransitionTime: ctx.now };
  },
  validate: validateVolume,
  prepareForUpdate: (volume, old) => keepField(volume, old, 'status'),
  validateUpdate: validateVolumeUpdate,
  subresources: {
    status: {
      prepareForUpdate: (volume, old, ctx) => {
        keepField(volume, old, 'spec');
        const status = ensure(volume, 'status');
        const before = fields(old['status']);
        const moved = text(status['phase']) !== text(before['phase']);
        const time = status['lastPhaseTransitionTime'] ?? undefined;
        if (!moved && time === undefined) assign(status, 'lastPhaseTransitionTime', before['lastPhaseTransitionTime']);
        else if (moved && (time === undefined || time === before['lastPhaseTransitionTime']))
          status['lastPhaseTransitionTime'] = ctx.now;
      },
      validateUpdate: needsVersion,
    },
  },
};
