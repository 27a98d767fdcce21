import type { CompatibilityRequirement } from '@capstan/api/apiextensions';
import { canonicalHash } from '@capstan/meta';
import type { KubeObject } from '@capstan/meta';
import type { Snapshot } from './snapshot.js';
import { requirementFor } from '../requirements/requirement.js';
import { standingOf } from './standing.js';
import type { Standing } from './standing.js';
import type { Definition } from '../transport/read.js';
import type { ReleasedDefinition } from '../transport/releases.js';
import { CONTENT_ANNOTATION, FIELD_MANAGER, MANAGED_BY_LABEL, ROLE_LABEL } from '../vocabulary.js';
import type { Role } from '../vocabulary.js';

/** What is required of one listed CRD, and how that stands. */
export interface Required {
  readonly definition: string;
  readonly role: Role;
  readonly wanted: CompatibilityRequirement;
  readonly standing: Standing;
}

/** What a reconcile is to write and to report; names are sorted. */
export interface Plan {
  /** Managed CRDs that are not known to be as they should be. */
  readonly install: readonly Definition[];
  readonly required: readonly Required[];
  /** Requirements of ours that nothing asks for any more. */
  readonly drop: readonly string[];
  /** CRDs of the releases that are there, and neither managed nor listed. */
  readonly unclaimed: readonly string[];
  /** Listed CRDs that no transport ConfigMap has. */
  readonly unknown: readonly string[];
  /** Names of requirements to write that exist with another owner. */
  readonly taken: readonly string[];
  /** Whether every listed CRD has an enforced requirement. */
  readonly isObserved: boolean;
}

/** Everything that is to be done, from everything that was read. */
export function decide(snapshot: Snapshot): Plan {
  const { clusterApi, foreignRequirements, installed, mode, releases } = snapshot;
  const listed = new Set(clusterApi?.spec.unmanagedCustomResourceDefinitions ?? []);
  const roles = (['active', 'future'] as const).filter((role) => mode[role]);
  const known = roles.flatMap((role) => [...releases[role].definitions.values()].map((of) => ({ role, of })));
  const required = known
    .filter(({ of }) => listed.has(of.name))
    .map(({ of, role }) => requiredOf(of, role, snapshot))
    .sort((a, b) => ((a.wanted.metadata.name ?? '') < (b.wanted.metadata.name ?? '') ? -1 : 1));
  const managed = known.filter(({ of }) => !listed.has(of.name));
  const unclaimed = managed.filter(({ of }) => isForeign(installed.get(of.name))).map(({ of }) => of.name);
  const unknown = [...listed].filter((name) => !known.some(({ of }) => of.name === name)).sort();
  return {
    install: managed
      .filter(({ of, role }) => role === 'active' && !isForeign(installed.get(of.name)))
      .map(({ of }) => definitionFor(of))
      .filter((wanted) => !isAsWritten(wanted, snapshot)),
    required,
    drop: droppable(snapshot, required),
    unclaimed: [...new Set(unclaimed)].sort(),
    unknown,
    taken: required.map(({ wanted }) => wanted.metadata.name ?? '').filter((name) => foreignRequirements.has(name)),
    isObserved: roles.length > 0 && unknown.length === 0 && releases.bad.length === 0 && allEnforced(required),
  };
}

function requiredOf(of: ReleasedDefinition, role: Role, { releases, requirements }: Snapshot): Required {
  const wanted = requirementFor(of, role, releases[role].version ?? '');
  const there = requirements.get(wanted.metadata.name ?? '');
  return { definition: of.name, role, wanted, standing: standingOf(there, wanted) };
}

/** A CRD that both releases have is held by what runs; the future only warns. */
function allEnforced(required: readonly Required[]): boolean {
  const held = new Map<string, Required>();
  for (const each of required)
    if (each.role === 'active' || !held.has(each.definition)) held.set(each.definition, each);
  return [...held.values()].every(({ standing }) => standing.isAdmitted);
}

/** Ours are those with the label or with our field manager; everything else has another owner, and is not written. */
function isForeign(definition: KubeObject | undefined): boolean {
  if (definition === undefined) return false;
  const { labels, managedFields } = definition.metadata;
  return (
    labels?.[MANAGED_BY_LABEL] === undefined && managedFields?.some((each) => each.manager === FIELD_MANAGER) !== true
  );
}

/** The CRD as it is installed: marked as ours, and with what it was made of. */
export function definitionFor({ component, definition }: ReleasedDefinition): Definition {
  const { apiVersion, kind, metadata, spec } = definition;
  const { annotations = {}, labels = {}, name } = metadata;
  const content = canonicalHash({ annotations, labels, spec });
  return {
    apiVersion,
    kind,
    metadata: {
      ...(name === undefined ? {} : { name }),
      labels: { ...labels, [MANAGED_BY_LABEL]: component },
      annotations: { ...annotations, [CONTENT_ANNOTATION]: content },
    },
    spec,
  };
}

/** Whether it is still what this process wrote: the same spec by its generation, and our marks. */
function isAsWritten(wanted: Definition, { installed, written }: Snapshot): boolean {
  const { annotations, labels, name = '' } = wanted.metadata;
  const there = installed.get(name)?.metadata;
  const ours = written.get(name);
  return (
    there !== undefined &&
    ours !== undefined &&
    ours.uid === there.uid &&
    ours.generation === there.generation &&
    holds(there.labels, labels) &&
    holds(there.annotations, annotations)
  );
}

function holds(there: Readonly<Record<string, string>> = {}, wanted: Readonly<Record<string, string>> = {}): boolean {
  return Object.entries(wanted).every(([key, value]) => there[key] === value);
}

/** With a map unread, what nobody asks for may be asked for in it; and a role that is off is not ours to tidy. */
function droppable({ mode, releases, requirements }: Snapshot, required: readonly Required[]): string[] {
  if (releases.bad.length > 0) return [];
  const wanted = new Set(required.map((each) => each.wanted.metadata.name));
  return [...requirements.values()]
    .filter(({ metadata }) => {
      const role = metadata.labels?.[ROLE_LABEL];
      return !wanted.has(metadata.name) && (role === 'active' || role === 'future') && mode[role];
    })
    .map(({ metadata }) => metadata.name ?? '')
    .sort();
}
