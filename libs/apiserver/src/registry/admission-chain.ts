import type { KubeObject, UserInfo } from '@capstan/meta';
import type { Flow } from './effects.js';
import type { ServedResource } from './served-resource.js';

export type AdmissionOperation = 'CREATE' | 'UPDATE' | 'DELETE' | 'CONNECT';

/** A write on its way to the store, as admission sees it: objects are in the version the client speaks. */
export interface AdmissionAttributes {
  readonly operation: AdmissionOperation;
  readonly served: ServedResource;
  readonly subresource: string;
  /** Empty for cluster-scoped resources. */
  readonly namespace: string;
  /** Empty as long as it is to be generated. */
  readonly name: string;
  /** Absent for DELETE. */
  readonly object: KubeObject | undefined;
  /** Absent for CREATE. */
  readonly oldObject: KubeObject | undefined;
  readonly user: UserInfo;
  readonly dryRun: boolean;
  /** The options of the request, with kind and apiVersion. */
  readonly options: unknown;
  /** Texts for Warning headers, in order. */
  readonly warnings: string[];
  /** Annotates the audit event of the request. */
  readonly annotate: (key: string, value: string) => void;
}

/** What stands between a request and the store besides the kind's own rules. Throws an ApiError to refuse. */
export interface AdmissionChain {
  /** Gives the object as the mutating part of the chain wants it: the same one when nothing changed. */
  mutate(attributes: AdmissionAttributes): Flow<KubeObject | undefined>;
  /** Sees the object as it would be stored. */
  validate(attributes: AdmissionAttributes): Flow<void>;
}

/** Admission of one request: what the chain needs to know of it is bound already. */
export interface RequestAdmission {
  mutate(operation: AdmissionOperation, object: KubeObject, old: KubeObject | undefined): Flow<KubeObject>;
  validate(operation: AdmissionOperation, object: KubeObject | undefined, old: KubeObject | undefined): Flow<void>;
}
