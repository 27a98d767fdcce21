import type { CompatibilityRequirement } from '@capstan/api/apiextensions';
import { joinLines } from '@capstan/crd-compat';
import { fieldErrorsMessage } from '@capstan/meta';
import type { KubeObject } from '@capstan/meta';
import { DEFINITIONS } from '../kinds.js';
import { CHECKER, OWN_DEFINITION } from '../names.js';
import { requirementText } from '../requirement/owner.js';
import type { Reading, ReadRequirement } from '../requirement/read.js';
import { decide } from './decide.js';
import type { Action, Judged, Verdict } from './decide.js';

/** A write of a definition: without the object it is deleted, without the old one it is made. */
export interface Write {
  readonly object: KubeObject | undefined;
  readonly old: KubeObject | undefined;
}

/** More than this of a refusal nobody reads. */
const MESSAGE_LIMIT = 16_384;

/** What the requirements together say of a write; what a requirement says is read by whoever may remember it. */
export async function judgeWrite(
  write: Write,
  requirements: Iterable<CompatibilityRequirement>,
  read: (requirement: CompatibilityRequirement) => Promise<Reading>,
): Promise<Verdict> {
  const judged: Judged[] = [];
  if (nameOf(write) !== OWN_DEFINITION)
    for (const requirement of requirements) {
      // One that is on its way out is needed no more.
      if (requirement.metadata.deletionTimestamp != null) continue;
      const one = await judgeBy(requirement, write, read);
      if (one !== undefined) judged.push(one);
    }
  const { denials, warnings } = decide(judged);
  return { denials, warnings: warnings.map((line) => `${CHECKER}: ${line}`) };
}

/** The refusal as a client reads it; undefined when nothing is refused. */
export function refusalOf(write: Write, { denials }: Verdict): string | undefined {
  if (denials.length === 0) return undefined;
  const verb = write.object === undefined ? 'must not be deleted' : 'is not compatible';
  const heading = `${CHECKER}: ${DEFINITIONS.kind} "${nameOf(write)}" ${verb}:`;
  return joinLines([heading, ...denials], MESSAGE_LIMIT);
}

/** What one requirement says of the write; undefined when it is about another definition, or asks for no check. */
async function judgeBy(
  requirement: CompatibilityRequirement,
  write: Write,
  read: (requirement: CompatibilityRequirement) => Promise<Reading>,
): Promise<Judged | undefined> {
  const action = requirement.spec.customResourceDefinitionSchemaValidation?.action as Action | undefined;
  const name = nameOf(write);
  if (action === undefined) return undefined;
  const reading = await read(requirement);
  const said = { requirement: requirementText(requirement), action };
  if ('ok' in reading)
    return reading.ok.crdName === name ? { ...said, about: aboutWrite(write, reading.ok) } : undefined;
  // What it was about when it was last understood; one that never was is about nothing that is known.
  if (requirement.status?.crdName !== name) return undefined;
  return { ...said, about: { kind: 'unreadable', problem: fieldErrorsMessage(reading.errors) } };
}

function aboutWrite({ object, old }: Write, { check }: ReadRequirement): Judged['about'] {
  if (object === undefined) return { kind: 'deleted' };
  if (old !== undefined) return { kind: 'written', ...check.checkUpdate(old, object) };
  // A server validates a CRD before it asks its webhooks.
  const { findings } = check.check(object, { stored: object });
  return { kind: 'written', findings, fresh: findings };
}

function nameOf({ object, old }: Write): string {
  return (object ?? old)?.metadata.name ?? '';
}
