/** One requirement, compiled once and asked often. */
import { type FieldError, indexField, invalid, joinField, pushAll } from '@capstan/meta';
import type { Comparison } from './compare/comparison.js';
import { compareDefinitions } from './compare/definitions.js';
import { type Definition, readDefinition, sharingSchemas, versionOf } from './definition.js';
import { reportOf } from './findings.js';
import { freshFindings } from './ratchet/update.js';
import type { CompatibilityReport, UpdateReport } from './report.js';
import { type ExcludedPath, type ExclusionTree, readExclusions } from './selection.js';
import { invalidFindings } from './validity/findings.js';
import { definitionErrors } from './validity/invalid-definition.js';

/** The kube-apiserver that serves the CRDs. */
export interface ServerRelease {
  /** The minor release of Kubernetes 1.x. */
  readonly minor: number;
}

/** What of a CRD is required. */
export interface RequirementOptions {
  /** Names of the required versions; see `selectVersions`. */
  readonly versions: readonly string[];
  readonly excludedFields?: readonly ExcludedPath[] | null;
  /** The newest supported release when not set. */
  readonly server?: ServerRelease;
}

/** What is known of a live CRD besides its text. */
export interface LiveOptions {
  /**
   * The CRD that the server stores at present, the live one itself where it was read from a server: what the
   * server took once is not held against it. Without it the CRD is validated as one to be created.
   */
  readonly stored?: object | undefined;
}

const defaultMinor = 36;

/** A requirement made ready. */
export class RequirementCheck {
  /** Name of the CRD it is about. */
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

  /**
   * Is everything that was good under the requirement still good under this CRD? One that the server refuses is
   * not compared any further.
   */
  check(liveCrd: object, options: LiveOptions = {}): CompatibilityReport {
    // What the server took once is not validated, so nothing is gained by what it shares.
    const live = options.stored === undefined ? sharingSchemas(liveCrd, this.#definition) : liveCrd;
    const validity = { minor: this.#minor, stored: options.stored };
    const invalid = invalidFindings(live, this.versions[0] ?? '', validity);
    if (invalid.length > 0) return reportOf(invalid);
    return reportOf(compareDefinitions(this.#comparison(this.#read(live))));
  }

  /** Does an update of the live CRD break more than was broken? Both are taken for valid: the server stores no other. */
  checkUpdate(oldCrd: object, liveCrd: object): UpdateReport {
    const old = this.#read(oldCrd);
    const comparison = this.#comparison(this.#read(liveCrd));
    const report = reportOf(compareDefinitions(comparison));
    const before = reportOf(compareDefinitions(this.#comparison(old))).findings;
    return { ...report, fresh: freshFindings({ comparison, old, before, after: report.findings }) };
  }

  #read(crd: object): Definition {
    return readDefinition(crd, this.#minor, this.#definition);
  }

  #comparison(live: Definition): Comparison {
    return {
      required: this.#definition,
      live,
      versions: this.versions,
      exclusions: this.#exclusions,
      minor: this.#minor,
    };
  }
}

/** Compiles a requirement, or returns what is wrong with it. */
export function prepareRequirement(
  crd: object,
  options: RequirementOptions,
): { readonly ok: RequirementCheck } | { readonly errors: readonly FieldError[] } {
  const minor = options.server?.minor ?? defaultMinor;
  const refused = definitionErrors(crd, { minor });
  if (refused.length > 0) return { errors: refused };
  const definition = readDefinition(crd, minor);
  const errors: FieldError[] = [];
  for (const [index, name] of options.versions.entries()) {
    if (versionOf(definition, name) !== undefined) continue;
    const at = indexField('spec.compatibilitySchema.requiredVersions', index);
    errors.push(invalid(at, name, 'the required CRD has no such version'));
  }
  if (options.versions.length === 0) {
    const at = joinField('spec.compatibilitySchema', 'requiredVersions');
    errors.push(invalid(at, '', 'selects no version of the required CRD'));
  }
  const exclusions = readExclusions(definition, options.versions, options.excludedFields ?? []);
  pushAll(errors, exclusions.errors);
  if (errors.length > 0) return { errors };
  return { ok: new RequirementCheck(definition, options.versions, exclusions.byVersion, minor) };
}
