import { compareBytes, compareQuantity, parseQuantity } from '@capstan/meta';
import type { KubeObject } from '@capstan/meta';
import { isFinished } from '../workload/pods.js';
import type { Pod } from '../workload/resources.js';

export interface ObjectReference {
  kind?: string;
  apiVersion?: string;
  namespace?: string;
  name?: string;
  uid?: string;
}

export interface VolumeClaim extends KubeObject {
  spec?: {
    accessModes?: string[];
    resources?: { requests?: Record<string, string> };
    storageClassName?: string;
    volumeMode?: string;
    volumeName?: string;
    [field: string]: unknown;
  };
  status?: { phase?: string; accessModes?: string[]; capacity?: Record<string, string>; [field: string]: unknown };
}

export interface Volume extends KubeObject {
  spec?: {
    accessModes?: string[];
    capacity?: Record<string, string>;
    claimRef?: ObjectReference;
    persistentVolumeReclaimPolicy?: string;
    storageClassName?: string;
    volumeMode?: string;
    [field: string]: unknown;
  };
  status?: { phase?: string; [field: string]: unknown };
}

export interface StorageClass extends KubeObject {
  provisioner?: string;
  reclaimPolicy?: string;
  volumeBindingMode?: string;
}

export const CLAIM_PROTECTION = 'kubernetes.io/pvc-protection';
export const VOLUME_PROTECTION = 'kubernetes.io/pv-protection';
const NO_PROVISIONER = 'kubernetes.io/no-provisioner';

function storage(amounts: Record<string, string> | undefined): string {
  return amounts?.['storage'] ?? '0';
}

function isLarger(a: string, b: string): number {
  return compareQuantity(parseQuantity(a), parseQuantity(b));
}

/** Whether a volume is reserved for a claim, by name and, if set, by UID. */
export function isFor(volume: Volume, { metadata }: VolumeClaim): boolean {
  const { name, namespace, uid } = volume.spec?.claimRef ?? {};
  return name === metadata.name && namespace === metadata.namespace && (uid === undefined || uid === metadata.uid);
}

/** What must be the same on both sides. */
function kindOf(spec: Volume['spec'] | VolumeClaim['spec']): string {
  return `${spec?.storageClassName ?? ''}/${spec?.volumeMode ?? 'Filesystem'}`;
}

function fits({ spec }: Volume, claim: VolumeClaim): boolean {
  const modes = claim.spec?.accessModes ?? [];
  if (kindOf(spec) !== kindOf(claim.spec) || !modes.every((mode) => spec?.accessModes?.includes(mode) === true))
    return false;
  return isLarger(storage(spec?.capacity), storage(claim.spec?.resources?.requests)) >= 0;
}

/** What becomes of a claim that has no volume. */
export type ClaimDecision =
  | { readonly bind: Volume }
  | { readonly provision: StorageClass | undefined }
  | { readonly wait: string };

export interface ClaimInput {
  readonly claim: VolumeClaim;
  readonly volumes: readonly Volume[];
  readonly classOf: (name: string) => StorageClass | undefined;
  /** Whether a pod wants it. */
  readonly isUsed: boolean;
}

/** The volume a claim asks for, the smallest that will do, or a new one. */
export function decideClaim(input: ClaimInput): ClaimDecision {
  const { claim, volumes } = input;
  const { storageClassName, volumeName = '' } = claim.spec ?? {};
  if (volumeName !== '') {
    const named = volumes.find(({ metadata }) => metadata.name === volumeName);
    const isFree = named !== undefined && (named.spec?.claimRef === undefined || isFor(named, claim));
    return isFree ? { bind: named } : { wait: `volume ${JSON.stringify(volumeName)} is not there for it` };
  }
  const promised = volumes.find((volume) => isFor(volume, claim));
  if (promised !== undefined) return { bind: promised };
  return choose(input, input.classOf(storageClassName ?? ''));
}

function choose({ claim, isUsed, volumes }: ClaimInput, storageClass: StorageClass | undefined): ClaimDecision {
  if (storageClass?.volumeBindingMode === 'WaitForFirstConsumer' && !isUsed)
    return { wait: 'waiting for first consumer to be created before binding' };
  const [smallest] = volumes
    .filter((volume) => volume.spec?.claimRef === undefined && volume.metadata.deletionTimestamp == null)
    .filter((volume) => fits(volume, claim))
    .sort(bySize);
  if (smallest !== undefined) return { bind: smallest };
  // With an empty class it takes any volume without one.
  if (claim.spec?.storageClassName === undefined) return { provision: undefined };
  if (storageClass === undefined || storageClass.provisioner === NO_PROVISIONER)
    return { wait: 'no persistent volumes available for this claim and no storage class is set' };
  return { provision: storageClass };
}

function bySize(a: Volume, b: Volume): number {
  const size = isLarger(storage(a.spec?.capacity), storage(b.spec?.capacity));
  return size || compareBytes(a.metadata.name ?? '', b.metadata.name ?? '');
}

/** A reference to a claim as volumes have it. */
export function referenceTo({ metadata }: VolumeClaim): ObjectReference {
  const { name = '', namespace = '', uid = '' } = metadata;
  return { kind: 'PersistentVolumeClaim', apiVersion: 'v1', namespace, name, uid };
}

/** A new volume made for a claim. There is no disk behind it: a folder that nobody looks into. */
export function makeVolume(claim: VolumeClaim, storageClass: StorageClass | undefined): Volume {
  const { accessModes = [], resources, storageClassName = '', volumeMode = 'Filesystem' } = claim.spec ?? {};
  const name = `pvc-${claim.metadata.uid ?? ''}`;
  return {
    apiVersion: 'v1',
    kind: 'PersistentVolume',
    metadata: {
      name,
      annotations: { 'pv.kubernetes.io/provisioned-by': storageClass?.provisioner ?? 'capstan.dev/memory' },
    },
    spec: {
      accessModes,
      capacity: { storage: storage(resources?.requests) },
      claimRef: referenceTo(claim),
      persistentVolumeReclaimPolicy: storageClass?.reclaimPolicy ?? 'Delete',
      storageClassName,
      volumeMode,
      hostPath: { path: `/var/lib/volumes/${name}` },
    },
  };
}

/** Whether a pod that is not over has the claim among its volumes. */
export function uses(pod: Pod, claim: VolumeClaim): boolean {
  if (pod.metadata.namespace !== claim.metadata.namespace || isFinished(pod)) return false;
  const volumes = (pod.spec?.['volumes'] ?? []) as { persistentVolumeClaim?: { claimName?: string } }[];
  return volumes.some(({ persistentVolumeClaim }) => persistentVolumeClaim?.claimName === claim.metadata.name);
}

/** What a volume is after a look at its claim. */
export function decidePhase(
  volume: Volume,
  claim: VolumeClaim | undefined,
): 'Available' | 'Bound' | 'Released' | 'Delete' {
  const { claimRef, persistentVolumeReclaimPolicy } = volume.spec ?? {};
  if (claimRef?.uid === undefined) return 'Available';
  if (claim !== undefined && isFor(volume, claim)) return 'Bound';
  return persistentVolumeReclaimPolicy === 'Delete' ? 'Delete' : 'Released';
}
