/** A CRD that already violates a requirement may be updated as long as it violates no more. */
import type { Comparison } from '../compare/comparison.js';
import type { Draft } from '../drafts/site.js';
import { compareVersions } from '../compare/versions.js';
import { type Definition, versionOf } from '../definition.js';
import { draftOf } from '../drafts/evidence.js';
import { type Attempt, harmOf, isNoWorse } from '../proof/harm.js';
import { Prover, lensFor } from '../proof/prover.js';
import type { Side, Write } from '../proof/server.js';
import type { Finding } from '../report.js';
import { type Schemas, isCovered, wasLost } from './coverage.js';
import { unknownBefore } from './identity.js';

/** What both live CRDs are held against, and what was found about each. */
export interface Update {
  /** The question about the new live CRD. */
  readonly comparison: Comparison;
  readonly old: Definition;
  readonly before: readonly Finding[];
  readonly after: readonly Finding[];
}

/** Findings after which nothing of a version can be read or written. */
const unreachable: ReadonlySet<string> = new Set([
  'name-changed',
  'scope-changed',
  'version-not-served',
  'version-removed',
]);

/** So many objects are sent to both live CRDs besides the witness. */
const variants = 24;

function draftsOf(findings: readonly Finding[], version: string): readonly Draft[] {
  return findings.flatMap((finding) => {
    const draft = finding.version === version && finding.severity === 'error' ? draftOf(finding) : undefined;
    return draft === undefined ? [] : [draft];
  });
}

type Sides = Record<'live' | 'old' | 'required', Side>;

/** Everything about one version that findings of the new live CRD are held against. */
class VersionUpdate {
  readonly #schemas: Schemas;
  readonly #sides: Sides;
  readonly #update: Update;
  readonly #version: string;

  constructor(update: Update, version: string, schemas: Schemas, sides: Sides) {
    this.#update = update;
    this.#version = version;
    this.#schemas = schemas;
    this.#sides = sides;
  }

  static of(update: Update, version: string): VersionUpdate | undefined {
    const { comparison, old } = update;
    const [required, live, former] = [comparison.required, comparison.live, old].map((each) =>
      versionOf(each, version),
    );
    if (required === undefined || live === undefined || former === undefined) return undefined;
    const between = compareVersions({ ...comparison, required: old }, former, live);
    const { hasStatus, scale } = required;
    const sideOf = (each: typeof live): Side => ({ schema: each.schema(), hasStatus, scale });
    return new VersionUpdate(
      update,
      version,
      {
        required: required.schema().root,
        live: live.schema().root,
        before: draftsOf(update.before, version),
        between: draftsOf(between, version),
      },
      { required: sideOf(required), live: sideOf(live), old: sideOf(former) },
    );
  }

  /** Whether everything that breaks because of the finding was broken before. */
  covers(finding: Finding, draft: Draft): boolean {
    // Conversion is not what the schemas of the version are about.
    if (finding.rule === 'conversion-loses-field') return wasLost(this.#schemas, draft);
    if (finding.rule !== draft.rule) return false;
    return isCovered(this.#schemas, draft) && this.#isBorneOut(finding, draft);
  }

  /** Whether objects that show the finding, and others like them, bear that out. */
  #isBorneOut({ proof }: Finding, draft: Draft): boolean {
    const { comparison } = this.#update;
    const { live, old, required } = this.#sides;
    const excluded = comparison.exclusions.get(this.#version);
    const lens = lensFor(excluded);
    const identity = { version: this.#version, definition: comparison.required };
    const prover = new Prover(identity, { required, live }, { excluded, minor: comparison.minor });
    const shown: readonly Attempt[] =
      typeof proof === 'object' ? [{ before: proof.before, request: proof.request as Write }] : [];
    return [...shown, ...prover.variants(draft, variants)].every((attempt) => {
      const after = harmOf(required, live, attempt, lens);
      const before = harmOf(required, old, attempt, lens);
      return after === undefined || before === undefined || isNoWorse(after, before);
    });
  }
}

/** The findings about the new live CRD that the old one did not have, or had in a milder form. */
export function freshFindings(update: Update): readonly Finding[] {
  const { after, before } = update;
  const byVersion = new Map<string, VersionUpdate | undefined>();
  const isKnown = (finding: Finding): boolean => {
    const { severity, version } = finding;
    if (severity !== 'error' || version === undefined) return false;
    const isAbout = (other: Finding): boolean => other.version === undefined || other.version === version;
    if (before.some((other) => unreachable.has(other.rule) && isAbout(other))) return true;
    const draft = draftOf(finding);
    if (draft === undefined) return false;
    if (!byVersion.has(version)) byVersion.set(version, VersionUpdate.of(update, version));
    return byVersion.get(version)?.covers(finding, draft) ?? false;
  };
  return unknownBefore(before, after).filter((finding) => !isKnown(finding));
}
