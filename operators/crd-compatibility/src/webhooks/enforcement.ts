/** Whether the API server calls the checker for a kind of check. */
export type Enforcement =
  /** The requirement does not ask for this check. */
  | 'unasked'
  /** The API server was observed to call the checker. */
  | 'enforced'
  | 'pending'
  /** Switched off by --static-webhook=false. */
  | 'off';
