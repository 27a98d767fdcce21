import type { CompatibilityRequirement } from '@capstan/api/apiextensions';
import type { ClusterOperator } from '@capstan/api/config';
import type { ClusterAPI } from '@capstan/api/operator';
import type { KubeObject } from '@capstan/meta';
import type { Mode } from './gates.js';
import type { Releases } from './transport/releases.js';

/** Everything a reconcile decides by, read before anything is written. */
export interface Facts {
  readonly mode: Mode;
  readonly clusterApi: ClusterAPI | undefined;
  readonly releases: Releases;
  /** Definitions of the cluster by name; of those that are not ours, metadata only. */
  readonly installed: ReadonlyMap<string, KubeObject>;
  /** Requirements of this operator by name. */
  readonly requirements: ReadonlyMap<string, CompatibilityRequirement>;
  /** Names of requirements that are somebody else's. */
  readonly foreignRequirements: ReadonlySet<string>;
  readonly clusterOperator: ClusterOperator | undefined;
}
