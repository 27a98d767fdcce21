import { MACHINE_ANNOTATION } from '../names.js';
import type { Address, Machine, NodeObject, Taint } from '../resources.js';

function internalAddress(addresses: readonly Address[] = []): string | undefined {
  return addresses.find(({ type }) => type === 'InternalIP')?.address;
}

/** The machine behind a node: the one of its provider ID, else the only one of its internal address. */
export function machineOfNode(node: NodeObject, machines: readonly Machine[]): Machine | undefined {
  const providerID = node.spec?.providerID ?? '';
  const byID = providerID === '' ? [] : machines.filter(({ spec }) => spec?.providerID === providerID);
  if (byID.length > 0) return byID.length === 1 ? byID[0] : undefined;
  const address = internalAddress(node.status?.addresses);
  const byAddress =
    address === undefined ? [] : machines.filter(({ status }) => internalAddress(status?.addresses) === address);
  return byAddress.length === 1 ? byAddress[0] : undefined;
}

/** The node a machine names, if it is not named yet. */
export function linkOf(
  machine: Machine,
  { metadata }: NodeObject,
): NonNullable<Machine['status']>['nodeRef'] | undefined {
  const { name = '', uid = '' } = metadata;
  const { nodeRef } = machine.status ?? {};
  return nodeRef?.name === name && nodeRef.uid === uid ? undefined : { kind: 'Node', name, uid };
}

/** The node as its machine wants it: labels, annotations and taints only ever come, for others write them too. */
export function dressedNode(node: NodeObject, { metadata, spec }: Machine): NodeObject {
  const annotations = {
    ...node.metadata.annotations,
    [MACHINE_ANNOTATION]: `${metadata.namespace ?? ''}/${metadata.name ?? ''}`,
    ...spec?.metadata?.annotations,
  };
  const labels = { ...node.metadata.labels, ...spec?.metadata?.labels };
  const taints = withTaints(node.spec?.taints ?? [], spec?.taints ?? []);
  return {
    ...node,
    metadata: { ...node.metadata, annotations, labels },
    spec: { ...node.spec, ...(taints.length === 0 ? {} : { taints }) },
  };
}

function withTaints(there: readonly Taint[], wanted: readonly Taint[]): readonly Taint[] {
  const missing = wanted.filter(
    ({ key, effect }) => !there.some((taint) => taint.key === key && taint.effect === effect),
  );
  return missing.length === 0 ? there : [...there, ...missing];
}
