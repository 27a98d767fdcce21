import { ApiServer, tokenAuthenticator } from '@capstan/apiserver';
import type { ApiServerOptions } from '@capstan/apiserver';
import { createCa, keptCa, kubeconfigJson } from '@capstan/kube';
import type { CertificateAuthority } from '@capstan/kube';
import type { ApiRequest, ApiResponse, Clock, KubeObject, Random, UserInfo } from '@capstan/meta';
import { NODE_BOOTSTRAPPER } from '@capstan/upstream';
import type { KnownServer } from './known-servers.js';
import { bootstrapUserData } from './user-data.js';

/** What makes a guest the same one to its clients. */
export interface GuestIdentity {
  readonly caCertPem: string;
  readonly caKeyPem: string;
  readonly adminToken: string;
  readonly bootstrapToken: string;
}

/** Where a guest is kept. */
export interface KeptGuest {
  /** Absent when it has not been kept before. */
  readonly identity?: GuestIdentity | undefined;
  /** Called with a new identity, or when the certificate of its CA was renewed. */
  save(identity: GuestIdentity): void;
  readonly durable: NonNullable<ApiServerOptions['durable']>;
}

export interface GuestOptions {
  /** Of the Cluster in the management cluster. */
  readonly namespace: string;
  readonly name: string;
  readonly clock: Clock;
  readonly random: Random;
  /** Where its API server is reached. */
  readonly url: string;
  /** CA of the certificate its URL is served with. */
  readonly servingCaPem?: string | undefined;
  /** What is kept of it between one run of this process and the next. */
  readonly kept?: KeptGuest | undefined;
  /** Draws the keys too: for simulations alone, since who knows the seed knows the keys. Default false. */
  readonly isSimulated?: boolean | undefined;
}

const ADMIN: UserInfo = { username: 'system:admin', groups: ['system:masters', 'system:authenticated'] };
/** Whom the controllers of a guest are. */
export const GUEST_CONTROLLERS: UserInfo = {
  username: 'system:kube-controller-manager',
  groups: ['system:masters', 'system:authenticated'],
};

/** Whom the certificate controllers of a cluster are: it may approve for kubelets as clients, and sign, and no more. */
export const CERTIFICATE_CONTROLLER: UserInfo = {
  username: 'system:serviceaccount:kube-system:certificate-controller',
  groups: ['system:serviceaccounts', 'system:serviceaccounts:kube-system', 'system:authenticated'],
};

/** A cluster that machines join: an API server with tokens and a CA of its own. */
export class GuestCluster implements KnownServer {
  readonly namespace: string;
  readonly name: string;
  readonly url: string;
  readonly server: ApiServer;
  /** Issues the certificates of its nodes. */
  readonly ca: CertificateAuthority;
  readonly adminToken: string;
  readonly bootstrapToken: string;
  readonly #servingCaPem: string | undefined;

  constructor(options: GuestOptions) {
    const { clock, name, namespace, random, url } = options;
    this.namespace = namespace;
    this.name = name;
    this.url = url;
    this.#servingCaPem = options.servingCaPem;
    const { kept } = options;
    const identity = kept?.identity ?? newIdentity(options);
    this.ca = keptCa({ certPem: identity.caCertPem, keyPem: identity.caKeyPem }, clock.now());
    const { certPem: caCertPem } = this.ca;
    if (kept?.identity?.caCertPem !== caCertPem) kept?.save({ ...identity, caCertPem });
    this.adminToken = identity.adminToken;
    this.bootstrapToken = identity.bootstrapToken;
    this.server = new ApiServer({
      clock,
      random: random.split('server'),
      authorization: 'rbac',
      authenticate: tokenAuthenticator(
        new Map([
          [this.adminToken, ADMIN],
          [this.bootstrapToken, NODE_BOOTSTRAPPER],
        ]),
      ),
      ...(kept === undefined ? {} : { durable: kept.durable }),
    });
    for (const binding of nodeBindings()) this.#write(BINDINGS_PATH, binding);
  }

  /** The `handle` of its server. */
  handle(request: ApiRequest): ApiResponse | Promise<ApiResponse> {
    return this.server.handle(request);
  }

  clientCa(): string {
    return this.ca.certPem;
  }

  /** A kubeconfig of its administrator, or of the nodes that are to join. As JSON: virtual time waits for no library. */
  kubeconfig(of: 'admin' | 'bootstrap' = 'admin'): string {
    return kubeconfigJson({
      server: this.url,
      caPem: this.#servingCaPem,
      token: of === 'admin' ? this.adminToken : this.bootstrapToken,
      name: this.name,
      userName: of === 'admin' ? `${this.name}-admin` : 'kubelet',
    });
  }

  /** The Secret by which Cluster API finds the cluster. */
  kubeconfigSecret(): KubeObject {
    const labels = { 'cluster.x-k8s.io/cluster-name': this.name };
    return {
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { namespace: this.namespace, name: `${this.name}-kubeconfig`, labels },
      type: 'cluster.x-k8s.io/secret',
      data: { value: Buffer.from(this.kubeconfig()).toString('base64') },
    };
  }

  /** The user data that makes an instance join. */
  userData(): string {
    return bootstrapUserData(this.kubeconfig('bootstrap'));
  }

  #write(target: string, value: unknown): void {
    void this.server.handle({
      method: 'POST',
      target,
      headers: { 'content-type': 'application/json' },
      body: { type: 'value', value },
      user: ADMIN,
    });
  }
}

function newIdentity({ clock, isSimulated = false, name, namespace, random }: GuestOptions): GuestIdentity {
  const keys = isSimulated ? { keyFrom: random.split('ca'), random: random.split('serial') } : {};
  const ca = createCa({ commonName: `${namespace}-${name}-ca`, now: clock.now(), ...keys });
  return {
    caCertPem: ca.certPem,
    caKeyPem: ca.keyPem,
    adminToken: tokenFrom(random.split('admin')),
    bootstrapToken: tokenFrom(random.split('bootstrap')),
  };
}

/** A random token. */
export function tokenFrom(random: Random): string {
  return Buffer.from(random.bytes(24)).toString('base64url');
}

/** Lets nodes have their client certificates renewed. */
const SELF_NODE_CLIENT = 'system:certificates.k8s.io:certificatesigningrequests:selfnodeclient';
const BINDINGS_PATH = '/apis/rbac.authorization.k8s.io/v1/clusterrolebindings';

/** What lets nodes request their first certificate and renew it: ClusterRoleBindings. They grant nothing else. */
export function nodeBindings(): KubeObject[] {
  const apiGroup = 'rbac.authorization.k8s.io';
  const binding = (name: string, role: string, subject: object): KubeObject => ({
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: 'ClusterRoleBinding',
    metadata: { name },
    roleRef: { apiGroup, kind: 'ClusterRole', name: role },
    subjects: [subject],
  });
  const bootstrapper = { apiGroup, kind: 'User', name: NODE_BOOTSTRAPPER.username };
  return [
    binding('capstan:node-bootstrap', 'system:node-bootstrapper', bootstrapper),
    binding('capstan:node-renewal', SELF_NODE_CLIENT, { apiGroup, kind: 'Group', name: 'system:nodes' }),
  ];
}
