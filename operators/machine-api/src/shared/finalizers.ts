/** Finalizers of machine controllers: they hold an object until the instance behind it is gone. */
import type { KubeObject } from '@capstan/meta';
import {
  CLUSTER_API_FINALIZER,
  CLUSTER_API_SET_FINALIZER,
  CONTROL_PLANE_FINALIZER,
  MACHINE_API_FINALIZER,
  SYNC_FINALIZER,
} from '../names.js';

const INFRASTRUCTURE = 'infrastructure.cluster.x-k8s.io';
/** Those that are not named after their kind. */
const ODD: Readonly<Record<string, string>> = { NutanixMachine: `${INFRASTRUCTURE}/nutanixmachine` };
/** Those that providers add besides. */
const FURTHER: readonly string[] = [`openstackmachine.${INFRASTRUCTURE}/ip-claim`];

/** The finalizer of the provider of an infrastructure machine. */
export function providerFinalizer(kind: string): string {
  return ODD[kind] ?? `${kind.toLowerCase()}.${INFRASTRUCTURE}`;
}

/** Whether a finalizer is of a controller of Cluster API or of one of its providers. */
export function isOfClusterApi(finalizer: string): boolean {
  return (
    finalizer === CLUSTER_API_FINALIZER ||
    finalizer === CLUSTER_API_SET_FINALIZER ||
    FURTHER.includes(finalizer) ||
    Object.values(ODD).includes(finalizer) ||
    (finalizer.endsWith(`machine.${INFRASTRUCTURE}`) && !finalizer.includes('/'))
  );
}

/**
 * Whether a finalizer is one that can be taken from a paused object: the core controllers of Cluster API add theirs before
 * they look whether it is paused, and would add them again and again.
 */
export function isOfProvider(finalizer: string): boolean {
  return isOfClusterApi(finalizer) && finalizer !== CLUSTER_API_FINALIZER && finalizer !== CLUSTER_API_SET_FINALIZER;
}

/** Whether a finalizer is of a machine controller of either API. */
export function isOfController(finalizer: string): boolean {
  return finalizer === MACHINE_API_FINALIZER || finalizer === CONTROL_PLANE_FINALIZER || isOfClusterApi(finalizer);
}

/** Whether any finalizer of the object is one. */
export function hasAny(object: KubeObject | undefined, isOne: (finalizer: string) => boolean): boolean {
  return object?.metadata.finalizers?.some(isOne) === true;
}

/** The object without some of its finalizers; the very same when it has none of them. */
export function withoutFinalizers<T extends KubeObject>(object: T, isOne: (finalizer: string) => boolean): T {
  if (!hasAny(object, isOne)) return object;
  const finalizers = object.metadata.finalizers?.filter((each) => !isOne(each)) ?? [];
  return { ...object, metadata: { ...object.metadata, finalizers } };
}

/** Ours, and those of the controllers: nothing is left to hold a copy that is given up. */
export const isReleasable = (finalizer: string): boolean => finalizer === SYNC_FINALIZER || isOfController(finalizer);
