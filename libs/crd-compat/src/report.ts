/** How bad a finding is: an error breaks clients that rely on the requirement, a warning may surprise them. */
export type Severity = 'error' | 'warning';

/** A write, or a read: of an object, of a list, of the scale of an object. */
export type WitnessVerb = 'apply' | 'create' | 'get' | 'get-scale' | 'list' | 'scale' | 'status' | 'update';

/** One request of a client that relies on the requirement. */
export interface WitnessRequest {
  readonly verb: WitnessVerb;
  /** Where an API server takes it, with the query that belongs to it. */
  readonly path: string;
  /** What is sent; reads send nothing, scaling a Scale. */
  readonly object?: unknown;
}

/** A request that the requirement's CRD takes as it is, and what the live one makes of the same request. */
export interface Witness {
  readonly version: string;
  /** What is stored before the request; nothing for creates. */
  readonly before?: unknown;
  readonly request: WitnessRequest;
  readonly outcome:
    | { readonly kind: 'rejected'; readonly code: number; readonly message: string }
    | { readonly kind: 'pruned'; readonly paths: readonly string[] }
    | { readonly kind: 'changed'; readonly path: string; readonly expected: unknown; readonly got: unknown };
}

/** One way in which the live CRD is not what the requirement needs. */
export interface Finding {
  /** Id in the catalogue of rules. */
  readonly rule: string;
  readonly severity: Severity;
  /** The version of the CRD it is about; absent for findings about the whole CRD. */
  readonly version?: string;
  /** Field path in the syntax of excludedFields (`spec.template.items`), or into the CRD (`spec.scope`). */
  readonly path: string;
  /** One sentence. */
  readonly message: string;
  readonly required?: unknown;
  readonly live?: unknown;
  /** Errors carry a witness that was run through both CRDs, or say that there is none. It is looked for when asked for. */
  readonly proof?: Witness | 'cannot be proved';
}

/** The answer for one requirement and one live CRD; findings are sorted and without duplicates. */
export interface CompatibilityReport {
  readonly verdict: 'Compatible' | 'CompatibleWithWarnings' | 'Incompatible';
  readonly findings: readonly Finding[];
}

/** The answer for an update of a live CRD: that for the new one, and what of it is worse than before. */
export interface UpdateReport extends CompatibilityReport {
  /** The findings whose harm the old live CRD did not do already; errors among them are reasons to refuse. */
  readonly fresh: readonly Finding[];
}
