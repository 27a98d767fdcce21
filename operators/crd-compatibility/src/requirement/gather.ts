import type { CompatibilityRequirement } from '@capstan/api/apiextensions';
import { errorText } from '@capstan/kube';
import type { Client } from '@capstan/kube';
import { isNotFound } from '@capstan/meta';
import type { FieldError, KubeObject } from '@capstan/meta';
import { DEFINITIONS } from '../kinds.js';
import type { Reading, ReadRequirement } from '../requirement-cache/read.js';
import type { Requirements } from '../requirement-cache/requirements.js';
import type { WebhookConfiguration } from '../webhooks/configuration.js';
import type { Enforcement } from '../webhooks/enforcement.js';
import type { Live } from './conditions.js';
import { problemsOf } from './decide.js';

/** Where the state of a requirement is read from. */
export interface Readers {
  readonly client: Client;
  readonly requirements: Requirements;
  /** The webhook configuration of that name, from the cache. */
  readonly configurationOf: (name: string) => WebhookConfiguration | undefined;
  /** The state of the configuration that has CRDs checked. */
  readonly definitionsChecked: () => Enforcement;
}

/** Everything that a requirement is reconciled by, read before anything is written. */
export interface Snapshot {
  readonly reading: Reading;
  /** What is wrong with the requirement itself. */
  readonly problems: readonly FieldError[];
  /** The live CRD, checked; not read while the requirement has problems. */
  readonly live: Live;
  /** The webhook configuration that has the name of the requirement. */
  readonly configuration: WebhookConfiguration | undefined;
  readonly definitionsChecked: Enforcement;
}

/** Parses the requirement, and reads the live CRD past the cache. */
export async function gather(
  requirement: CompatibilityRequirement,
  { client, configurationOf, definitionsChecked, requirements }: Readers,
  signal: AbortSignal,
): Promise<Snapshot> {
  const reading = await requirements.read(requirement);
  const problems = problemsOf(requirement, reading);
  const live: Live =
    'ok' in reading && problems.length === 0 ? await liveOf(reading.ok, client, signal) : { kind: 'absent' };
  return {
    reading,
    problems,
    live,
    configuration: configurationOf(requirement.metadata.name ?? ''),
    definitionsChecked: definitionsChecked(),
  };
}

async function liveOf({ check, crdName }: ReadRequirement, client: Client, signal: AbortSignal): Promise<Live> {
  try {
    const definition = await client.get<KubeObject>(DEFINITIONS, crdName, { signal });
    const { generation = 1, uid = '' } = definition.metadata;
    return { kind: 'found', uid, generation, report: check.check(definition, { stored: definition }) };
  } catch (error) {
    return isNotFound(error) ? { kind: 'absent' } : { kind: 'unknown', error: errorText(error) };
  }
}
