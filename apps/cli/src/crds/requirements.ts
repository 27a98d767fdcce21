import type { CompatibilityRequirement } from '@capstan/api/apiextensions';
import { readRequiredCrd, readRequirement } from '@capstan/crd-compatibility';
import type { Reading, ReadRequirement } from '@capstan/crd-compatibility';
import { fieldErrorMessage } from '@capstan/meta';
import type { FieldError, JsonObject, KubeObject } from '@capstan/meta';
import { CliError } from '../errors.js';
import { CRD_KIND, headOf } from './head.js';
import type { SourceObject } from './read.js';

/** What is required of a CRD, and by whom. */
export interface NamedRequirement extends ReadRequirement {
  readonly name: string;
  /** As written; absent where a CRD itself stands for what is required. */
  readonly object?: CompatibilityRequirement | undefined;
}

/** How a CRD is taken for a requirement. */
export interface DefinitionTerms {
  /** `served`, `storage`, or names. */
  readonly versions: string;
  readonly exclude: readonly string[];
  readonly minor: number;
}

/** Reads requirements, and CRDs that stand for one; one that cannot be read spoils the lot. */
export async function readRequirements(
  sources: readonly SourceObject[],
  terms: DefinitionTerms,
): Promise<NamedRequirement[]> {
  const all: NamedRequirement[] = [];
  for (const source of sources) all.push(await readOne(source, terms));
  return all;
}

async function readOne({ label, object, where }: SourceObject, terms: DefinitionTerms): Promise<NamedRequirement> {
  const { kind, name } = headOf(object);
  const isRequirement = kind === 'CompatibilityRequirement';
  if (!isRequirement && kind !== CRD_KIND)
    throw new CliError(
      `${where}: ${kind} ${name} is neither a CompatibilityRequirement nor a CustomResourceDefinition`,
      'name files of one or the other with --requirement',
    );
  const reading = isRequirement ? await readStated(object, terms) : readCrd(object as KubeObject, terms);
  if ('errors' in reading) {
    const problems = reading.errors.map(problemText).join('\n  ');
    throw new CliError(`${where}: ${kind} ${name} cannot be used:\n  ${problems}`, 'fix it, or leave it out');
  }
  return isRequirement
    ? { ...reading.ok, name, object: object as CompatibilityRequirement }
    : { ...reading.ok, name: label ?? where };
}

function problemText(error: FieldError): string {
  const { detail, field } = error;
  return detail === '' ? fieldErrorMessage(error) : `${field}: ${detail}`;
}

/** A requirement as it stands. Those of clusters have passed their schema; it is loaded where one stands in a file. */
async function readStated(object: unknown, { minor }: DefinitionTerms): Promise<Reading> {
  const { requirementErrors } = await import('./requirement-shape.js');
  const errors = requirementErrors(object);
  return errors.length > 0 ? { errors } : readRequirement((object as CompatibilityRequirement).spec, { minor });
}

/** The requirement that a user of the CRD would state who needs it as it is. */
function readCrd(crd: KubeObject, { exclude, minor, versions }: DefinitionTerms): Reading {
  const isNamed = versions !== 'served' && versions !== 'storage';
  const parts = {
    requiredVersions: {
      defaultSelection: versions === 'served' ? ('AllServed' as const) : ('StorageOnly' as const),
      ...(isNamed ? { additionalVersions: versions.split(',') } : {}),
    },
    excludedFields: exclude.map((path) => ({ path })),
  };
  return readRequiredCrd(crd as JsonObject, parts, { minor });
}
