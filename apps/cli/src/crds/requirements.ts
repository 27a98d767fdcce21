import type { CompatibilityRequirement, CompatibilityRequirementSpec } from '@capstan/api/apiextensions';
import { readRequirement } from '@capstan/crd-compatibility';
import type { ReadRequirement } from '@capstan/crd-compatibility';
import type { KubeObject } from '@capstan/meta';
import type { SourceObject } from '@capstan/translate/mirror';
import { CliError } from '../errors.js';

/** What is required of a definition, and by whom. */
export interface NamedRequirement extends ReadRequirement {
  readonly name: string;
  /** As written; absent where a definition itself stands for what is required. */
  readonly object?: CompatibilityRequirement | undefined;
}

/** How a definition is taken for a requirement. */
export interface DefinitionTerms {
  /** `served`, `storage`, or names. */
  readonly versions: string;
  readonly exclude: readonly string[];
  readonly minor: number;
}

/** Reads requirements, and definitions that stand for one; one that cannot be read spoils the lot. */
export async function readRequirements(
  sources: readonly SourceObject[],
  terms: DefinitionTerms,
): Promise<NamedRequirement[]> {
  const all: NamedRequirement[] = [];
  for (const { object, where } of sources) all.push(await readOne(object as KubeObject, where, terms));
  return all;
}

async function readOne(object: KubeObject, where: string, terms: DefinitionTerms): Promise<NamedRequirement> {
  const { name = '' } = object.metadata;
  const isRequirement = object.kind === 'CompatibilityRequirement';
  if (!isRequirement && object.kind !== 'CustomResourceDefinition')
    throw new CliError(
      `${where}: ${object.kind} ${name} is neither a CompatibilityRequirement nor a CustomResourceDefinition`,
      'name files of one or the other with --requirement',
    );
  const spec = isRequirement ? (object as CompatibilityRequirement).spec : specOf(object, terms);
  const reading = await readRequirement(spec, { minor: terms.minor });
  if ('errors' in reading) {
    const problems = reading.errors.map(({ detail, field }) => `${field}: ${detail}`).join('\n  ');
    throw new CliError(`${where}: ${object.kind} ${name} cannot be used:\n  ${problems}`, 'mend it, or leave it out');
  }
  return isRequirement
    ? { ...reading.ok, name, object: object as CompatibilityRequirement }
    : { ...reading.ok, name: where.replace(/, document 1, line 1$/, '') };
}

/** The requirement that somebody would state who needs the definition as it is. */
function specOf(definition: KubeObject, { exclude, versions }: DefinitionTerms): CompatibilityRequirementSpec {
  const isNamed = versions !== 'served' && versions !== 'storage';
  return {
    compatibilitySchema: {
      customResourceDefinition: { type: 'YAML', data: JSON.stringify(definition) },
      requiredVersions: {
        defaultSelection: versions === 'served' ? 'AllServed' : 'StorageOnly',
        ...(isNamed ? { additionalVersions: versions.split(',') } : {}),
      },
      ...(exclude.length === 0 ? {} : { excludedFields: exclude.map((path) => ({ path })) }),
    },
  } as CompatibilityRequirementSpec;
}
