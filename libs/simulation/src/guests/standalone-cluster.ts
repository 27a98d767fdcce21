import { createCa, kubeconfigJson } from '@capstan/kube';
import type { CertificateAuthority } from '@capstan/kube';
import type { ApiRequest, ApiResponse, Clock, Random, UserInfo } from '@capstan/meta';
import { NODE_BOOTSTRAPPER } from '@capstan/upstream';
import { tokenFrom } from './guest-cluster.js';
import type { KnownServer } from './known-servers.js';
import { bootstrapUserData } from './user-data.js';

export interface StandaloneOptions {
  /** The API server of the cluster. */
  readonly server: Pick<KnownServer, 'handle'>;
  readonly clock: Clock;
  readonly random: Random;
  /** Where it is reached. */
  readonly url: string;
  /** CA of the certificate its URL is served with. */
  readonly servingCaPem?: string | undefined;
  /** Draws the keys too: for simulations alone. */
  readonly isSimulated?: boolean | undefined;
}

/**
 * The door by which instances join a cluster that is there already: its own nodes, as Machine API makes them. The
 * cluster needs {@link nodeBindings}, a signer with this CA, and an approver.
 */
export class StandaloneCluster implements KnownServer {
  readonly url: string;
  /** Issues the certificates of its nodes. */
  readonly ca: CertificateAuthority;
  /** A client without a certificate is a node that wants one, or anonymous. */
  readonly tokens: ReadonlyMap<string, UserInfo>;
  readonly #options: StandaloneOptions;
  readonly #token: string;

  constructor(options: StandaloneOptions) {
    const { clock, isSimulated = false, random, url } = options;
    this.#options = options;
    this.url = url;
    this.#token = tokenFrom(random.split('bootstrap'));
    this.tokens = new Map([[this.#token, NODE_BOOTSTRAPPER]]);
    const keys = isSimulated ? { keyFrom: random.split('ca'), random: random.split('serial') } : {};
    this.ca = createCa({ commonName: 'kube-csr-signer', now: clock.now(), ...keys });
  }

  handle(request: ApiRequest): ApiResponse | Promise<ApiResponse> {
    return this.#options.server.handle(request);
  }

  clientCa(): string {
    return this.ca.certPem;
  }

  /** The user data that makes an instance join. */
  userData(): string {
    const { servingCaPem: caPem, url: server } = this.#options;
    return bootstrapUserData(kubeconfigJson({ server, caPem, token: this.#token, userName: 'kubelet' }));
  }
}
