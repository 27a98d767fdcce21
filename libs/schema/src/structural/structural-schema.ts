/** The schema of one version of a custom resource: what the server does with values of that version. */
import { type FieldError, invalid } from '@capstan/meta';
import { Checker } from './checker.js';
import { Correlation } from './correlation.js';
import { applyDefaults, dropInvalidNulls } from './defaults.js';
import { checkEmbeddedIn, type MetadataProblem } from './embedded.js';
import { Findings } from './findings.js';
import { withReleaseReasons, withReleaseValues } from './legacy-values.js';
import { checkListTypes } from './list-types.js';
import { type KnownNodes, parseSchema } from './parse-schema.js';
import { isPrepared } from './prepared.js';
import { pruneValue } from './prune.js';
import { RuleTree } from './rule-tree.js';
import { type SchemaNode, schemaFeature } from './schema-node.js';

/** Whose behaviour to have. */
export interface StructuralSchemaOptions {
  /** The minor release of Kubernetes 1.x to be; 36 unless told. */
  readonly minor?: number;
  /** Nodes that were read before; see {@link KnownNodes}. */
  readonly known?: KnownNodes;
}

/** What validation found. Warnings are CEL complaints about values that an update left as they were. */
export interface ValidationResult {
  readonly errors: readonly FieldError[];
  readonly warnings: readonly string[];
}

/** The minor release of Kubernetes 1.x that is meant where none is named. */
export const defaultMinor = 36;

const blocking: ReadonlySet<string> = new Set(['NotSupported', 'Required', 'TooLong', 'TooMany', 'TypeInvalid']);
const skipped =
  'some validation rules were not checked because the object was invalid; correct the existing errors to complete validation';
const noWarnings: readonly string[] = [];

/** Validates, prunes and defaults values. Made once per CRD version; parts are made ready when first needed. */
export class StructuralSchema {
  readonly root: SchemaNode;
  readonly minor: number;
  readonly #checker: Checker;
  #statusChecker: Checker | undefined;
  #rules: RuleTree | undefined;

  constructor(openApiV3Schema: unknown, options: StructuralSchemaOptions = {}) {
    this.root = parseSchema(openApiV3Schema, options.known);
    this.minor = options.minor ?? defaultMinor;
    this.#checker = new Checker(this.root, { minor: this.minor });
  }

  /** Removes unknown fields in place; returns their paths in byte order. The value is a resource unless told. */
  prune(value: unknown, options: { readonly root?: boolean } = {}): string[] {
    return pruneValue(value, this.root, options.root ?? true);
  }

  /** Removes, in place, null members that are neither nullable nor defaulted. */
  dropInvalidNulls(value: unknown): void {
    dropInvalidNulls(value, this.root);
  }

  /** Fills in defaults in place. */
  applyDefaults(value: unknown): void {
    applyDefaults(value, this.root);
  }

  /** What a written value goes through on decoding: pruned, nulls dropped, defaulted. Returns the unknown fields. */
  prepare(value: unknown): string[] {
    const removed = this.prune(value);
    this.dropInvalidNulls(value);
    this.applyDefaults(value);
    return removed;
  }

  /** Whether {@link prepare} would change nothing, told without changing anything; false when that is not easily told. */
  isPrepared(value: unknown): boolean {
    return isPrepared(value, this.root);
  }

  /** The OpenAPI checks alone, without embedded resources, list types and rules. */
  validateSchema(value: unknown, old?: unknown): FieldError[] {
    return this.#checkSchema(value, old === undefined ? undefined : new Correlation(value, old, this.root));
  }

  #checkSchema(value: unknown, correlation: Correlation | undefined): FieldError[] {
    const findings = new Findings('', this.minor);
    this.#checker.check(value, '', findings, correlation);
    return findings.distinct();
  }

  /**
   * All checks of a custom resource, in the server's order. With `old` it is an update. `more` are complaints of the
   * caller, reported behind those about the schema; `told` are those it reports itself; `metadataProblem` looks at the
   * metadata of embedded resources that nobody has read before.
   */
  validate(
    value: unknown,
    options: {
      readonly old?: unknown;
      readonly more?: readonly FieldError[];
      readonly told?: readonly FieldError[];
      readonly metadataProblem?: MetadataProblem;
    } = {},
  ): ValidationResult {
    const { old, more, told, metadataProblem } = options;
    const correlation = old === undefined ? undefined : new Correlation(value, old, this.root);
    const errors = this.#checkSchema(value, correlation);
    if (more !== undefined) errors.push(...more);
    if ((this.root.features & schemaFeature.embedded) !== 0) {
      errors.push(...withReleaseReasons(checkEmbeddedIn(value, this.root, metadataProblem), this.minor));
    }
    return this.#checkInvariants({ value, old, told }, errors, correlation);
  }

  /** What is checked of a value that claims to be of another kind: all but the schema. With `old` it is an update. */
  validateStranger(
    value: unknown,
    told: readonly FieldError[],
    metadataProblem?: MetadataProblem,
    old?: unknown,
  ): ValidationResult {
    const errors: FieldError[] = [];
    if ((this.root.features & schemaFeature.embedded) !== 0)
      errors.push(...withReleaseReasons(checkEmbeddedIn(value, this.root, metadataProblem), this.minor));
    const correlation = old === undefined ? undefined : new Correlation(value, old, this.root);
    return this.#checkInvariants({ value, old, told }, errors, correlation);
  }

  /** The checks of a write to the status subresource: of the schema, the status alone is looked at. */
  validateStatus(
    value: unknown,
    options: { readonly old: unknown; readonly more?: readonly FieldError[]; readonly told?: readonly FieldError[] },
  ): ValidationResult {
    const { old, more = [], told } = options;
    const correlation = new Correlation(value, old, this.root);
    const errors = [...this.#checkStatus(value, correlation), ...more];
    return this.#checkInvariants({ value, old, told }, errors, correlation);
  }

  #checkStatus(value: unknown, correlation: Correlation): FieldError[] {
    const node = this.root.properties?.get('status');
    const status = (value as { status?: unknown } | null)?.status;
    if (node === undefined || status === undefined) return [];
    const findings = new Findings('status', this.minor);
    this.#statusChecker ??= new Checker(node, { minor: this.minor });
    this.#statusChecker.check(status, '', findings, correlation.key('status'));
    return findings.distinct();
  }

  /** Repetitions in lists, and the rules. */
  #checkInvariants(
    { value, old, told = [] }: { value: unknown; old: unknown; told: readonly FieldError[] | undefined },
    errors: FieldError[],
    correlation: Correlation | undefined,
  ): ValidationResult {
    const { features } = this.root;
    // Lists that had repetitions before may keep them, whichever they are.
    if (
      (features & schemaFeature.uniqueLists) !== 0 &&
      !(old !== undefined && checkListTypes(old, this.root).length > 0)
    ) {
      errors.push(...checkListTypes(value, this.root));
    }
    if ((features & schemaFeature.rules) === 0) return this.#result(errors, noWarnings);
    if ([...told, ...errors].some(({ type }) => blocking.has(type))) {
      return this.#result([...errors, invalid('', null, skipped)], noWarnings);
    }
    this.#rules ??= new RuleTree(this.root, { resource: true, minor: this.minor });
    const run = this.#rules.run(value, old, { correlation });
    return this.#result([...errors, ...run.errors], run.warnings);
  }

  #result(errors: readonly FieldError[], warnings: readonly string[]): ValidationResult {
    return { errors: withReleaseValues(errors, this.minor), warnings };
  }
}
