/** Machine of Machine API; Machine and infrastructure machine of Cluster API. */
import type { JsonObject } from '@capstan/meta';
import { derived, move, unsupported } from '../engine/field-rules.js';
import { getAt, isRecord } from '../engine/path.js';
import type { Scope } from '../engine/rule.js';
import { TwoWayMap } from '../engine/two-way-map.js';
import { annotationConversion } from './annotations.js';
import type { LabelFacts } from './labels.js';
import { labelConversion } from './labels.js';
import { CLUSTER_API, MACHINE_API } from './names.js';
import { failureDomainRule, machineTraits, zoneOf } from './failure-domain.js';
import { ignored, preservedFields, machineSpecRules, nameOf, ownMetadata, typed } from './object-rules.js';
import type { MachineContext, MachinePlatform, MachineRule } from './platform.js';
import { apiVersionOf, machinePlaces, providerRules } from './provider-rules.js';
import { optionalText } from './values.js';
import { refusedLabels } from './template.js';
import { texts } from './texts.js';

/** The set a machine belongs to, on either side. */
function setNameOf(root: JsonObject): string | undefined {
  const owners =
    getAt(root, ['metadata', 'ownerReferences']) ?? getAt(root, ['machine', 'metadata', 'ownerReferences']);
  const owner = (Array.isArray(owners) ? owners : []).find((each) => isRecord(each) && each['kind'] === 'MachineSet');
  const name: unknown = isRecord(owner) ? owner['name'] : undefined;
  return typeof name === 'string' ? name : undefined;
}

function labelFacts(platform: MachinePlatform): (scope: Scope<MachineContext>) => LabelFacts {
  return (scope) => ({
    clusterName: scope.run.context.clusterName,
    setName: setNameOf(scope.run.root),
    traits: machineTraits(platform, scope),
    zone: zoneOf(platform, scope),
  });
}

/** The infrastructure machine carries what its machine does; entries of its own Machine API could not keep. */
function infrastructureTexts(field: 'labels' | 'annotations'): MachineRule {
  const path = ['infrastructure', 'metadata', field];
  return {
    claims: { left: [], right: [{ path: `${path.join('.')}{}`, fate: 'derived' }] },
    convert: ({ run, target }) => {
      if (run.to !== 'right') return;
      const own = getAt(target, ['machine', 'metadata', field]);
      if (isRecord(own)) (target['infrastructure'] as { metadata: JsonObject }).metadata[field] = { ...own };
    },
  };
}

/** The map of a platform's machines. */
export function machineMap(platform: MachinePlatform): TwoWayMap<MachineContext> {
  const { kind } = platform.machine;
  const places = { left: ['spec'], right: ['machine', 'spec'], annotations: ['machine', 'metadata', 'annotations'] };
  return new TwoWayMap<MachineContext>({
    preserve: preservedFields(['machine']),
    rules: [
      ...typed('left', [], MACHINE_API, 'Machine'),
      ...typed('right', ['machine'], CLUSTER_API, 'Machine'),
      ...typed('right', ['infrastructure'], apiVersionOf(platform.machine), kind.kind),
      move('metadata.name', 'machine.metadata.name'),
      derived<MachineContext>('right', 'infrastructure.metadata.name', ({ root }) => nameOf(root)),
      ...ownMetadata('left', []),
      ...ownMetadata('right', ['machine']),
      ...ownMetadata('right', ['infrastructure']),
      ...providerRules(platform, machinePlaces, 'machine'),
      ...failureDomainRule(platform, ['metadata', 'labels'], ['machine', 'spec', 'failureDomain']),
      texts(labelConversion, {
        left: [
          ['metadata', 'labels'],
          ['spec', 'metadata', 'labels'],
        ],
        right: ['machine', 'metadata', 'labels'],
        facts: labelFacts(platform),
        refused: refusedLabels,
      }),
      texts(annotationConversion, {
        left: [
          ['metadata', 'annotations'],
          ['spec', 'metadata', 'annotations'],
        ],
        right: places.annotations,
        facts: () => undefined,
      }),
      ...machineSpecRules(places, 'machine'),
      move('spec.providerID', 'machine.spec.providerID', optionalText),
      unsupported('right', 'machine.spec.minReadySeconds', 'Machine API has it on sets of machines only: remove it'),
      derived<MachineContext>('right', 'machine.spec.infrastructureRef.apiGroup', () => kind.group),
      derived<MachineContext>('right', 'machine.spec.infrastructureRef.kind', () => kind.kind),
      derived<MachineContext>('right', 'machine.spec.infrastructureRef.name', ({ root }) => nameOf(root)),
      infrastructureTexts('labels'),
      infrastructureTexts('annotations'),
      ignored('left', ['status']),
      ignored('right', ['machine', 'status']),
      ignored('right', ['infrastructure', 'status']),
    ],
  });
}
