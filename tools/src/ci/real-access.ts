// Gives the declaration below something to add to.
import type {} from 'vitest';

/** What a test needs to reach the kube-apiserver of its project: `inject('realKube')`. */
export interface RealKubeAccess {
  /** As the server names itself, for example "v1.36.3". */
  readonly version: string;
  readonly url: string;
  /** Of a member of system:masters. */
  readonly token: string;
  /** PEM of the certificate to trust. */
  readonly ca: string;
  readonly kubeconfigPath: string;
  /** Of kubelets, and of the server towards them; absent if the server was not started here. */
  readonly kubeletCa?: { readonly certPem: string; readonly keyPem: string };
  readonly kubectlPath?: string;
  /** The address at which the server reaches webhooks of the test; absent on a machine with loopback alone. */
  readonly webhookHost?: string;
  /** Where the server sends requests for nodes and pods, in the shard whose server does. */
  readonly podProxySocket?: string;
  /** In the same shard: the audit log of the server. */
  readonly auditLog?: string;
}

declare module 'vitest' {
  interface ProvidedContext {
    realKube: RealKubeAccess;
  }
}
