/** Every field of the objects on both sides of a map, so that tests can check that it declares all. */
import { kinds as clusterApi } from '@capstan/api/cluster-api';
import { kinds as machineApi } from '@capstan/api/machine';
import { structuralSchema } from '@capstan/api/model';
import type { Kind } from '@capstan/api/model';
import type { FieldList } from '../engine/field-list.js';
import { fieldsOfSchema } from '../engine/field-list.js';
import type { Side } from '../engine/rule.js';
import { CLUSTER_API_MEMBER, MACHINE_API_MEMBER } from './control-plane.js';
import type { MachinePlatform } from './platform.js';

/** Kinds of Machine API that are converted. */
export type ConvertedKind = 'Machine' | 'MachineSet' | 'ControlPlaneMachineSet' | 'MachineHealthCheck';

const metadata = ['name string', 'namespace string', 'labels{} string', 'annotations{} string'].map(
  (line) => `metadata.${line}`,
);
const migration = { gates: ['MachineAPIMigration'] };

/** Without status, whose conversion is no map, and with the metadata that are converted. */
function objectFields(kinds: readonly Kind[], kind: string, version: string): string[] {
  const found = kinds.find((each) => each.kind === kind);
  if (found === undefined) throw new RangeError(`there is no kind ${kind}`);
  const fields = fieldsOfSchema(structuralSchema(found, version, migration));
  return [...fields.filter((line) => !line.startsWith('status.') && line !== 'metadata any'), ...metadata];
}

const under = (part: string, fields: FieldList): string[] => fields.map((line) => `${part}.${line}`);

/** A leaf that holds the provider spec, as all leaves of it. */
function withProviderSpec(fields: FieldList, { providerSpec }: MachinePlatform): string[] {
  const own = ['apiVersion string', 'kind string', ...providerSpec.fields];
  return fields.flatMap((line) => {
    const path = line.slice(0, line.lastIndexOf(' '));
    return path.endsWith('providerSpec.value') ? under(path, own) : [line];
  });
}

/** The fields of one kind of Machine API, and of what it is in Cluster API. */
export function wholeFields(kind: ConvertedKind, platform: MachinePlatform): Readonly<Record<Side, FieldList>> {
  const left = (version: string): string[] => withProviderSpec(objectFields(machineApi, kind, version), platform);
  const right = (part: string): string[] => under(part, objectFields(clusterApi, kind, 'v1beta2'));
  const ours = (part: 'machine' | 'template'): string[] => {
    const { kind: own, version } = platform[part];
    return objectFields([own], own.kind, version);
  };
  switch (kind) {
    case 'Machine':
      return { left: left('v1beta1'), right: [...right('machine'), ...under('infrastructure', ours('machine'))] };
    case 'MachineSet':
      return { left: left('v1beta1'), right: [...right('machineSet'), ...under('template', ours('template'))] };
    case 'MachineHealthCheck':
      return { left: left('v1beta1'), right: right('check') };
    case 'ControlPlaneMachineSet': {
      const all = left('v1');
      const without = (member: string): string[] => all.filter((line) => !line.startsWith(`spec.template.${member}.`));
      const template = under('template', ours('template'));
      return { left: without(CLUSTER_API_MEMBER), right: [...under('set', without(MACHINE_API_MEMBER)), ...template] };
    }
  }
}
