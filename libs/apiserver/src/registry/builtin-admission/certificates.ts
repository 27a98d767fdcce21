/** CertificateApproval, CertificateSigning and CertificateSubjectRestriction: who decides about certificate requests. */
import { goQuote } from '@capstan/meta';
import type { KubeObject, UserInfo } from '@capstan/meta';
import { requestedCertificate } from '../../builtin/certificates/requested-certificate.js';
import { equalJson, fields, text } from '../../builtin/shared/json.js';
import type { Authorizer } from '../../auth/access.js';

/** Where certificate requests are stored. */
export const SIGNING_REQUESTS = 'certificates.k8s.io/certificatesigningrequests';
const CLIENT_SIGNER = 'kubernetes.io/kube-apiserver-client';
const MASTERS = 'system:masters';

/** The user of a request and what decides what it may do. */
export interface SignerAccess {
  readonly user: UserInfo;
  readonly authorize: Authorizer;
}

/** Whether a user may do something for a signer: by its name, or by that of every signer of its domain. */
function isAuthorizedForSigner({ authorize, user }: SignerAccess, verb: string, signer: string): boolean {
  const [domain = ''] = signer.split('/');
  return [signer, `${domain}/*`].some(
    (name) =>
      authorize(user, {
        isResource: true,
        verb,
        group: 'certificates.k8s.io',
        version: '*',
        resource: 'signers',
        subresource: '',
        namespace: '',
        name,
        path: '',
      }).allowed,
  );
}

function signerOf(request: KubeObject): string {
  return text(fields(request['spec'])['signerName']);
}

/** Why a user may not update a subresource of a request. The signer is the stored one: the update may name another. */
export function signerFault(
  access: SignerAccess,
  subresource: string,
  request: KubeObject,
  old: KubeObject,
): string | undefined {
  const verb = verbOf(subresource, request, old);
  const signer = signerOf(old);
  if (verb === undefined || isAuthorizedForSigner(access, verb, signer)) return undefined;
  return `user not permitted to ${verb} requests with signerName ${goQuote(signer)}`;
}

function verbOf(subresource: string, request: KubeObject, old: KubeObject): 'approve' | 'sign' | undefined {
  if (subresource === 'approval') return 'approve';
  if (subresource !== 'status') return undefined;
  const [now, before] = [fields(request['status']), fields(old['status'])];
  const isSame =
    text(now['certificate']) === text(before['certificate']) &&
    equalJson(now['conditions'] ?? [], before['conditions'] ?? []);
  return isSame ? undefined : 'sign';
}

/** Why nobody may create a request: it asks for a client that may do everything. */
export function subjectFault(request: KubeObject): string | undefined {
  if (signerOf(request) !== CLIENT_SIGNER) return undefined;
  const requested = requestedCertificate(text(fields(request['spec'])['request']));
  if ('fault' in requested) return `failed to parse CSR: ${requested.fault}`;
  return requested.organizations.includes(MASTERS)
    ? `use of ${CLIENT_SIGNER} signer with ${MASTERS} group is not allowed`
    : undefined;
}
