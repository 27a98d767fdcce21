/** ControlPlaneMachineSet: one kind for both APIs, whose template selects the API of its machines. */
import { deepEqual } from '@capstan/meta';
import type { JsonObject } from '@capstan/meta';
import { constant, move, unsupported } from '../engine/field-rules.js';
import type { Path } from '../engine/path.js';
import { claimPath, getAt, isRecord, setAt, stepToItem } from '../engine/path.js';
import type { Scope } from '../engine/rule.js';
import { addError } from '../engine/rule.js';
import { TwoWayMap } from '../engine/two-way-map.js';
import { MACHINE_API_V1 } from './names.js';
import { authorityRule, ignored, preservedFields, ownMetadata, typed } from './object-rules.js';
import type { FailureDomainConversion, MachineContext, MachinePlatform, MachineRule } from './platform.js';
import { ownTexts, templateRules } from './template.js';
import { isZeroValue, refused } from './values.js';

/** The members of the template, each named after the machines it makes. */
export const MACHINE_API_MEMBER = 'machines_v1beta1_machine_openshift_io';
export const CLUSTER_API_MEMBER = 'machines_v1beta2_cluster_x_k8s_io';

const template = {
  left: ['spec', 'template', MACHINE_API_MEMBER],
  right: ['set', 'spec', 'template', CLUSTER_API_MEMBER],
};
/** Which API the machines of a set are of; `undefined` where its template names neither. */
export function controlPlaneSide(set: JsonObject): 'machine-api' | 'cluster-api' | undefined {
  const members = getAt(set, ['spec', 'template']);
  if (getAt(members, [MACHINE_API_MEMBER]) !== undefined) return 'machine-api';
  return getAt(members, [CLUSTER_API_MEMBER]) === undefined ? undefined : 'cluster-api';
}

const domains = { left: [...template.left, 'failureDomains'], right: [...template.right, 'failureDomains'] };

function namesOf(scope: Scope<MachineContext>, conversion: FailureDomainConversion, at: Path): string[] {
  const list = getAt(scope.source, at);
  if (list !== undefined && !Array.isArray(list)) addError(scope, at, 'must be a list');
  const names: string[] = [];
  (Array.isArray(list) ? list : []).forEach((domain: unknown, index) => {
    const item = { ...scope, at: stepToItem(scope.at, at, index) };
    if (!isRecord(domain)) {
      addError(item, [], 'must be an object');
      return;
    }
    const named = conversion.toName(domain, scope.run.context);
    if ('message' in named) addError(item, named.path.split('.').filter(Boolean), named.message, named.code);
    else if (names.includes(named.name))
      addError(item, [], `is a second one of the name "${named.name}": Cluster API distinguishes them by name only`);
    else names.push(named.name);
  });
  return names;
}

/** The domains that were put aside, by the names that they have as the infrastructure cluster is now. */
function keptDomains({ restored, run }: Scope<MachineContext>, conversion: FailureDomainConversion) {
  const kept = getAt(restored, [...domains.left, conversion.key]);
  const byName = new Map<string, JsonObject>();
  for (const domain of (Array.isArray(kept) ? kept : []).filter(isRecord)) {
    const named = conversion.toName(domain, run.context);
    if ('name' in named) byName.set(named.name, domain);
  }
  return byName;
}

function domainsOf(scope: Scope<MachineContext>, conversion: FailureDomainConversion, at: Path): JsonObject[] {
  const list = getAt(scope.source, at);
  if (list !== undefined && !Array.isArray(list)) addError(scope, at, 'must be a list');
  const kept = keptDomains(scope, conversion);
  return (Array.isArray(list) ? list : []).flatMap((name: unknown, index) => {
    const before = kept.get(String(name));
    if (before !== undefined) return [before];
    const found =
      typeof name === 'string' ? conversion.toDomain(name, scope.run.context) : { message: 'must be a string' };
    if ('domain' in found) return [found.domain];
    addError({ ...scope, at: stepToItem(scope.at, at, index) }, [], found.message);
    return [];
  });
}

/**
 * Puts domains aside that their names alone do not give back: a subnet by its ID in place of its tags is the same one,
 * and yet another template, by which a whole control plane would be replaced.
 */
