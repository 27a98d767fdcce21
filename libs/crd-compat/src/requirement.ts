/** One requirement, compiled once and asked often. */
import { type FieldError, indexField, invalid, joinField, required as requiredField, pushAll } from '@capstan/meta';
import { compareDefinitions } from './compare/definitions.js';
import { type Definition, readDefinition, versionOf } from './definition.js';
import { reportOf } from './findings.js';
import type { CompatibilityReport } from './report.js';
import { type ExcludedPath, type ExclusionTree, readExclusions } from './selection.js';

/** The kube-apiserver that serves the definitions. */
export interface ServerRelease {
  /** The minor release of Kubernetes 1.x. */
  readonly minor: number;
}

/** What of a definition is required. */
export interface RequirementOptions {
  /** Names of the required versions; see `selectVersions`. */
  readonly versions: readonly string[];
  readonly excludedFields?: readonly ExcludedPath[] | null;
  /** The newest supported release unless told. */
  readonly server?: ServerRelease;
}

const defaultMinor = 36;

/** A requirement made ready. */
export class RequirementCheck {
  /** Name of the definition it is about. */
  readonly crdName: string;
  readonly versions: readonly string[];
  readonly #definition: Definition;
  readonly #exclusions: ReadonlyMap<string, ExclusionTree>;
  readonly #minor: number;

  constructor(
    definition: Definition,
    versions: readonly string[],
    exclusions: ReadonlyMap<string, ExclusionTree>,
    minor: number,
  ) {
    this.crdName = definition.name;
    this.versions = versions;
    this.#definition = definition;
    this.#exclusions = exclusions;
    this.#minor = minor;
  }

  /** Is everything that was good under the requirement still good under this definition? */
  check(liveCrd: object): CompatibilityReport {
    const live = readDefinition(liveCrd, this.#minor, this.#definition);
    return reportOf(
      compareDefinitions({
        required: this.#definition,
        live,
        versions: this.versions,
        exclusions: this.#exclusions,
        minor: this.#minor,
      }),
    );
  }
}

/** Compiles a requirement, or tells what is wrong with it. */
export function prepareRequirement(
  crd: object,
  options: RequirementOptions,
): { readonly ok: RequirementCheck } | { readonly errors: readonly FieldError[] } {
  const minor = options.server?.minor ?? defaultMinor;
  const definition = readDefinition(crd, minor);
  const errors: FieldError[] = [];
  if (definition.name === '') errors.push(requiredField('metadata.name'));
  for (const [index, name] of options.versions.entries()) {
    if (versionOf(definition, name) !== undefined) continue;
    const at = indexField('spec.compatibilitySchema.requiredVersions', index);
    errors.push(invalid(at, name, 'the required definition has no such version'));
  }
  if (options.versions.length === 0) {
    const at = joinField('spec.compatibilitySchema', 'requiredVersions');
    errors.push(invalid(at, '', 'selects no version of the required definition'));
  }
  const exclusions = readExclusions(definition, options.versions, options.excludedFields ?? []);
  pushAll(errors, exclusions.errors);
  if (errors.length > 0) return { errors };
  return { ok: new RequirementCheck(definition, options.versions, exclusions.byVersion, minor) };
}
