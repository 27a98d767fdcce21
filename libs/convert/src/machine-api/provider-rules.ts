/** The rules of a platform in the objects that hold them. */
import { structuralSchema } from '@capstan/api/model';
import { fieldsOfSchema } from '../engine/field-list.js';
import type { FieldList } from '../engine/field-list.js';
import { constant, move, unsupported } from '../engine/field-rules.js';
import { claimPath, parsePath, setAt } from '../engine/path.js';
import type { Path } from '../engine/path.js';
import { nested } from '../engine/record-rules.js';
import type { Side } from '../engine/rule.js';
import { TwoWayMap } from '../engine/two-way-map.js';
import { hasFailureDomainField } from './failure-domain.js';
import type { MachineContext, MachinePlatform, MachineRule, PlatformKind, TypedRecord } from './platform.js';
import { text } from './values.js';

/** Where the records of a platform are in the objects that are converted. */
export interface ProviderPlaces {
  /** Left: the provider spec. */
  readonly providerSpec: Path;
  /** Right: the spec of the Cluster API machine. */
  readonly machine: Path;
  /** Right: the spec of the infrastructure machine. */
  readonly infrastructure: Path;
}

/** The group and version of a kind of the platform. */
export function apiVersionOf({ kind, version }: PlatformKind): string {
  return `${kind.group}/${version}`;
}

/** A typed record of Machine API: what type it is, whichever it is read as, the first is written. */
function typeOf({ apiVersions, kind }: TypedRecord): readonly MachineRule[] {
  const path = parsePath('apiVersion');
  const version: MachineRule = {
    claims: { left: [{ path: claimPath(path), fate: 'constant' }], right: [] },
    // Which of them it was is checked before any rule runs, as all other rules depend on it.
    convert: (scope) => {
      if (scope.run.to === 'left') setAt(scope.target, path, apiVersions[0]);
    },
  };
  return [version, constant<MachineContext>('left', 'kind', kind)];
}

/** All rules of the platform, with the fields that name one instance refused where there is a template. */
export function providerRules(
  platform: MachinePlatform,
  places: ProviderPlaces,
  of: 'machine' | 'template',
): MachineRule[] {
  const oneInstance = platform.identity.flatMap((rule) => rule.claims.right);
  const identity =
    of === 'machine'
      ? platform.identity
      : oneInstance.map(({ path }) =>
          unsupported<MachineContext>('right', path, 'names one instance, and a template has many'),
        );
  return [
    nested<MachineContext>(places.providerSpec, places.machine, platform.machineSpec),
    nested<MachineContext>(places.providerSpec, places.infrastructure, [
      ...typeOf(platform.providerSpec),
      ...platform.infrastructure,
      ...identity,
    ]),
  ];
}

/** The places in a Machine of Machine API, and in the Machine and infrastructure machine that stand for it. */
export const machinePlaces: ProviderPlaces = {
  providerSpec: ['spec', 'providerSpec', 'value'],
  machine: ['machine', 'spec'],
  infrastructure: ['infrastructure', 'spec'],
};

/**
 * The rules of a platform and nothing else: left `spec.providerID` and `spec.providerSpec.value`, right
 * `machine.spec` and `infrastructure.spec`. For the tests of platforms.
 */
export function providerMap(platform: MachinePlatform): TwoWayMap<MachineContext> {
  return new TwoWayMap<MachineContext>({
    rules: [
      ...providerRules(platform, machinePlaces, 'machine'),
      move('spec.providerID', 'machine.spec.providerID', text),
    ],
  });
}

const under = (path: Path, fields: FieldList): string[] => fields.map((line) => `${claimPath(path)}.${line}`);

/** The fields of the `spec` of a kind. */
export function specFields({ kind, version }: PlatformKind): string[] {
  const spec = structuralSchema(kind, version).properties?.['spec'];
  return fieldsOfSchema(spec);
}

/** The fields of both sides of {@link providerMap}. */
export function providerFields(platform: MachinePlatform): Readonly<Record<Side, FieldList>> {
  const { infrastructure, machine, providerSpec } = machinePlaces;
  return {
    left: [
      'spec.providerID string',
      ...under(providerSpec, ['apiVersion string', 'kind string', ...platform.providerSpec.fields]),
    ],
    right: [
      ...under(machine, ['providerID string', 'bootstrap.dataSecretName string']),
      // Where the provider spec does not say it, a label of the machine does.
      ...under(machine, hasFailureDomainField(platform) ? ['failureDomain string'] : []),
      ...under(infrastructure, specFields(platform.machine)),
    ],
  };
}
