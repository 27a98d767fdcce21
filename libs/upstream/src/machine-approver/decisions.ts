import type { CertificateRequest, KubeObject } from '@capstan/meta';
import { CLIENT_SIGNER, hasCondition, SERVING_SIGNER } from '../signing-requests.js';
import type { SigningRequest } from '../signing-requests.js';
import { NODE_BOOTSTRAPPER } from '../signing-requests.js';

/** A Machine of either API, with the fields that approval reads. */
export interface ApprovableMachine extends KubeObject {
  readonly status?: {
    readonly addresses?: readonly { readonly type: string; readonly address: string }[];
    readonly nodeRef?: { readonly name?: string };
  };
}

/** All that a decision about a request rests on. */
export interface ApprovalInputs {
  readonly request: SigningRequest;
  /** What is to be certified; undefined when it cannot be read. */
  readonly asked: CertificateRequest | undefined;
  readonly machines: readonly ApprovableMachine[];
  readonly nodes: ReadonlySet<string>;
}

/** What is to be done about a request. `not-yet` is worth another look: what it waits for may come. */
export type Approval =
  | { readonly do: 'approve' }
  | { readonly do: 'ignore'; readonly reason: string }
  | { readonly do: 'not-yet'; readonly reason: string };

const NODE_PREFIX = 'system:node:';
const NODE_GROUP = 'system:nodes';
const CLOCK_SKEW_MS = 10_000;
/** How long after its Machine a node may first ask. */
const JOIN_WITHIN_MS = 2 * 3_600_000;
const RECENT_MS = 3_600_000;
/** More requests than machines by this many, and something is wrong. */
export const MOST_BEYOND_MACHINES = 100;
const CLIENT_USAGES = new Set([
  inOrder(['digital signature', 'key encipherment', 'client auth']),
  inOrder(['digital signature', 'client auth']),
]);
const SERVING_USAGES = new Set([
  inOrder(['digital signature', 'key encipherment', 'server auth']),
  inOrder(['digital signature', 'server auth']),
]);

function ignore(reason: string): Approval {
  return { do: 'ignore', reason };
}

function notYet(reason: string): Approval {
  return { do: 'not-yet', reason };
}

/** Whether a request is undecided. */
export function isPending(request: SigningRequest): boolean {
  return !hasCondition(request, 'Approved') && !hasCondition(request, 'Denied');
}

/** Whether too many requests are pending for any to be trusted; returns how many and how many there may be. */
export function tooManyPending(
  requests: readonly SigningRequest[],
  counts: { readonly machines: number; readonly nodes: number },
  now: number,
): { readonly pending: number; readonly most: number } | undefined {
  const pending = requests.filter((each) => isPending(each) && now - createdAt(each) < RECENT_MS).length;
  const most = Math.max(counts.machines, counts.nodes) + MOST_BEYOND_MACHINES;
  return pending > most ? { pending, most } : undefined;
}

/** Whether so many requests wait that it matters how many machines there are. */
export function mayBeTooMany(requests: readonly SigningRequest[], now: number): boolean {
  return tooManyPending(requests, { machines: 0, nodes: 0 }, now) !== undefined;
}

/** The node that is to be certified; empty when it is none. */
export function nodeOf({ commonName }: CertificateRequest): string {
  return commonName.startsWith(NODE_PREFIX) ? commonName.slice(NODE_PREFIX.length) : '';
}

/** The nodes a Machine may belong to: by its addresses, and by the node it names. */
export function nodesOf(machine: ApprovableMachine): readonly string[] {
  const { name } = machine.status?.nodeRef ?? {};
  const names = addressesOf(machine, ['InternalDNS']);
  return name === undefined || names.includes(name) ? names : [...names, name];
}

/** Decides about a request of a kubelet. */
export function decideApproval(inputs: ApprovalInputs): Approval {
  const { asked, request } = inputs;
  if (!isPending(request)) return ignore('it is decided already');
  const { signerName } = request.spec;
  if (signerName !== CLIENT_SIGNER && signerName !== SERVING_SIGNER) return ignore('it is for another signer');
  if (asked === undefined) return ignore('it cannot be read');
  if (asked.organizations.length !== 1 || asked.organizations[0] !== NODE_GROUP)
    return ignore(`it is not for the group ${NODE_GROUP} alone`);
  const node = nodeOf(asked);
  if (node === '') return ignore('it is not for a node');
  return signerName === CLIENT_SIGNER ? decideClient(inputs, asked, node) : decideServing(inputs, asked, node);
}

function decideClient({ machines, nodes, request }: ApprovalInputs, asked: CertificateRequest, node: string): Approval {
  if (asked.dnsNames.length + asked.ipAddresses.length > 0 || hasOtherNames(asked))
    return ignore('a client has no alternative names');
  if (!hasUsages(request, CLIENT_USAGES)) return ignore('its usages are not those of a client');
  if (!isBootstrapper(request)) return ignore('it does not come from the bootstrapper of nodes');
  if (nodes.has(node)) return ignore(`node ${node} already exists`);
  const machine = machines.find((each) => addressesOf(each, ['InternalDNS']).includes(node));
  if (machine === undefined) return notYet(`failed to find machine for node ${node}`);
  if (machine.status?.nodeRef !== undefined) return ignore(`machine for node ${node} already has node ref`);
  const since = createdAt(request) - createdAt(machine);
  if (since < -CLOCK_SKEW_MS || since > JOIN_WITHIN_MS) return ignore('CSR creation time not in range');
  return { do: 'approve' };
}

function decideServing({ machines, request }: ApprovalInputs, asked: CertificateRequest, node: string): Approval {
  const { groups = [], username } = request.spec;
  if (username !== `${NODE_PREFIX}${node}`) return ignore('a node asks for itself alone');
  if (!groups.includes(NODE_GROUP) || !groups.includes('system:authenticated')) return ignore('it comes from no node');
  if (!hasUsages(request, SERVING_USAGES)) return ignore('its usages are not those of a server');
  if (hasOtherNames(asked)) return ignore('it names more than hosts and addresses');
  const machine = machines.find(({ status }) => status?.nodeRef?.name === node);
  if (machine === undefined) return notYet(`no machine has node ${node} as its node`);
  const hosts = addressesOf(machine, ['ExternalDNS', 'Hostname', 'InternalDNS']);
  const ips = addressesOf(machine, ['ExternalIP', 'InternalIP']);
  const strange = [
    ...asked.dnsNames.filter((name) => !hosts.includes(name)),
    ...asked.ipAddresses.filter((ip) => !ips.includes(ip)),
  ];
  return strange.length === 0 ? { do: 'approve' } : notYet(`the machine has no address ${strange.join(', ')}`);
}

function hasOtherNames({ emailAddresses, otherNames, uris }: CertificateRequest): boolean {
  return emailAddresses.length + uris.length + otherNames > 0;
}

function hasUsages({ spec }: SigningRequest, allowed: ReadonlySet<string>): boolean {
  return allowed.has(inOrder(spec.usages ?? []));
}

function inOrder(usages: readonly string[]): string {
  return usages.toSorted().join();
}

function isBootstrapper({ spec }: SigningRequest): boolean {
  const { groups, username } = NODE_BOOTSTRAPPER;
  return spec.username === username && groups.every((group) => spec.groups?.includes(group) === true);
}

function addressesOf({ status }: ApprovableMachine, types: readonly string[]): string[] {
  return (status?.addresses ?? []).filter(({ type }) => types.includes(type)).map(({ address }) => address);
}

function createdAt({ metadata }: KubeObject): number {
  return Date.parse(metadata.creationTimestamp ?? '');
}
