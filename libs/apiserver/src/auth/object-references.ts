import type { JsonObject, KubeObject } from '@capstan/meta';
import { fields, record, records, text } from '../builtin/shared/json.js';

/** Marks pods that stand for static pods of a node. */
export const MIRROR_POD = 'kubernetes.io/config.mirror';

/** An object of a namespace. */
export interface NamespacedName {
  readonly namespace: string;
  readonly name: string;
}

/** Where the Secrets of the volume sources of a pod are named: sources by the field that names them. */
const SECRET_REF: Readonly<Record<string, string>> = {
  cephfs: 'secretRef',
  cinder: 'secretRef',
  flexVolume: 'secretRef',
  rbd: 'secretRef',
  scaleIO: 'secretRef',
  iscsi: 'secretRef',
  storageos: 'secretRef',
  csi: 'nodePublishSecretRef',
};
/** Those of persistent volumes that the kubelet reads; in the namespace of the claim where they name none. */
const VOLUME_SECRET_REFS: Readonly<Record<string, readonly string[]>> = {
  cephfs: ['secretRef'],
  cinder: ['secretRef'],
  flexVolume: ['secretRef'],
  rbd: ['secretRef'],
  scaleIO: ['secretRef'],
  iscsi: ['secretRef'],
  storageos: ['secretRef'],
  csi: ['nodePublishSecretRef', 'nodeStageSecretRef', 'nodeExpandSecretRef'],
};
/** Persistent volumes whose references always name their namespace. */
const WITHOUT_CLAIM_NAMESPACE = new Set(['cinder', 'storageos', 'csi']);

function isNamed(name: string): boolean {
  return name !== '';
}

function containersOf(spec: Readonly<JsonObject>): JsonObject[] {
  return ['initContainers', 'containers', 'ephemeralContainers'].flatMap((key) => [...records(spec[key])]);
}

/** What the environments of the containers name, by the fields of `envFrom` and of a variable. */
function inEnvironment(spec: Readonly<JsonObject>, from: string, key: string): string[] {
  return containersOf(spec).flatMap((container) => [
    ...records(container['envFrom']).map((each) => text(fields(each[from])['name'])),
    ...records(container['env']).map((each) => text(fields(fields(each['valueFrom'])[key])['name'])),
  ]);
}

function inProjections(volume: JsonObject, kind: 'secret' | 'configMap'): string[] {
  return records(fields(volume['projected'])['sources']).map((source) => text(fields(source[kind])['name']));
}

function secretsOfVolume(volume: JsonObject): string[] {
  const names = [
    text(fields(volume['azureFile'])['secretName']),
    text(fields(volume['secret'])['secretName']),
    ...inProjections(volume, 'secret'),
  ];
  for (const source of Object.keys(SECRET_REF))
    names.push(text(fields(fields(volume[source])[SECRET_REF[source] ?? ''])['name']));
  return names;
}

/** The Secrets that a pod names, of its own namespace. */
export function secretsOfPod(pod: KubeObject): string[] {
  const spec = fields(pod['spec']);
  return [
    ...records(spec['imagePullSecrets']).map((secret) => text(secret['name'])),
    ...inEnvironment(spec, 'secretRef', 'secretKeyRef'),
    ...records(spec['volumes']).flatMap(secretsOfVolume),
  ].filter(isNamed);
}

/** The ConfigMaps that a pod names. */
export function configMapsOfPod(pod: KubeObject): string[] {
  const spec = fields(pod['spec']);
  const inVolumes = records(spec['volumes']).flatMap((volume) => [
    text(fields(volume['configMap'])['name']),
    ...inProjections(volume, 'configMap'),
  ]);
  return [...inEnvironment(spec, 'configMapRef', 'configMapKeyRef'), ...inVolumes].filter(isNamed);
}

/** The claim that a volume of a pod uses; empty where it uses none. An ephemeral one is named after pod and volume. */
export function claimOfVolume(pod: KubeObject, volume: JsonObject): string {
  const claim = record(volume['persistentVolumeClaim']);
  if (claim !== undefined) return text(claim['claimName']);
  return record(volume['ephemeral']) === undefined ? '' : `${pod.metadata.name ?? ''}-${text(volume['name'])}`;
}

/** The claims that a pod uses. */
export function claimsOfPod(pod: KubeObject): string[] {
  return records(fields(pod['spec'])['volumes'])
    .map((volume) => claimOfVolume(pod, volume))
    .filter(isNamed);
}

/** The claim a persistent volume is bound to; undefined where it is to none. */
export function claimOfPersistentVolume(volume: KubeObject): NamespacedName | undefined {
  const ref = record(fields(volume['spec'])['claimRef']);
  return ref && { namespace: text(ref['namespace']), name: text(ref['name']) };
}

/** The Secrets that a node needs to mount a persistent volume. */
export function secretsOfPersistentVolume(volume: KubeObject): NamespacedName[] {
  const spec = fields(volume['spec']);
  const claimNamespace = claimOfPersistentVolume(volume)?.namespace ?? '';
  const found: NamespacedName[] = [];
  const azure = fields(spec['azureFile']);
  found.push({ namespace: text(azure['secretNamespace']) || claimNamespace, name: text(azure['secretName']) });
  for (const [source, refs] of Object.entries(VOLUME_SECRET_REFS)) {
    const fallback = WITHOUT_CLAIM_NAMESPACE.has(source) ? '' : claimNamespace;
    for (const each of refs) {
      const ref = fields(fields(spec[source])[each]);
      found.push({ namespace: text(ref['namespace']) || fallback, name: text(ref['name']) });
    }
  }
  return found.filter(({ name }) => isNamed(name));
}
