import { kinds as clusterApi } from '@capstan/api/cluster-api';
import type { Kind } from '@capstan/api/model';

/** A folder of definitions under `api/src` with its kinds. */
export interface ApiGroup {
  readonly folder: string;
  readonly kinds: readonly Kind[];
}

/** Every folder of definitions. */
export const apiGroups: readonly ApiGroup[] = [{ folder: 'cluster-api', kinds: clusterApi }];
