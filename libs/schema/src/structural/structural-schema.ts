/** The schema of one version of a custom resource: what the server does with values of that version. */
import { type FieldError, invalid, pushAll } from '@capstan/meta';
import { Checker } from './validate/checker.js';
import { Correlation } from './schema/correlation.js';
import { applyDefaults, dropInvalidNulls } from './shape/defaults.js';
import { checkEmbeddedIn, type MetadataProblem } from './shape/embedded.js';
import { Findings } from './validate/findings.js';
import { withReleaseReasons, withReleaseValues } from './validate/legacy-values.js';
import { checkListTypes } from './validate/list-types.js';
import { type KnownNodes, parseSchema } from './schema/parse-schema.js';
import { isPrepared } from './shape/prepared.js';
import { pruneValue } from './shape/prune.js';
import { RuleTree } from './rules/tree.js';
import { type SchemaNode, schemaFeature } from './schema/schema-node.js';

/** Whose behaviour to have. */
export interface StructuralSchemaOptions {
  /** The minor release of Kubernetes 1.x to be; 36 by default. */
  readonly minor?: number;
  /** Nodes that were read before; see {@link KnownNodes}. */
  readonly known?: KnownNodes;
}

/** What validation found. Warnings are CEL complaints about values that an update left as they were. */
export interface ValidationResult {
  readonly errors: readonly FieldError[];
  readonly warnings: readonly string[];
  /** The schema itself, rules aside, has nothing against the value, not even what an update may leave as it was. */
  readonly isSound: boolean;
}

/** What is checked. */
interface Checked {
  readonly value: unknown;
  readonly old: unknown;
  readonly isOldSound: boolean;
  readonly callerErrors: readonly FieldError[] | undefined;
}

/** The minor release of Kubernetes 1.x that is meant where none is named. */
export const defaultMinor = 36;

const blocking: ReadonlySet<string> = new Set(['NotSupported', 'Required', 'TooLong', 'TooMany', 'TypeInvalid']);
const skipped =
  'some validation rules were not checked because the object was invalid; correct the existing errors to complete validation';
const noWarnings: readonly string[] = [];

