/** MachineSet of Machine API; MachineSet and infrastructure machine template of Cluster API. */
import { derived, move, unsupported } from '../engine/field-rules.js';
import type { Path } from '../engine/path.js';
import { parsePath } from '../engine/path.js';
import type { Scope } from '../engine/rule.js';
import { TwoWayMap } from '../engine/two-way-map.js';
import { annotationConversion } from './annotations.js';
import { failureDomainRule, zoneOf } from './failure-domain.js';
import type { LabelFacts } from './labels.js';
import { labelConversion } from './labels.js';
import { refusedLabels } from './machine.js';
import { CLUSTER_API, KEPT_ANNOTATION, MACHINE_API } from './names.js';
import { ignored, machineSpecRules, ownMetadata, typed } from './object-rules.js';
import type { MachineContext, MachinePlatform, MachineRule } from './platform.js';
import type { ProviderPlaces } from './provider-rules.js';
import { apiVersionOf, providerRules, specFields } from './provider-rules.js';
import { optionalNumber, optionalText } from './rules.js';
import { texts } from './texts.js';

const places: ProviderPlaces = {
  providerSpec: parsePath('spec.template.spec.providerSpec.value'),
  machine: parsePath('machineSet.spec.template.spec'),
  infrastructure: parsePath('template.spec.template.spec'),
};

const ownLabels = { left: parsePath('metadata.labels'), right: parsePath('machineSet.metadata.labels') };
const ownAnnotations = { left: parsePath('metadata.annotations'), right: parsePath('machineSet.metadata.annotations') };
const labels = {
  left: [parsePath('spec.template.metadata.labels'), parsePath('spec.template.spec.metadata.labels')],
  right: parsePath('machineSet.spec.template.metadata.labels'),
};
const annotations = {
  left: [parsePath('spec.template.metadata.annotations'), parsePath('spec.template.spec.metadata.annotations')],
  right: parsePath('machineSet.spec.template.metadata.annotations'),
};

const ownFacts = ({ run }: Scope<MachineContext>): LabelFacts => ({ clusterName: run.context.clusterName });

/** What templates of the platform say beside the spec of their machines. */
function templateExtras(platform: MachinePlatform): MachineRule[] {
  const roots = new Set<string>();
  for (const line of specFields(platform.template)) {
    const path = line.slice(0, line.lastIndexOf(' '));
    if (path === 'template.spec' || path.startsWith('template.spec.')) continue;
    roots.add(/^(?:template\.)?[^.[{]+/.exec(path)?.[0] ?? path);
  }
  return [...roots].map((path) =>
    unsupported<MachineContext>(
      'right',
      ['template', 'spec', ...path.split('.')],
      'Machine API has no place for it: remove it',
    ),
  );
}

/** The map of a platform's sets of machines. Templates get their names after it ran: they follow from their content. */
export function machineSetMap(platform: MachinePlatform): TwoWayMap<MachineContext> {
  const { kind } = platform.template;
  const reference = (field: string): Path => [...places.machine, 'infrastructureRef', field];
  const noNames = 'is not kept: machines of a set get their names from it';
  return new TwoWayMap<MachineContext>({
    preserve: { side: 'left', annotation: KEPT_ANNOTATION, content: 'sparse', annotations: ownAnnotations.right },
    rules: [
      ...typed('left', [], MACHINE_API, 'MachineSet'),
      ...typed('right', ['machineSet'], CLUSTER_API, 'MachineSet'),
      ...typed('right', ['template'], apiVersionOf(platform.template), kind.kind),
      move('metadata.name', 'machineSet.metadata.name'),
      ...ownMetadata('left', []),
      ...ownMetadata('right', ['machineSet']),
      ...ownMetadata('right', ['template']),
      ...['name', 'labels', 'annotations'].map((name) => ignored('right', ['template', 'metadata', name])),
      ...providerRules(platform, places, 'template'),
      ...templateExtras(platform),
      ...failureDomainRule(platform, labels.left[0] ?? [], [...places.machine, 'failureDomain']),
      texts(labelConversion, {
        left: [ownLabels.left],
        right: ownLabels.right,
        facts: ownFacts,
        refused: refusedLabels,
      }),
      texts(annotationConversion, {
        left: [ownAnnotations.left],
        right: ownAnnotations.right,
        facts: () => undefined,
      }),
      texts(labelConversion, {
        left: labels.left,
        right: labels.right,
        facts: (scope) => ({ ...ownFacts(scope), zone: zoneOf(platform, scope) }),
        refused: refusedLabels,
      }),
      texts(annotationConversion, { left: annotations.left, right: annotations.right, facts: () => undefined }),
      ...['name', 'generateName', 'namespace', 'ownerReferences'].map((name) =>
        unsupported<MachineContext>('left', `spec.template.metadata.${name}`, noNames),
      ),
      move('spec.selector', 'machineSet.spec.selector'),
      move('spec.replicas', 'machineSet.spec.replicas'),
      move('spec.deletePolicy', 'machineSet.spec.deletion.order', optionalText),
      move('spec.minReadySeconds', [...places.machine, 'minReadySeconds'], optionalNumber),
      ...machineSpecRules(
        { left: parsePath('spec.template.spec'), right: places.machine, annotations: annotations.right },
        'template',
      ),
      authority,
      derived<MachineContext>('right', 'machineSet.spec.clusterName', ({ context }) => context.clusterName),
      derived<MachineContext>('right', reference('apiGroup'), () => kind.group),
      derived<MachineContext>('right', reference('kind'), () => kind.kind),
      ignored('right', reference('name')),
      unsupported(
        'right',
        'machineSet.spec.machineNaming',
        'Machine API names the machines of a set itself: remove it',
      ),
      ignored('left', ['status']),
      ignored('right', ['machineSet', 'status']),
      ignored('right', ['template', 'status']),
    ],
  });
}

/** Which API is in charge of the set itself. */
const authority: MachineRule = {
  claims: { left: [{ path: 'spec.authoritativeAPI', fate: 'derived' }], right: [] },
  convert: ({ run, target }) => {
    if (run.to !== 'left' || run.from === 'left' || run.context.authority === undefined) return;
    const spec = target['spec'] as Record<string, unknown> | undefined;
    target['spec'] = { ...spec, authoritativeAPI: run.context.authority };
  },
};
