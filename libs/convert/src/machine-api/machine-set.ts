/** MachineSet of Machine API; MachineSet and infrastructure machine template of Cluster API. */
import { derived, move, unsupported } from '../engine/field-rules.js';
import { TwoWayMap } from '../engine/two-way-map.js';
import { CLUSTER_API, MACHINE_API } from './names.js';
import { authorityRule, ignored, preservedFields, ownMetadata, typed } from './object-rules.js';
import type { MachineContext, MachinePlatform } from './platform.js';
import { optionalNumber, optionalText } from './values.js';
import { ownTexts, templateRules } from './template.js';

/** The map of a platform's sets of machines. */
export function machineSetMap(platform: MachinePlatform): TwoWayMap<MachineContext> {
  const noNames = 'is not kept: machines of a set get their names from it';
  return new TwoWayMap<MachineContext>({
    preserve: preservedFields(['machineSet']),
    rules: [
      ...typed('left', [], MACHINE_API, 'MachineSet'),
      ...typed('right', ['machineSet'], CLUSTER_API, 'MachineSet'),
      move('metadata.name', 'machineSet.metadata.name'),
      ...ownMetadata('left', []),
      ...ownMetadata('right', ['machineSet']),
      ...ownTexts(['machineSet']),
      ...templateRules(platform, { left: ['spec', 'template'], right: ['machineSet', 'spec', 'template'] }),
      ...['name', 'generateName', 'namespace', 'ownerReferences'].map((name) =>
        unsupported<MachineContext>('left', `spec.template.metadata.${name}`, noNames),
      ),
      move('spec.selector', 'machineSet.spec.selector'),
      move('spec.replicas', 'machineSet.spec.replicas'),
      move('spec.deletePolicy', 'machineSet.spec.deletion.order', optionalText),
      move('spec.minReadySeconds', 'machineSet.spec.template.spec.minReadySeconds', optionalNumber),
      authorityRule(['spec', 'authoritativeAPI']),
      derived<MachineContext>('right', 'machineSet.spec.clusterName', ({ context }) => context.clusterName),
      unsupported('right', 'machineSet.spec.machineNaming', 'Machine API names machines of a set itself: remove it'),
      ignored('left', ['status']),
      ignored('right', ['machineSet', 'status']),
    ],
  });
}