function isBlocking({ type }: FieldError): boolean {
  return blocking.has(type);
}

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

  /** Removes unknown fields in place; returns their paths in byte order. The value is a resource by default. */
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

  /**
   * Whether {@link prepare} would change nothing, found without changing anything; false when that is not easily known.
   * Parts that are the very ones of `since`, which is prepared, are not looked at.
   */
  isPrepared(value: unknown, since?: unknown): boolean {
    return isPrepared(value, this.root, since);
  }

  /** The OpenAPI checks alone, without embedded resources, list types and rules. */
  validateSchema(value: unknown, old?: unknown): FieldError[] {
    return this.#checkSchema(value, old === undefined ? undefined : new Correlation(value, old, this.root)).distinct();
  }

  #checkSchema(value: unknown, correlation: Correlation | undefined): Findings {
    const findings = new Findings('', this.minor);
    this.#checker.check(value, '', findings, correlation);
    return findings;
  }

  /**
   * All checks of a custom resource, in the server's order. With `old` it is an update. `more` are complaints of the
   * caller, reported behind those about the schema; `callerErrors` are those it reports itself; `metadataProblem` looks at the
   * metadata of embedded resources that nobody has read before. `isOldSound`: parts that are the very ones of `old` have
   * nothing against them but perhaps rules.
   */
  validate(
    value: unknown,
    options: {
      readonly old?: unknown;
      readonly isOldSound?: boolean;
      readonly more?: readonly FieldError[];
      readonly callerErrors?: readonly FieldError[] | undefined;
      readonly metadataProblem?: MetadataProblem;
    } = {},
  ): ValidationResult {
    const { old, isOldSound = false, more, callerErrors, metadataProblem } = options;
    const correlation = old === undefined ? undefined : new Correlation(value, old, this.root, isOldSound);
    const findings = this.#checkSchema(value, correlation);
    const errors = findings.distinct();
    if (more !== undefined) pushAll(errors, more);
    if ((this.root.features & schemaFeature.embedded) !== 0) {
      pushAll(errors, withReleaseReasons(checkEmbeddedIn(value, this.root, metadataProblem), this.minor));
    }
    return this.#checkInvariants({ value, old, callerErrors, isOldSound }, errors, correlation, findings.hasOldFaults);
  }

  /** What is checked of a value that claims to be of another kind: all but the schema. With `old` it is an update. */
  validateStranger(
    value: unknown,
    callerErrors: readonly FieldError[],
    metadataProblem?: MetadataProblem,
    old?: unknown,
  ): ValidationResult {
    const errors: FieldError[] = [];
    if ((this.root.features & schemaFeature.embedded) !== 0)
      pushAll(errors, withReleaseReasons(checkEmbeddedIn(value, this.root, metadataProblem), this.minor));
    const correlation = old === undefined ? undefined : new Correlation(value, old, this.root);
    return this.#checkInvariants({ value, old, callerErrors, isOldSound: false }, errors, correlation, true);
  }

  /**
   * The checks of a write to the status subresource: of the schema, the status alone is looked at, so that the value is
   * sound only if the old one is.
   */
  validateStatus(
    value: unknown,
    options: {
      readonly old: unknown;
      readonly isOldSound?: boolean;
      readonly more?: readonly FieldError[];
      readonly callerErrors?: readonly FieldError[] | undefined;
    },
  ): ValidationResult {
    const { old, isOldSound = false, more = [], callerErrors } = options;
    const correlation = new Correlation(value, old, this.root, isOldSound);
    const findings = this.#checkStatus(value, correlation);
    const errors = findings.distinct();
    pushAll(errors, more);
    const isOpen = !isOldSound || findings.hasOldFaults;
    return this.#checkInvariants({ value, old, callerErrors, isOldSound }, errors, correlation, isOpen);
  }

  #checkStatus(value: unknown, correlation: Correlation): Findings {
    const node = this.root.properties?.get('status');
    const status = (value as { status?: unknown } | null)?.status;
    const findings = new Findings('status', this.minor);
    if (node === undefined || status === undefined || correlation.keepsMember('status', status)) return findings;
    this.#statusChecker ??= new Checker(node, { minor: this.minor });
    this.#statusChecker.check(status, '', findings, correlation.key('status'));
    return findings;
  }

  /** Repetitions in lists, and the rules. `isOpen`: it is unknown whether the value is sound. */
  #checkInvariants(
    checked: Checked,
    errors: FieldError[],
    correlation: Correlation | undefined,
    isOpen: boolean,
  ): ValidationResult {
    const { value, old, callerErrors = [] } = checked;
    const hadRepeats = this.#hasRepeats(checked);
    if (!hadRepeats) pushAll(errors, this.#repeats(checked));
    const isSound = !isOpen && !hadRepeats && errors.length === 0;
    if ((this.root.features & schemaFeature.rules) === 0) return this.#result(errors, noWarnings, isSound);
    if (callerErrors.some(isBlocking) || errors.some(isBlocking)) {
      return this.#result([...errors, invalid('', null, skipped)], noWarnings, false);
    }
    this.#rules ??= new RuleTree(this.root, { resource: true, minor: this.minor });
    const run = this.#rules.run(value, old, { correlation });
    pushAll(errors, run.errors);
    return this.#result(errors, run.warnings, isSound);
  }

  /** Lists that had repetitions before may keep them, whichever they are. */
  #hasRepeats({ old, isOldSound }: Checked): boolean {
    if (old === undefined || isOldSound || (this.root.features & schemaFeature.uniqueLists) === 0) return false;
    return checkListTypes(old, this.root).length > 0;
  }

  #repeats({ value, old, isOldSound }: Checked): FieldError[] {
    if ((this.root.features & schemaFeature.uniqueLists) === 0) return [];
    return checkListTypes(value, this.root, isOldSound ? old : undefined);
  }

  #result(errors: readonly FieldError[], warnings: readonly string[], isSound: boolean): ValidationResult {
    return { errors: withReleaseValues(errors, this.minor), warnings, isSound };
  }
}