function keepDomains({ run }: Scope<MachineContext>, list: unknown, conversion: FailureDomainConversion): void {
  if (run.aside === undefined || !Array.isArray(list)) return;
  const isGivenBack = (domain: unknown): boolean => {
    if (conversion.readsCluster === true || !isRecord(domain)) return false;
    const named = conversion.toName(domain, run.context);
    const found = 'name' in named ? conversion.toDomain(named.name, run.context) : undefined;
    return found !== undefined && 'domain' in found && deepEqual(found.domain, domain);
  };
  if (!list.every(isGivenBack)) setAt(run.aside, [...domains.left, conversion.key], list);
}

/** Domains by what they are here, by their names there. */
function failureDomainRules({ failureDomains: conversion, type }: MachinePlatform): MachineRule[] {
  if (conversion === undefined) {
    const reason = `machines of ${type} cannot be spread over failure domains`;
    return [refused('left', domains.left, reason), unsupported<MachineContext>('right', domains.right, reason)];
  }
  const own = [...domains.left, conversion.key];
  const forward = (scope: Scope<MachineContext>): void => {
    const found = getAt(scope.source, domains.left);
    if (found === undefined) return;
    for (const key of isRecord(found) ? Object.keys(found) : []) {
      if (key !== 'platform' && key !== conversion.key)
        addError(scope, [...domains.left, key], `are failure domains of another platform than ${conversion.platform}`);
    }
    const platform = getAt(scope.source, [...domains.left, 'platform']);
    // What the installer and Go programs write where machines are not spread.
    if ((platform === '' || platform === undefined) && isZeroValue(found)) return;
    if (platform !== conversion.platform) {
      addError(scope, [...domains.left, 'platform'], `must be "${conversion.platform}", as the provider spec is`);
      return;
    }
    const names = namesOf(scope, conversion, own);
    if (names.length > 0) setAt(scope.target, domains.right, names);
    keepDomains(scope, getAt(scope.source, own), conversion);
  };
  const backward = (scope: Scope<MachineContext>): void => {
    const made = domainsOf(scope, conversion, domains.right);
    if (made.length > 0) setAt(scope.target, domains.left, { platform: conversion.platform, [conversion.key]: made });
  };
  const normalise = ({ run, source, target }: Scope<MachineContext>): void => {
    const value = getAt(source, domains[run.from]);
    if (value !== undefined && !isZeroValue(value)) setAt(target, domains[run.from], value);
  };
  return [
    {
      claims: {
        left: [{ path: claimPath(domains.left), fate: 'mapped', isKept: true }],
        right: [{ path: claimPath(domains.right), fate: 'mapped' }],
      },
      convert: (scope) => {
        if (scope.run.from === scope.run.to) normalise(scope);
        else if (scope.run.to === 'right') forward(scope);
        else backward(scope);
      },
    },
  ];
}

/** The map of a platform's set of control plane machines; the set is `set` on the right. */
export function controlPlaneMap(platform: MachinePlatform): TwoWayMap<MachineContext> {
  return new TwoWayMap<MachineContext>({
    preserve: preservedFields(['set']),
    rules: [
      ...typed('left', [], MACHINE_API_V1, 'ControlPlaneMachineSet'),
      ...typed('right', ['set'], MACHINE_API_V1, 'ControlPlaneMachineSet'),
      move('metadata.name', 'set.metadata.name'),
      ...ownMetadata('left', []),
      ...ownMetadata('right', ['set'], ({ controlPlane, machineApi }) => controlPlane ?? machineApi),
      ...ownTexts(['set']),
      constant<MachineContext>('left', 'spec.template.machineType', MACHINE_API_MEMBER),
      constant<MachineContext>('right', 'set.spec.template.machineType', CLUSTER_API_MEMBER),
      ...failureDomainRules(platform),
      ...templateRules(platform, template),
      ...['replicas', 'state', 'strategy', 'selector', 'machineNamePrefix'].map((name) =>
        move<MachineContext>(`spec.${name}`, `set.spec.${name}`),
      ),
      authorityRule(['spec', 'authoritativeAPI']),
      // The same object has both templates: its authority is neither's.
      ignored('right', ['set', 'spec', 'authoritativeAPI']),
      ignored('left', ['status']),
      ignored('right', ['set', 'status']),
    ],
  });
}
