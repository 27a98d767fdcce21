import type { KubeObject } from '@capstan/meta';
import { CLUSTER_ANNOTATION, NODE_POOL_ANNOTATION } from '../annotations/shared.js';

type Annotated = Pick<KubeObject, 'metadata'>;

/** Namespace and name of an object. */
export interface ObjectName {
  readonly namespace: string;
  readonly name: string;
}

/** `namespace/name` of the HostedCluster that an object was created for. */
export function clusterKeyOf({ metadata }: Annotated): string | undefined {
  return metadata.annotations?.[CLUSTER_ANNOTATION];
}

/** The HostedCluster that an object was created for. */
export function clusterOf(object: Annotated): ObjectName | undefined {
  return parseKey(clusterKeyOf(object));
}

/** The NodePool that an object was created for. */
export function nodePoolOf({ metadata }: Annotated): ObjectName | undefined {
  return parseKey(metadata.annotations?.[NODE_POOL_ANNOTATION]);
}

function parseKey(key: string | undefined): ObjectName | undefined {
  const [namespace, name] = key?.split('/') ?? [];
  return namespace === undefined || name === undefined || name === '' ? undefined : { namespace, name };
}
