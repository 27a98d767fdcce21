import { TranslationError } from '../errors.js';
import type { Shape } from '../json/shape.js';
import { members } from '../json/shape.js';
import type { Fields } from './fields.js';
import { withMembers } from './fields.js';
import type { Surface } from './surface.js';

/** How names of CRDs carry a group. */
export interface NameForm {
  readonly swap: (name: string) => string;
  readonly group: (name: string) => string | undefined;
}

/** `machines.cluster.x-k8s.io`, and `v1beta1.cluster.x-k8s.io` of APIServices. */
export function afterDot({ mapping }: Fields): NameForm {
  return {
    swap: (name) => mapping.swapAfterDot(name),
    group: (name) => (name.includes('.') ? name.slice(name.indexOf('.') + 1) : undefined),
  };
}

/** `cluster.x-k8s.io.machines` of StorageVersions. */
export function beforeLastDot({ mapping }: Fields): NameForm {
  const split = (name: string): [string, string] => [
    name.slice(0, name.lastIndexOf('.')),
    name.slice(name.lastIndexOf('.')),
  ];
  return {
    swap: (name) => (name.includes('.') ? mapping.swap(split(name)[0]) + split(name)[1] : name),
    group: (name) => (name.includes('.') ? split(name)[0] : undefined),
  };
}

/** CustomResourceDefinitions, APIServices, StorageVersions: their names carry groups, and those of the platform are hidden. */
export function definition(fields: Fields, form: NameForm): Surface {
  const { mapping, apiVersion, metadata, group } = fields;
  const versions: Shape = { items: apiVersion };
  // Of StorageVersions; the status of the others carries none.
  const stored = members({ encodingVersion: apiVersion, decodableVersions: versions, servedVersions: versions });
  const status = members({ commonEncodingVersion: apiVersion, storageVersions: { items: { members: stored } } });
  const decideByName = (name: string): 'keep' | 'drop' => {
    const of = form.group(name);
    return of !== undefined && mapping.side(of) === 'standard' ? 'drop' : 'keep';
  };
  return {
    object: {
      members: members({
        apiVersion,
        metadata: withMembers(metadata, { name: { text: form.swap } }),
        spec: { members: members({ group }) },
        status: { members: status },
      }),
    },
    decideByName,
    swapName: form.swap,
  };
}

/** The same for what clients write: a private name would become the platform's, and must not. */
export function writtenDefinition(surface: Surface, { mapping, group }: Fields, form: NameForm): Shape {
  const refuse = (of: string | undefined): void => {
    if (of !== undefined && mapping.side(of) === 'private')
      throw new TranslationError('HIDDEN', `the API group ${JSON.stringify(of)} is not served here`);
  };
  const name: Shape = {
    text: (text) => {
      refuse(form.group(text));
      return form.swap(text);
    },
  };
  const ofSpec: Shape = {
    ...group,
    text: (text) => {
      refuse(text);
      return mapping.swap(text);
    },
  };
  const metadata = surface.object.members?.get('metadata') ?? {};
  return withMembers(surface.object, {
    metadata: withMembers(metadata, { name }),
    spec: { members: members({ group: ofSpec }) },
  });
}
