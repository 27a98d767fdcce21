import { matchesObject } from '@capstan/kube';
import type { Client, Manager, Result } from '@capstan/kube';
import { ignoreNotFound, isConflict, isNotFound, readCertificateRequest } from '@capstan/meta';
import type { CertificateRequest, KubeObject } from '@capstan/meta';
import { hasCondition, requestPemOf, SIGNING_REQUESTS, withCondition } from '@capstan/upstream';
import type { SigningRequest } from '@capstan/upstream';
import { isNodeClientRequest } from './signer-rules.js';

const ACCESS_REVIEWS = {
  group: 'authorization.k8s.io',
  version: 'v1',
  plural: 'subjectaccessreviews',
  namespaced: false,
} as const;
const CONFLICT_MS = 2_000;

/** A kind of request that is approved when its user may ask for such. */
interface Recognizer {
  /** Of `certificatesigningrequests`; who may create it is approved. */
  readonly subresource: 'nodeclient' | 'selfnodeclient';
  readonly message: string;
}

const SELF: Recognizer = {
  subresource: 'selfnodeclient',
  message: 'Auto approving self kubelet client certificate after SubjectAccessReview.',
};
const ANY: Recognizer = {
  subresource: 'nodeclient',
  message: 'Auto approving kubelet client certificate after SubjectAccessReview.',
};

interface AccessReview extends KubeObject {
  readonly status?: { readonly allowed: boolean };
}

/** As what a request may be approved, in the order in which its user is asked about; empty: it is another's business. */
export function recognizersOf(request: SigningRequest): readonly Recognizer[] {
  if (!awaitsApproval(request)) return [];
  const asked = readable(request);
  if (asked === undefined || !isNodeClientRequest(request, asked)) return [];
  return request.spec.username === asked.commonName ? [SELF, ANY] : [ANY];
}

function awaitsApproval(request: SigningRequest): boolean {
  const isDecided = hasCondition(request, 'Approved') || hasCondition(request, 'Denied');
  return !isDecided && (request.status?.certificate ?? '') === '';
}

function readable(request: SigningRequest): CertificateRequest | undefined {
  try {
    return readCertificateRequest(requestPemOf(request));
  } catch {
    return undefined;
  }
}

/** Adds `csrapproving`: approves requests of nodes for client certificates whose user may have such. */
export function addCsrApproving(manager: Manager): void {
  const controller = manager.controller({
    name: 'csrapproving',
    reconcile: async ({ name }, { signal }): Promise<Result | undefined> => {
      const request = await manager.cache.get<SigningRequest>(SIGNING_REQUESTS, name).catch(ignoreNotFound);
      if (request === undefined) return undefined;
      for (const { message, subresource } of recognizersOf(request)) {
        if (!(await isAllowed(manager.client, request, subresource, signal))) continue;
        const approved = withCondition(request, manager.clock, { type: 'Approved', reason: 'AutoApproved', message });
        try {
          await manager.client.update(SIGNING_REQUESTS, approved, { subresource: 'approval', signal });
        } catch (error) {
          if (isConflict(error)) return { requeueAfterMs: CONFLICT_MS };
          if (!isNotFound(error)) throw error;
        }
        return undefined;
      }
      return undefined;
    },
  });
  controller.for<SigningRequest>(SIGNING_REQUESTS, { predicates: [matchesObject(awaitsApproval)] });
}

async function isAllowed(
  client: Client,
  { spec }: SigningRequest,
  subresource: Recognizer['subresource'],
  signal: AbortSignal,
): Promise<boolean> {
  const { extra, groups, uid, username } = spec;
  const review: AccessReview = {
    apiVersion: 'authorization.k8s.io/v1',
    kind: 'SubjectAccessReview',
    metadata: {},
    spec: {
      user: username,
      groups,
      uid,
      extra,
      resourceAttributes: {
        group: SIGNING_REQUESTS.group,
        version: '*',
        resource: SIGNING_REQUESTS.plural,
        subresource,
        verb: 'create',
      },
    },
  };
  const { status } = await client.create<AccessReview>(ACCESS_REVIEWS, review, { signal });
  return status?.allowed === true;
}
