/** Where machines are placed, on platforms whose provider specs do not say. */
import type { Path } from '../engine/path.js';
import { claimPath, getAt, isRecord, setAt } from '../engine/path.js';
import type { Scope } from '../engine/rule.js';
import { ZONE_LABEL } from './names.js';
import type { MachineContext, MachinePlatform, MachineRule, MachineTraits } from './platform.js';
import { machineParts } from './rules.js';

/** Whether the provider specs of a platform say where machines are placed. */
export function hasFailureDomainField(platform: MachinePlatform): boolean {
  return platform.machineSpec.some((rule) => rule.claims.right.some(({ path }) => path === 'failureDomain'));
}

const text = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined);

/** Machine API then has nothing but the label of the zone; the rule of labels takes it from here. */
export function failureDomainRule(platform: MachinePlatform, labels: Path, failureDomain: Path): MachineRule[] {
  if (hasFailureDomainField(platform)) return [];
  return [
    {
      claims: { left: [], right: [{ path: claimPath(failureDomain), fate: 'mapped' }] },
      convert: ({ run, source, target }) => {
        if (run.to !== 'right') return;
        const found = run.from === 'left' ? getAt(source, [...labels, ZONE_LABEL]) : getAt(source, failureDomain);
        const zone = text(found);
        if (zone !== undefined) setAt(target, failureDomain, zone);
      },
    },
  ];
}

/** The traits that Machine API writes to labels of a machine: of the provider spec it has or gets. */
export function machineTraits(
  platform: MachinePlatform,
  { run, source, target }: Scope<MachineContext>,
): MachineTraits {
  if (run.from === 'right' && run.to === 'right') return {};
  const found = getAt(run.from === 'left' ? source : target, ['spec', 'providerSpec', 'value']);
  return platform.traits(isRecord(found) ? found : {});
}

/** The failure domain of a machine in Cluster API, where Machine API has only the label for it. */
export function zoneOf(platform: MachinePlatform, { run }: Scope<MachineContext>): string | undefined {
  if (run.from === 'left' || hasFailureDomainField(platform)) return undefined;
  return text(machineParts(run.root).machine['failureDomain']);
}
