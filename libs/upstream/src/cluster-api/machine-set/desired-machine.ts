import { checkLabelValue } from '@capstan/meta';
import { inPlace } from '../machine-deployment/desired-set.js';
import { CORE_API_VERSION, finalizers, labels } from '../names.js';
import { controllerReferenceTo } from '../owners.js';
import type { Machine, MachineSet, MachineSpec } from '../types.js';

/** A name as the value of a label; one that is too long is replaced by its hash. */
export function labelValue(name: string): string {
  return checkLabelValue(name).length === 0 ? name : `hash_${fnv32a(name)}_z`;
}

/** FNV-1a of 32 bits, in base64 for URLs. */
function fnv32a(text: string): string {
  let hash = 0x811c9dc5;
  for (const byte of new TextEncoder().encode(text)) hash = Math.imul(hash ^ byte, 0x01000193) >>> 0;
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(hash);
  return bytes.toString('base64url');
}

/** The labels every machine of a set carries. */
export function machineLabels({ metadata, spec }: MachineSet): Record<string, string> {
  const deployment = metadata.labels?.[labels.deploymentName];
  return {
    ...spec.template.metadata?.labels,
    [labels.setName]: labelValue(metadata.name ?? ''),
    ...(deployment === undefined ? {} : { [labels.deploymentName]: deployment }),
  };
}

/** The annotations every machine of a set carries. */
export function machineAnnotations({ spec }: MachineSet): Record<string, string> {
  return { ...spec.template.metadata?.annotations };
}

/** A machine of a set as it should be; what only a new machine can be given stays as it is. */
export function desiredMachine(
  set: MachineSet,
  of: { readonly name: string } | { readonly existing: Machine },
): Machine {
  const existing = 'existing' in of ? of.existing : undefined;
  const name = 'name' in of ? of.name : (of.existing.metadata.name ?? '');
  const uid = existing?.metadata.uid;
  return {
    apiVersion: CORE_API_VERSION,
    kind: 'Machine',
    metadata: {
      name,
      ...(set.metadata.namespace === undefined ? {} : { namespace: set.metadata.namespace }),
      ...(uid === undefined ? {} : { uid }),
      ownerReferences: [controllerReferenceTo(set)],
      labels: machineLabels(set),
      annotations: machineAnnotations(set),
      finalizers: [...new Set([...(existing?.metadata.finalizers ?? []), finalizers.machine])],
    },
    spec: desiredSpec(set, existing?.spec),
  };
}

function desiredSpec({ spec }: MachineSet, existing: MachineSpec | undefined): MachineSpec {
  const { infrastructureRef: _i, bootstrap, version, failureDomain, ...rest } = spec.template.spec;
  const { configRef: _c, ...data } = bootstrap ?? {};
  const kept = existing ?? { version, failureDomain };
  const configRef = existing?.bootstrap?.configRef;
  return {
    ...rest,
    clusterName: spec.clusterName,
    bootstrap: { ...data, ...(configRef === undefined ? {} : { configRef }) },
    ...(existing?.infrastructureRef === undefined ? {} : { infrastructureRef: existing.infrastructureRef }),
    ...(kept.version ? { version: kept.version } : {}),
    ...(kept.failureDomain ? { failureDomain: kept.failureDomain } : {}),
  };
}

const DEFAULT_NODE_DELETION_SECONDS = 10;

/** A machine that is going, with what it can still be given. */
export function goingMachine(set: MachineSet, machine: Machine): Machine {
  const given = set.spec.template.spec;
  const nodeDeletionTimeoutSeconds = given.deletion?.nodeDeletionTimeoutSeconds ?? DEFAULT_NODE_DELETION_SECONDS;
  const deletion = { ...given.deletion, nodeDeletionTimeoutSeconds };
  return { ...machine, spec: inPlace(machine.spec, { ...given, deletion }) };
}
