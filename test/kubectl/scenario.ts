import type { Session } from './session.js';

/** A test with kubectl that passes on any Kubernetes. */
export interface Scenario {
  readonly name: string;
  /** Run by the older clients, too, which run only the smoke subset. */
  readonly smoke?: boolean;
  /** It asks as others than the client's own user, which a proxy with permissions of its own does not allow. */
  readonly asOthers?: boolean;
  /** The first client minor that can run it. */
  readonly since?: number;
  /**
   * What the embedded server lacks for it to pass, for clients from a minor on where only they need it. It is run all the
   * same and expected to fail there, so that this line cannot outlive the lack.
   */
  readonly lacking?: { readonly what: string; readonly since?: number };
  /** Why a kube-apiserver older than this minor is not asked. */
  readonly serverSince?: { readonly minor: number; readonly because: string };
  run(kubectl: Session): Promise<void>;
}
