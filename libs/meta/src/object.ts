/** The shapes every Kubernetes object shares. Values are plain JSON; integers beyond 2^53 are `bigint`. */

import type { ObjectMeta } from '@capstan/api/model';

export type { ManagedFieldsEntry, ObjectMeta, OwnerReference } from '@capstan/api/model';

export interface KubeObject {
  apiVersion: string;
  kind: string;
  metadata: ObjectMeta;
  [field: string]: unknown;
}

/** Any JSON object whose keys are not known beforehand. */
export type JsonObject = Record<string, unknown>;
