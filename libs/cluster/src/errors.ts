/** Why something in the cluster could not be done, for callers to distinguish. */
export type ClusterErrorCode =
  | 'ADDRESS_IN_USE'
  | 'CONNECTION_REFUSED'
  | 'NAMESPACE_NOT_EMPTY'
  | 'NAMESPACE_RECREATED'
  | 'NO_ROUTE'
  | 'NO_SUCH_COMMAND'
  | 'NO_SUCH_FILE'
  | 'NO_SUCH_HOST'
  | 'OUT_OF_ADDRESSES'
  | 'READ_ONLY'
  | 'TIMEOUT';

/** A failure of a controller, or in a pod's environment: its network and its files. */
export class ClusterError extends Error {
  readonly code: ClusterErrorCode;

  constructor(code: ClusterErrorCode, message: string) {
    super(message);
    this.name = 'ClusterError';
    this.code = code;
  }
}
