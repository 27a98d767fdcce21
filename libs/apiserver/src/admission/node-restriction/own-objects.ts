import { goQuote } from '@capstan/meta';
import { requestedCertificate } from '../../builtin/certificates/requested-certificate.js';
import { fields, text } from '../../builtin/shared/json.js';
import { refused, type NodeRequest } from './request.js';

const LEASE_NAMESPACE = 'kube-node-lease';

function isOwn({ attributes, node }: NodeRequest): boolean {
  const { name, object, operation } = attributes;
  return (operation === 'CREATE' ? object?.metadata.name : name) === node;
}

/** The lease by which a node shows that it is alive. */
export function admitLease(request: NodeRequest): void {
  const { attributes } = request;
  if (attributes.namespace !== LEASE_NAMESPACE)
    throw refused(attributes, `can only access leases in the ${goQuote(LEASE_NAMESPACE)} system namespace`);
  if (!isOwn(request))
    throw refused(attributes, 'can only access node lease with the same name as the requesting node');
}

/** The CSI drivers of a node. */
export function admitCsiNode(request: NodeRequest): void {
  if (!isOwn(request))
    throw refused(request.attributes, 'can only access CSINode with the same name as the requesting node');
}

const NODE_SIGNERS = new Set(['kubernetes.io/kubelet-serving', 'kubernetes.io/kube-apiserver-client-kubelet']);

/** A node asks for certificates of its own name. */
export function admitSigningRequest({ attributes, node }: NodeRequest): void {
  const { object, operation } = attributes;
  if (operation !== 'CREATE') return;
  const spec = fields(object?.['spec']);
  if (!NODE_SIGNERS.has(text(spec['signerName']))) return;
  const requested = requestedCertificate(text(spec['request']));
  if ('fault' in requested) throw refused(attributes, `unable to parse csr: ${requested.fault}`);
  if (requested.commonName !== `system:node:${node}`)
    throw refused(attributes, `can only create a node CSR with CN=system:node:${node}`);
}
