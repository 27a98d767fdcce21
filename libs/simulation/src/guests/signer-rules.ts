import type { CertificateRequest } from '@capstan/meta';
import { API_CLIENT_SIGNER, CLIENT_SIGNER, SERVING_SIGNER } from '@capstan/upstream';
import type { SigningRequest } from '@capstan/upstream';

const NODE_GROUP = 'system:nodes';
const NODE_PREFIX = 'system:node:';
const MASTERS = 'system:masters';
const SIGNATURE = 'digital signature';
const ENCIPHERMENT = 'key encipherment';
const CLIENT_AUTH = 'client auth';
const SERVER_AUTH = 'server auth';

/** A request as a rule sees it. */
interface Asked {
  readonly spec: SigningRequest['spec'];
  readonly asked: CertificateRequest;
}

/** A reason to refuse; undefined: none. In the words of kube-controller-manager where it has the rule. */
type Rule = (given: Asked) => string | undefined;

const ofNodesAlone: Rule = ({ asked: { organizations } }) =>
  organizations.length === 1 && organizations[0] === NODE_GROUP
    ? undefined
    : 'subject organization is not system:nodes';

const namedAsNode: Rule = ({ asked: { commonName } }) =>
  commonName.startsWith(NODE_PREFIX) && commonName.length > NODE_PREFIX.length
    ? undefined
    : 'subject common name does not begin with system:node:';

const withHosts: Rule = ({ asked: { dnsNames, ipAddresses } }) =>
  dnsNames.length + ipAddresses.length > 0 ? undefined : 'DNS or IP subjectAltName is required';

const without =
  (kind: 'dnsNames' | 'emailAddresses' | 'ipAddresses' | 'uris', text: string): Rule =>
  ({ asked }) =>
    asked[kind].length === 0 ? undefined : `${text} subjectAltNames are not allowed`;

const withoutDns = without('dnsNames', 'DNS');
const withoutEmail = without('emailAddresses', 'Email');
const withoutIps = without('ipAddresses', 'IP');
const withoutUris = without('uris', 'URI');

/** Exactly these; keys that are not RSA encipher no keys. */
const usagesOfNode =
  (auth: string): Rule =>
  ({ spec: { usages = [] } }) => {
    const given = new Set(usages);
    const left = [...given].filter((usage) => usage !== ENCIPHERMENT).sort();
    const isExact = left.join() === [SIGNATURE, auth].sort().join();
    return isExact ? undefined : `usages did not match [${[auth, SIGNATURE, ENCIPHERMENT].sort().join(' ')}]`;
  };

const usagesOfClient: Rule = ({ spec: { usages = [] } }) => {
  const strange = usages.find((usage) => ![SIGNATURE, ENCIPHERMENT, CLIENT_AUTH].includes(usage));
  if (strange !== undefined) return `invalid usage for client certificate: ${strange}`;
  return usages.includes(CLIENT_AUTH) ? undefined : `missing required usage for client certificate: ${CLIENT_AUTH}`;
};

/** Admission refuses it already; requests that were stored before it did are refused here. */
const notOfMasters: Rule = ({ asked: { organizations } }) =>
  organizations.includes(MASTERS)
    ? `use of ${API_CLIENT_SIGNER} signer with ${MASTERS} group is not allowed`
    : undefined;

/** A node serves under no other name than its own. Upstream leaves that to NodeRestriction and approvers. */
const askedByItself: Rule = ({ asked: { commonName }, spec: { groups = [], username } }) =>
  username === commonName && groups.includes(NODE_GROUP)
    ? undefined
    : `subject common name ${JSON.stringify(commonName)} is not the node that asks, which is ${JSON.stringify(username ?? '')}`;

/** No requester gets a certificate of another node, and the node bootstrapper is no node. */
const notByAnotherNode: Rule = (given) => {
  const { groups = [], username = '' } = given.spec;
  return username.startsWith(NODE_PREFIX) || groups.includes(NODE_GROUP) ? askedByItself(given) : undefined;
};

/** In the order in which kube-controller-manager asks; what it does not ask comes last. */
const RULES: Readonly<Record<string, readonly Rule[]>> = {
  [API_CLIENT_SIGNER]: [usagesOfClient, notOfMasters],
  [CLIENT_SIGNER]: [
    ofNodesAlone,
    withoutDns,
    withoutEmail,
    withoutIps,
    withoutUris,
    namedAsNode,
    usagesOfNode(CLIENT_AUTH),
    notByAnotherNode,
  ],
  [SERVING_SIGNER]: [
    ofNodesAlone,
    withHosts,
    withoutEmail,
    withoutUris,
    usagesOfNode(SERVER_AUTH),
    namedAsNode,
    askedByItself,
  ],
};

/** Whether there is a signer of that name. */
export function isSigned(signerName: string): boolean {
  return Object.hasOwn(RULES, signerName);
}

/** Why the signer of a request refuses it. */
export function signerFault({ spec }: SigningRequest, asked: CertificateRequest): string | undefined {
  for (const rule of RULES[spec.signerName] ?? []) {
    const fault = rule({ spec, asked });
    if (fault !== undefined) return fault;
  }
  return undefined;
}

/** Whether a request is for the client certificate of a node, for any requester. */
export function isNodeClientRequest({ spec }: SigningRequest, asked: CertificateRequest): boolean {
  const rules = (RULES[CLIENT_SIGNER] ?? []).filter((rule) => rule !== notByAnotherNode);
  return spec.signerName === CLIENT_SIGNER && rules.every((rule) => rule({ spec, asked }) === undefined);
}
