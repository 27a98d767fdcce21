/** Which names a CRD may have: within a group every name belongs to one CRD. */
import { goQuote } from '@capstan/meta';
import type { KubeObject } from '@capstan/meta';
import { equalJson } from '../builtin/shared/json.js';
import {
  findCondition,
  withCondition,
  type Finding,
  specOf,
  statusOf,
  type DefinitionCondition,
  type DefinitionNames,
  type DefinitionStatus,
} from '../builtin/apiextensions/crd.js';

function sameFinding(known: DefinitionCondition | undefined, finding: Finding): boolean {
  return (
    known !== undefined &&
    known.status === finding.status &&
    known.reason === finding.reason &&
    known.message === finding.message
  );
}

interface UsedNames {
  readonly resources: Set<string>;
  readonly kinds: Set<string>;
}

/** The names a CRD of a group has been granted. */
export interface OwnedNames {
  readonly group: string;
  readonly names: DefinitionNames;
}

function usedNames(group: string, all: readonly OwnedNames[]): UsedNames {
  const used: UsedNames = { resources: new Set(), kinds: new Set() };
  for (const owned of all) {
    if (owned.group !== group) continue;
    const { plural, singular = '', shortNames, kind, listKind = '' } = owned.names;
    for (const name of [plural, singular, ...(shortNames ?? [])]) used.resources.add(name);
    for (const name of [kind, listKind]) used.kinds.add(name);
  }
  return used;
}

/** The last conflict found is the one that is reported. */
class Claim {
  conflict: { reason: string; message: string } | undefined;

  /** Whether the name may be had. */
  take(reason: string, wanted: string, accepted: string, used: ReadonlySet<string>): boolean {
    if (wanted === accepted || !used.has(wanted)) return true;
    this.conflict = { reason, message: inUse(wanted) };
    return false;
  }
}

function inUse(name: string): string {
  return `${goQuote(name)} is already in use`;
}

function claimShortNames(
  claim: Claim,
  wanted: readonly string[],
  accepted: readonly string[],
  used: ReadonlySet<string>,
): boolean {
  const taken = [...new Set(wanted.filter((name) => !accepted.includes(name) && used.has(name)).map(inUse))];
  if (taken.length === 0) return true;
  claim.conflict = {
    reason: 'ShortNamesConflict',
    message: taken.length === 1 ? (taken[0] ?? '') : `[${taken.join(', ')}]`,
  };
  return false;
}

/** What every name of a spec comes to, those refused staying as they were. */
function claimNames(
  wanted: DefinitionNames,
  accepted: DefinitionNames,
  used: UsedNames,
): { names: DefinitionNames; claim: Claim } {
  const claim = new Claim();
  const { resources, kinds } = used;
  const choose = (reason: string, want = '', have = '', from: ReadonlySet<string> = resources): string =>
    claim.take(reason, want, have, from) ? want : have;
  const plural = choose('PluralConflict', wanted.plural, accepted.plural);
  const singular = choose('SingularConflict', wanted.singular, accepted.singular);
  const mayAbbreviate = claimShortNames(claim, wanted.shortNames ?? [], accepted.shortNames ?? [], resources);
  const shortNames = mayAbbreviate ? wanted.shortNames : accepted.shortNames;
  const kind = choose('KindConflict', wanted.kind, accepted.kind, kinds);
  const listKind = choose('ListKindConflict', wanted.listKind, accepted.listKind, kinds);
  const { categories } = wanted;
  const names: DefinitionNames = {
    plural,
    ...(singular === '' ? {} : { singular }),
    ...(shortNames && shortNames.length > 0 ? { shortNames } : {}),
    kind,
    ...(listKind === '' ? {} : { listKind }),
    ...(categories && categories.length > 0 ? { categories } : {}),
  };
  return { names, claim };
}

/** The status after a look at the names of the group, or undefined when nothing changes. */
export function nameStatus(
  definition: KubeObject,
  all: () => readonly OwnedNames[],
  now: string,
): DefinitionStatus | undefined {
  const { group, names: wanted } = specOf(definition);
  const status = statusOf(definition);
  if (equalJson(wanted, status.acceptedNames)) return undefined;
  const { names, claim } = claimNames(wanted, status.acceptedNames, usedNames(group, all()));
  const accepted: Finding = claim.conflict
    ? { type: 'NamesAccepted', status: 'False', ...claim.conflict }
    : { type: 'NamesAccepted', status: 'True', reason: 'NoConflicts', message: 'no conflicts found' };
  if (equalJson(names, status.acceptedNames) && sameFinding(findCondition(definition, 'NamesAccepted'), accepted))
    return undefined;
  const conditions = withCondition(status.conditions, accepted, now);
  return {
    ...status,
    acceptedNames: names,
    conditions: withCondition(conditions, established(definition, accepted), now),
  };
}

function established(definition: KubeObject, accepted: Finding): Finding {
  const known = findCondition(definition, 'Established');
  if (known?.status !== 'True' && accepted.status === 'True') {
    return {
      type: 'Established',
      status: 'False',
      reason: 'Installing',
      message: 'the initial names have been accepted',
    };
  }
  return (
    known ?? { type: 'Established', status: 'False', reason: 'NotAccepted', message: 'not all names are accepted' }
  );
}
