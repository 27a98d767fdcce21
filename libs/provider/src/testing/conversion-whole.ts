import { getAt, totalityGaps, withoutEmpty } from '@capstan/convert';
import {
  MACHINE_API_MEMBER,
  controlPlaneMap,
  MachineConverter,
  machineMap,
  machineSetMap,
  wholeFields,
} from '@capstan/convert/machine-api';
import type { ClusterApiParts, MachineContext, MachinePlatform } from '@capstan/convert/machine-api';
import { cloneJson, deepEqual } from '@capstan/meta';
import type { JsonObject } from '@capstan/meta';
import { must } from './conformance-subject.js';

const maps = { Machine: machineMap, MachineSet: machineSetMap, ControlPlaneMachineSet: controlPlaneMap } as const;

/** Rules for fields that no schema lists: what servers add to objects, and a template of control planes with less room. */
const OUTSIDE_SCHEMAS = [
  /(?:^|\.)status$/,
  /(?:^|\.)metadata\.(?:uid|resourceVersion|generation|creationTimestamp|deletion\w+|managedFields|selfLink|ownerReferences|finalizers|generateName)$/,
  /machines_v1beta2_cluster_x_k8s_io\.spec\./,
];

/** Fails unless the maps of whole objects speak of every field, too. */
export function checkWholeTotality(platform: MachinePlatform): void {
  for (const kind of ['Machine', 'MachineSet', 'ControlPlaneMachineSet'] as const) {
    const gaps = totalityGaps(maps[kind](platform).claims, wholeFields(kind, platform));
    for (const side of ['left', 'right'] as const) {
      const { missing, stale } = gaps[side];
      must(missing.length === 0, `${kind}, ${side}: no rule speaks of ${missing.join(', ')}`);
      const unknown = stale.filter((path) => !OUTSIDE_SCHEMAS.some((each) => each.test(path)));
      must(unknown.length === 0, `${kind}, ${side}: rules for fields that are not there: ${unknown.join(', ')}`);
    }
  }
}

/** Machines, sets and control planes with a provider spec, there and back. */
export class WholeObjects {
  readonly #converter: MachineConverter;
  readonly #context: MachineContext;
  readonly #ofControlPlane: JsonObject;
  /** How many sets of control plane machines converted. */
  controlPlanes = 0;

  constructor(
    platform: MachinePlatform,
    about: { readonly context: MachineContext; readonly controlPlane?: JsonObject | undefined },
  ) {
    this.#converter = new MachineConverter(platform);
    this.#context = about.context;
    this.#ofControlPlane = about.controlPlane ?? {};
  }

  /** `normal` is the spec as it comes back, `given` the one to convert: `providerID` and `providerSpec`. */
  check(given: JsonObject, normal: JsonObject): void {
    const { providerID: _, ...shared } = given;
    const { providerID: __, ...sharedNormal } = normal;
    this.#checkOne(machineOf(given), machineOf(normal));
    this.#checkOne(setOf(shared), setOf(sharedNormal));
    const [all, allNormal] = [shared, sharedNormal].map((spec) => this.#controlPlaneOf(spec)) as [
      JsonObject,
      JsonObject,
    ];
    if (this.#checkOne(all, allNormal)) this.controlPlanes += 1;
  }

  #controlPlaneOf(spec: JsonObject): JsonObject {
    const value = getAt(spec, ['providerSpec', 'value']) as JsonObject | undefined;
    const more = { providerSpec: { value: { ...value, ...this.#ofControlPlane } } };
    return controlPlaneOf({ ...spec, ...(value && more) }, this.#failureDomains());
  }

  /** Two, as they are made from their names; none where the platform knows no names, or not these. */
  #failureDomains(): JsonObject | undefined {
    const conversion = this.#converter.platform.failureDomains;
    const made = ['zone-1', 'zone-2'].map((name) => conversion?.toDomain(name, this.#context));
    const domains = made.flatMap((each) => (each !== undefined && 'domain' in each ? [each.domain] : []));
    if (conversion === undefined || domains.length < made.length) return undefined;
    return { platform: conversion.platform, [conversion.key]: domains };
  }

  /** Whether the object converts. */
  #checkOne(object: JsonObject, expected: JsonObject): boolean {
    const there = this.#converter.toClusterApi(object, this.#context);
    // What only the whole object shows to be wrong: load balancers of machines that run no control plane.
    if (there.errors.length > 0) return false;
    const [infrastructure = {}, main = {}] = cloneJson(there.objects) as JsonObject[];
    const back = this.#converter.toMachineApi(partsOf(String(object['kind']), main, infrastructure), this.#context);
    const errors = back.errors.map(({ message, object: of, path }) => `${of.kind} ${path}: ${message}`).join('\n');
    must(back.errors.length === 0, `on the way back ${errors}\nfor ${JSON.stringify(object)}`);
    const [found, wanted] = [withoutEmpty(back.objects[0]), withoutEmpty(expected)];
    must(
      there.warnings.length > 0 || deepEqual(found, wanted),
      `comes back as ${JSON.stringify(found)}, not as ${JSON.stringify(wanted)}`,
    );
    return true;
  }
}

function partsOf(kind: string, main: JsonObject, other: JsonObject): ClusterApiParts {
  switch (kind) {
    case 'Machine':
      return { machine: main, infrastructure: other };
    case 'MachineSet':
      return { machineSet: main, template: other };
    default:
      return { set: main, template: other };
  }
}

const labels = {
  'machine.openshift.io/cluster-api-cluster': 'c',
  'machine.openshift.io/cluster-api-machine-role': 'worker',
  'machine.openshift.io/cluster-api-machine-type': 'worker',
};
const metadata = { name: 'worker-1', namespace: 'openshift-machine-api', labels };
const apiVersion = 'machine.openshift.io/v1beta1';

function machineOf(spec: JsonObject): JsonObject {
  return { apiVersion, kind: 'Machine', metadata, spec };
}

function setOf(spec: JsonObject): JsonObject {
  const template = { metadata: { labels }, spec };
  return {
    apiVersion,
    kind: 'MachineSet',
    metadata,
    spec: { replicas: 2, selector: { matchLabels: labels }, template },
  };
}

const masterLabels = {
  ...labels,
  'machine.openshift.io/cluster-api-machine-role': 'master',
  'machine.openshift.io/cluster-api-machine-type': 'master',
};

function controlPlaneOf(spec: JsonObject, failureDomains: JsonObject | undefined): JsonObject {
  const template = { ...(failureDomains && { failureDomains }), metadata: { labels: masterLabels }, spec };
  return {
    apiVersion: 'machine.openshift.io/v1',
    kind: 'ControlPlaneMachineSet',
    metadata: { name: 'cluster', namespace: 'openshift-machine-api' },
    spec: {
      replicas: 3,
      selector: { matchLabels: masterLabels },
      template: { machineType: MACHINE_API_MEMBER, [MACHINE_API_MEMBER]: template },
    },
  };
}
