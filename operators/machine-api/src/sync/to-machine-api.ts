/** From Cluster API to Machine API: what the copy lacks, one write at a time. Pure. */
import { keepInstanceValues, MACHINE_API_MEMBER } from '@capstan/convert/machine-api';
import type { ConversionIssue } from '@capstan/convert/machine-api';
import { withFinalizer } from '@capstan/kube';
import { deepEqual } from '@capstan/meta';
import type { JsonObject, KubeObject, OwnerReference } from '@capstan/meta';
import { SYNC_FINALIZER } from '../names.js';
import { recordAt } from '../shared/model.js';
import type { Inputs, Progress, Step } from '../resource/inputs.js';
import { mergedMetadata, withoutOwnKeys } from './metadata.js';
import { ownersInMachineApi } from './owners.js';
import { REASONS } from '../resource/reasons.js';
import { hasSameSpec } from './same-spec.js';
import { surroundingsProblem } from './surroundings.js';
import { conversionProblem, fixedFields } from './to-cluster-api.js';
import { infrastructureReference } from './infrastructure-reference.js';

/** The next write that brings the copy in Machine API closer to the objects in Cluster API. */
export function toMachineApi(inputs: Inputs): Progress {
  const { capi, child, descriptor, mapi, owners, tools } = inputs;
  if (capi === undefined) return {};
  const found = ownersInMachineApi(descriptor.kind, capi, owners);
  if ('problem' in found) return found;
  const context = inputs.surroundings.context;
  const missing = surroundingsProblem(inputs);
  if (missing !== undefined || context === undefined) return { problem: missing };
  if (descriptor.child !== 'none' && child === undefined) return { problem: noChild(inputs) };
  const isCarried = descriptor.kind === 'MachineHealthCheck';
  const parts = { capi: withoutOwnKeys(capi, isCarried), child: child && withoutOwnKeys(child, false) };
  const conversion = descriptor.toMachineApi(tools, parts, { ...context, authority: 'ClusterAPI' });
  if (conversion.errors.length > 0) return { problem: conversionProblem(conversion), warnings: conversion.warnings };
  const { conflicts, object } = ofRunning(inputs, conversion.objects[0] as KubeObject);
  const step = finalizerStep(inputs, capi) ?? copyStep(inputs, mapi, object, found.references);
  return { step, warnings: [...conversion.warnings, ...conflicts] };
}

/** What the instance of a machine was created with stays, whatever the infrastructure cluster is edited to. */
function ofRunning(
  { descriptor, mapi, tools }: Inputs,
  desired: KubeObject,
): { readonly object: KubeObject; readonly conflicts: readonly ConversionIssue[] } {
  if (descriptor.kind !== 'Machine' || mapi === undefined) return { object: desired, conflicts: [] };
  const { conflicts, object } = keepInstanceValues(desired, mapi, tools.platform);
  return { object: object as KubeObject, conflicts };
}

function noChild({ capi, tools, descriptor }: Inputs): Progress['problem'] {
  const reference = infrastructureReference(capi, descriptor.child);
  const kind = typeof reference['kind'] === 'string' ? reference['kind'] : tools.machines.kind;
  const message = `waiting for ${kind} ${typeof reference['name'] === 'string' ? reference['name'] : ''}, which the Cluster API copy names`;
  return { reason: REASONS.infrastructureMissing, message, isFinal: true };
}

/** On what is to be deleted only together: the copy, and its infrastructure machine. Templates are shared. */
function finalizerStep({ child, descriptor, tools }: Inputs, capi: KubeObject): Step | undefined {
  const held = withFinalizer(capi, SYNC_FINALIZER);
  if (held !== capi)
    return { slot: 'capi', change: { verb: 'patch', kind: descriptor.clusterApi, before: capi, after: held } };
  if (descriptor.child !== 'machine' || child === undefined || child.metadata.deletionTimestamp != null)
    return undefined;
  const heldChild = withFinalizer(child, SYNC_FINALIZER);
  if (heldChild === child) return undefined;
  return { slot: 'child', change: { verb: 'patch', kind: tools.machines, before: child, after: heldChild } };
}

function copyStep(
  inputs: Inputs,
  mapi: KubeObject | undefined,
  desired: KubeObject,
  references: readonly OwnerReference[] | undefined,
): Step | undefined {
  const kind = inputs.descriptor.machineApi;
  if (mapi === undefined) {
    const { name, namespace } = desired.metadata;
    const own = { ...(name && { name }), ...(namespace && { namespace }) };
    const metadata = mergedMetadata(own, desired.metadata, references);
    const spec = { ...recordAt(desired, 'spec'), authoritativeAPI: 'ClusterAPI' };
    return {
      slot: 'mapi',
      change: { verb: 'create', kind, object: withFinalizer({ ...desired, metadata, spec }, SYNC_FINALIZER) },
    };
  }
  const metadata = mergedMetadata(mapi.metadata, desired.metadata, references);
  const wanted = keptSpec(mapi, recordAt(desired, 'spec'));
  const isSame = hasSameSpec(inputs, { ...mapi, spec: wanted }, mapi);
  const after = withFinalizer({ ...mapi, metadata, spec: isSame ? mapi['spec'] : wanted }, SYNC_FINALIZER);
  if (deepEqual(after, mapi)) return undefined;
  return { slot: 'mapi', change: { verb: 'patch', kind, before: mapi, after } };
}

/** What is not of the counterpart: the authority, also of new machines, and the selector, which cannot be changed. */
function keptSpec(mapi: KubeObject, desired: JsonObject): JsonObject {
  const existing = recordAt(mapi, 'spec');
  const spec: JsonObject = { ...desired };
  for (const field of ['authoritativeAPI', ...fixedFields(mapi)])
    if (existing[field] === undefined) delete spec[field];
    else spec[field] = existing[field];
  const member = mapi.kind === 'ControlPlaneMachineSet' ? [MACHINE_API_MEMBER] : [];
  if (recordAt(spec, 'template', ...member)['spec'] === undefined) return spec;
  const { authoritativeAPI: _, ...inner } = recordAt(spec, 'template', ...member, 'spec');
  const authority = recordAt(existing, 'template', ...member, 'spec')['authoritativeAPI'];
  const kept = authority === undefined ? inner : { ...inner, authoritativeAPI: authority };
  const template = recordAt(spec, 'template');
  const [name] = member;
  if (name === undefined) spec['template'] = { ...template, spec: kept };
  else spec['template'] = { ...template, [name]: { ...recordAt(template, name), spec: kept } };
  return spec;
}
