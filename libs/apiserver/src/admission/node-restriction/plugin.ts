import { goQuote } from '@capstan/meta';
import type { KubeObject, UserInfo } from '@capstan/meta';
import { nodeNameOf } from '../../auth/node-identity.js';
import type { AdmissionAttributes, AdmissionPlugin } from '../../registry/admission-chain.js';
import type { Flow } from '../../registry/effects.js';
import type { Store } from '../../store/index.js';
import type { Authorizer } from '../../auth/access.js';
import { admitNode } from './nodes.js';
import { admitCsiNode, admitLease, admitSigningRequest } from './own-objects.js';
import { admitPod, admitPodEviction, admitPodStatus } from './pods.js';
import { refused, type NodeRequest } from './request.js';
import { admitToken } from './tokens.js';
import { admitClaimStatus } from './claims.js';

/** The admission plugin NodeRestriction: what a node may write of what the Node authorizer lets it write at all. */
export class NodeRestriction implements AdmissionPlugin {
  readonly isIdle = false;
  readonly names = { admit: 'NodeRestriction', validate: 'NodeRestriction' };
  readonly #store: Store;
  readonly #authorize: Authorizer;

  constructor(store: Store, authorize: Authorizer) {
    this.#store = store;
    this.#authorize = authorize;
  }

  concerns(user: UserInfo): boolean {
    return nodeNameOf(user) !== undefined;
  }

  // eslint-disable-next-line require-yield
  *mutate(attributes: AdmissionAttributes): Flow<KubeObject | undefined> {
    const { object, operation, user } = attributes;
    const node = nodeNameOf(user);
    if (node === undefined || operation === 'CONNECT') return object;
    if (node === '') throw refused(attributes, `could not determine node from user ${goQuote(user.username)}`);
    admit({ node, attributes, store: this.#store, authorize: this.#authorize });
    return object;
  }
}

/** By resource; the rest is not restricted any further. */
const CHECKS: Readonly<Record<string, (request: NodeRequest) => void>> = {
  '/pods': admitAnyPod,
  '/nodes': admitNode,
  '/persistentvolumeclaims': admitClaimStatus,
  '/serviceaccounts': admitToken,
  'coordination.k8s.io/leases': admitLease,
  'storage.k8s.io/csinodes': admitCsiNode,
  'certificates.k8s.io/certificatesigningrequests': admitSigningRequest,
};

function admit(request: NodeRequest): void {
  const { group, resource } = request.attributes.resource;
  CHECKS[`${group}/${resource}`]?.(request);
}

function admitAnyPod(request: NodeRequest): void {
  const { subresource } = request.attributes;
  switch (subresource) {
    case '':
      return admitPod(request);
    case 'status':
      return admitPodStatus(request);
    case 'eviction':
      return admitPodEviction(request);
    default: {
      const reason = `unexpected pod subresource ${goQuote(subresource)}, only 'status' and 'eviction' are allowed`;
      throw refused(request.attributes, reason);
    }
  }
}
