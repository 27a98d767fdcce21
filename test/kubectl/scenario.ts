import type { Session } from './session.js';

/** One story told with kubectl, true of any Kubernetes. */
export interface Scenario {
  readonly name: string;
  /** Also told by the older clients, which hear only the essence. */
  readonly smoke?: boolean;
  /** It asks as others than the client's own user, which a proxy with rights of its own does not allow. */
  readonly asOthers?: boolean;
  /** The first client minor that can tell it. */
  readonly since?: number;
  /**
   * What the embedded server lacks for it to be true, for clients from a minor on where only they need it. It is told
   * all the same and expected to go wrong there, so that this line cannot outlive the lack.
   */
  readonly lacking?: { readonly what: string; readonly since?: number };
  /** Why a kube-apiserver older than this minor is not asked. */
  readonly serverSince?: { readonly minor: number; readonly because: string };
  run(kubectl: Session): Promise<void>;
}
