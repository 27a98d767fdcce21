/** What a set has in it for the machines it makes: a template here, a template and an object it names there. */
import { derived, unsupported } from '../engine/field-rules.js';
import type { Path } from '../engine/path.js';
import type { Scope } from '../engine/rule.js';
import { annotationConversion } from './annotations.js';
import { failureDomainRule, zoneOf } from './failure-domain.js';
import type { LabelFacts } from './labels.js';
import { labelConversion } from './labels.js';
import { DEPLOYMENT_NAME_LABEL } from './names.js';
import { windowsRule } from './operating-system.js';
import { ignored, machineSpecRules, ownMetadata, typed } from './object-rules.js';
import type { MachineContext, MachinePlatform, MachineRule } from './platform.js';
import { apiVersionOf, providerRules, specFields } from './provider-rules.js';
import type { TextPlaces } from './texts.js';
import { texts } from './texts.js';
import { isTrackingAnnotation, isTrackingLabel } from './tracking.js';

/** Labels that say a machine belongs to something Machine API has not. */
export const refusedLabels: Readonly<Record<string, string>> = {
  [DEPLOYMENT_NAME_LABEL]: 'belongs to a MachineDeployment, which Machine API does not have',
};

const ownFacts = ({ run }: Scope<MachineContext>): LabelFacts => ({ clusterName: run.context.clusterName });

/** Labels and annotations of a set itself. */
export function ownTexts(
  right: Path,
  annotations = annotationConversion,
  dropped: (key: string, scope: Scope<MachineContext>) => boolean = () => false,
): MachineRule[] {
  return [
    texts(labelConversion, {
      left: [['metadata', 'labels']],
      right: [...right, 'metadata', 'labels'],
      facts: ownFacts,
      refused: refusedLabels,
      dropped: isTrackingLabel,
    }),
    texts(annotations, {
      left: [['metadata', 'annotations']],
      right: [...right, 'metadata', 'annotations'],
      facts: () => undefined,
      dropped: (key, scope) => isTrackingAnnotation(key) || dropped(key, scope),
    }),
  ];
}

/** Where the template of machines is in a set; the object it names is `template` on the right. */
export interface TemplatePlaces {
  readonly left: Path;
  readonly right: Path;
}

function textPlaces(places: TemplatePlaces, field: string): Pick<TextPlaces<unknown>, 'left' | 'right'> {
  return {
    left: [
      [...places.left, 'metadata', field],
      [...places.left, 'spec', 'metadata', field],
    ],
    right: [...places.right, 'metadata', field],
  };
}

/** What templates of the platform have next to the spec of their machines. */
function templateExtras(platform: MachinePlatform): MachineRule[] {
  const roots = new Set<string>();
  for (const line of specFields(platform.template)) {
    const path = line.slice(0, line.lastIndexOf(' '));
    if (path === 'template.spec' || path.startsWith('template.spec.')) continue;
    roots.add(/^(?:template\.)?[^.[{]+/.exec(path)?.[0] ?? path);
  }
  const reason = 'Machine API has no place for it: remove it';
  return [...roots].map((path) =>
    unsupported<MachineContext>('right', ['template', 'spec', ...path.split('.')], reason),
  );
}

/** The object that holds the platform's part. It gets its name after the map ran: that follows from what is in it. */
function namedTemplate(platform: MachinePlatform): MachineRule[] {
  return [
    ...typed('right', ['template'], apiVersionOf(platform.template), platform.template.kind.kind),
    ...ownMetadata('right', ['template']),
    ...['name', 'labels', 'annotations'].map((name) => ignored('right', ['template', 'metadata', name])),
    ignored('right', ['template', 'status']),
    ...templateExtras(platform),
  ];
}

/** All rules of the template of a set. */
export function templateRules(platform: MachinePlatform, places: TemplatePlaces): MachineRule[] {
  const spec = { left: [...places.left, 'spec'], right: [...places.right, 'spec'] };
  const [labels, annotations] = [textPlaces(places, 'labels'), textPlaces(places, 'annotations')];
  const reference = (field: string): Path => [...spec.right, 'infrastructureRef', field];
  const { kind } = platform.template;
  return [
    ...namedTemplate(platform),
    ...providerRules(
      platform,
      {
        providerSpec: [...spec.left, 'providerSpec', 'value'],
        machine: spec.right,
        infrastructure: ['template', 'spec', 'template', 'spec'],
      },
      'template',
    ),
    ...failureDomainRule(platform, labels.left[0] ?? [], [...spec.right, 'failureDomain']),
    texts(labelConversion, {
      ...labels,
      facts: (scope) => ({ ...ownFacts(scope), zone: zoneOf(platform, scope) }),
      refused: refusedLabels,
    }),
    windowsRule(labels.left[0] ?? []),
    texts(annotationConversion, { ...annotations, facts: () => undefined }),
    ...machineSpecRules({ ...spec, annotations: annotations.right }, 'template'),
    derived<MachineContext>('right', reference('apiGroup'), () => kind.group),
    derived<MachineContext>('right', reference('kind'), () => kind.kind),
    ignored('right', reference('name')),
  ];
}
