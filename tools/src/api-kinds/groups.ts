import { kinds as apiextensions } from '@capstan/api/apiextensions';
import { kinds as clusterApi } from '@capstan/api/cluster-api';
import { kinds as config } from '@capstan/api/config';
import { kinds as machine } from '@capstan/api/machine';
import type { Kind } from '@capstan/api/model';
import { kinds as operator } from '@capstan/api/operator';

/** A folder of definitions under `api/src` with its kinds. */
export interface ApiGroup {
  readonly folder: string;
  readonly kinds: readonly Kind[];
}

/** Every folder of definitions. */
export const apiGroups: readonly ApiGroup[] = [
  { folder: 'apiextensions', kinds: apiextensions },
  { folder: 'cluster-api', kinds: clusterApi },
  { folder: 'config', kinds: config },
  { folder: 'machine', kinds: machine },
  { folder: 'operator', kinds: operator },
];
