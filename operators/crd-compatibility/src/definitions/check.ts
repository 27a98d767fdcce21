import type { CompatibilityRequirement } from '@capstan/api/apiextensions';
import { joinLines } from '@capstan/crd-compat';
import { fieldErrorsMessage } from '@capstan/meta';
import type { KubeObject } from '@capstan/meta';
import { DEFINITIONS } from '../kinds.js';
import { CHECKER, OWN_DEFINITION } from '../names.js';
import { requirementText } from '../requirement-cache/owner.js';
import type { Reading, ReadRequirement } from '../requirement-cache/read.js';
import { decide } from './decide.js';
import type { Action, CheckedRequirement, Verdict } from './decide.js';

/** A write of a CRD: without `object` a deletion, without `old` a creation. */
export interface Write {
  readonly object: KubeObject | undefined;
  readonly old: KubeObject | undefined;
}

/** Longer denials are cut. */
const MESSAGE_LIMIT = 16_384;

/** Checks a write against all requirements; `read` parses a requirement, or returns it from a cache. */
export async function checkWrite(
  write: Write,
  requirements: Iterable<CompatibilityRequirement>,
  read: (requirement: CompatibilityRequirement) => Promise<Reading>,
): Promise<Verdict> {
  const checked: CheckedRequirement[] = [];
  if (nameOf(write) !== OWN_DEFINITION)
    for (const requirement of requirements) {
      // A requirement that is being deleted no longer counts.
      if (requirement.metadata.deletionTimestamp != null) continue;
      const one = await checkAgainst(requirement, write, read);
      if (one !== undefined) checked.push(one);
    }
  const { denials, warnings } = decide(checked);
  return { denials, warnings: warnings.map((line) => `${CHECKER}: ${line}`) };
}

/** The denial that the client receives; undefined when the write is allowed. */
export function refusalOf(write: Write, { denials }: Verdict): string | undefined {
  if (denials.length === 0) return undefined;
  const verb = write.object === undefined ? 'must not be deleted' : 'is not compatible';
  const heading = `${CHECKER}: ${DEFINITIONS.kind} "${nameOf(write)}" ${verb}:`;
  return joinLines([heading, ...denials], MESSAGE_LIMIT);
}

/** Checks the write against one requirement; undefined when that is about another CRD, or asks for no check. */
async function checkAgainst(
  requirement: CompatibilityRequirement,
  write: Write,
  read: (requirement: CompatibilityRequirement) => Promise<Reading>,
): Promise<CheckedRequirement | undefined> {
  const action = requirement.spec.customResourceDefinitionSchemaValidation?.action as Action | undefined;
  const name = nameOf(write);
  if (action === undefined) return undefined;
  const reading = await read(requirement);
  const common = { requirement: requirementText(requirement), action };
  if ('ok' in reading)
    return reading.ok.crdName === name ? { ...common, about: aboutWrite(write, reading.ok) } : undefined;
  // The CRD it named when it was last parsed; one that never was is about no known CRD.
  if (requirement.status?.crdName !== name) return undefined;
  return { ...common, about: { kind: 'unreadable', problem: fieldErrorsMessage(reading.errors) } };
}

function aboutWrite({ object, old }: Write, { check }: ReadRequirement): CheckedRequirement['about'] {
  if (object === undefined) return { kind: 'deleted' };
  if (old !== undefined) return { kind: 'written', ...check.checkUpdate(old, object) };
  // A server validates a CRD before it asks its webhooks.
  const { findings } = check.check(object, { stored: object });
  return { kind: 'written', findings, fresh: findings };
}

function nameOf({ object, old }: Write): string {
  return (object ?? old)?.metadata.name ?? '';
}
