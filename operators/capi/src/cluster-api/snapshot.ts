import type { CompatibilityRequirement } from '@capstan/api/apiextensions';
import type { ClusterOperator } from '@capstan/api/config';
import type { ClusterAPI } from '@capstan/api/operator';
import type { KubeObject } from '@capstan/meta';
import type { Mode } from './gates.js';
import type { Releases } from '../transport/releases.js';

/** A CRD as the server answered when this process last wrote it. */
export interface Written {
  readonly uid?: string | undefined;
  readonly generation?: number | undefined;
}

/** Everything a reconcile decides by, read before anything is written. */
export interface Snapshot {
  readonly mode: Mode;
  readonly clusterApi: ClusterAPI | undefined;
  readonly releases: Releases;
  /** CRDs of the cluster by name; of those that are not ours, metadata only. */
  readonly installed: ReadonlyMap<string, KubeObject>;
  /**
   * What this process has written of them, by name. A server stores a CRD in its own form, so that what it has
   * cannot be compared with a manifest; but nobody changes it without a new generation.
   */
  readonly written: ReadonlyMap<string, Written>;
  /** Requirements of this operator by name. */
  readonly requirements: ReadonlyMap<string, CompatibilityRequirement>;
  /** Names of requirements of other owners. */
  readonly foreignRequirements: ReadonlySet<string>;
  readonly clusterOperator: ClusterOperator | undefined;
}
