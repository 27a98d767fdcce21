/** Machine of Machine API; Machine and infrastructure machine of Cluster API. */
import type { JsonObject } from '@capstan/meta';
import { derived, move, preserved } from '../engine/field-rules.js';
import { getAt, isRecord } from '../engine/path.js';
import type { Scope } from '../engine/rule.js';
import { TwoWayMap } from '../engine/two-way-map.js';
import { annotationConversion } from './annotations.js';
import type { LabelFacts } from './labels.js';
import { labelConversion } from './labels.js';
import { CLUSTER_API, MACHINE_API, SET_NAME_LABEL } from './names.js';
import { failureDomainRule, machineTraits, zoneOf } from './failure-domain.js';
import { windowsRule } from './operating-system.js';
import { ignored, preservedFields, machineSpecRules, nameOf, ownMetadata, typed } from './object-rules.js';
import type { MachineContext, MachinePlatform, MachineRule } from './platform.js';
import { apiVersionOf, machinePlaces, providerRules } from './provider-rules.js';
import { optionalText } from './values.js';
import { refusedLabels } from './template.js';
import { texts } from './texts.js';
import { isTrackingAnnotation, isTrackingLabel } from './tracking.js';

function ownersOf(root: JsonObject): JsonObject[] {
  const owners =
    getAt(root, ['metadata', 'ownerReferences']) ?? getAt(root, ['machine', 'metadata', 'ownerReferences']);
  return (Array.isArray(owners) ? owners : []).filter((each) => isRecord(each));
}

/** The set a machine belongs to, on either side. */
function setNameOf(root: JsonObject, { owners }: MachineContext): string | undefined {
  if (owners !== undefined) return owners.set?.kind === 'MachineSet' ? owners.set.name : undefined;
  const owner = ownersOf(root).find((each) => each['kind'] === 'MachineSet');
  // What was converted without its owners has the name in the label that follows from them.
  const name: unknown = owner?.['name'] ?? getAt(root, ['machine', 'metadata', 'labels', SET_NAME_LABEL]);
  return typeof name === 'string' ? name : undefined;
}

function labelFacts(platform: MachinePlatform): (scope: Scope<MachineContext>) => LabelFacts {
  return (scope) => ({
    clusterName: scope.run.context.clusterName,
    setName: setNameOf(scope.run.root, scope.run.context),
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
        // Machines of a set have the labels of its template, which its selector may name.
        dropped: (key, { run }) =>
          isTrackingLabel(key) &&
          run.context.owners?.set === undefined &&
          !ownersOf(run.root).some((each) => each['kind'] !== 'Cluster'),
      }),
      texts(annotationConversion, {
        left: [
          ['metadata', 'annotations'],
          ['spec', 'metadata', 'annotations'],
        ],
        right: places.annotations,
        facts: () => undefined,
        dropped: isTrackingAnnotation,
      }),
      windowsRule(['metadata', 'labels']),
      ...machineSpecRules(places, 'machine'),
      move('spec.providerID', 'machine.spec.providerID', optionalText),
      // Machines of a set get it from the template in Cluster API; in Machine API the set alone has it.
      preserved('right', 'machine.spec.minReadySeconds'),
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
