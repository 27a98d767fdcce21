/** What a synchronisation does next, and what it reports. Pure. */
import { deepEqual } from '@capstan/meta';
import { decideDeletion } from '../deletion/decide.js';
import type { Presence } from '../deletion/decide.js';
import { reachesClusterApi, reachesMachineApi } from '../deletion/reach.js';
import { deletionStep } from '../deletion/steps.js';
import { condition, SYNCHRONIZED, withCondition } from '../shared/conditions.js';
import type { ConditionUpdate } from '../shared/conditions.js';
import { isDeleting, sourceOf } from '../shared/model.js';
import type { Authored, Authority } from '../shared/model.js';
import { decideDirection } from './direction.js';
import type { Inputs, Progress, Step } from '../resource/inputs.js';
import { REASONS } from '../resource/reasons.js';
import { replicasStep } from './replicas.js';
import { statusInMachineApi, statusToClusterApi } from './status.js';
import { toClusterApi } from './to-cluster-api.js';
import { toMachineApi } from './to-machine-api.js';

/** The next write; none when all is as it should be, or something has to happen first. */
export interface Decision extends Progress {
  /** Whether both copies have the same spec. */
  readonly isSynchronized: boolean;
  /** What the object in Machine API reports when nothing is left to write. */
  readonly status?: Authored['status'] | undefined;
}

const presence = (object: Inputs['capi']): Presence =>
  object === undefined ? 'absent' : isDeleting(object) ? 'deleting' : 'living';

/** Decides about one resource by all its copies. */
export function decide(inputs: Inputs): Decision {
  const ending = endingOf(inputs);
  if (ending !== undefined) return { ...ending, isSynchronized: false, status: reported(inputs, ending) };
  const direction = decideDirection(inputs);
  switch (direction.do) {
    case 'leave':
      return { isSynchronized: false };
    case 'release':
      return { ...deletionStep(inputs, 'release'), isSynchronized: false };
    case 'adopt':
      return { isSynchronized: false, status: { ...inputs.mapi?.status, authoritativeAPI: direction.authority } };
    case 'to-cluster-api':
      return settled(inputs, replicasStep(inputs, 'MachineAPI') ?? toClusterApi(inputs));
    case 'to-machine-api':
      return settled(inputs, replicasStep(inputs, 'ClusterAPI') ?? toMachineApi(inputs));
  }
}

function endingOf(inputs: Inputs): Progress | undefined {
  const { capi, mapi, owningSet: set } = inputs;
  const source = mapi === undefined ? undefined : sourceOf(mapi);
  const question = { mapi, capi, set };
  const decision = decideDeletion({
    mapi: presence(mapi),
    capi: presence(capi),
    source,
    isReaching:
      inputs.descriptor.kind === 'Machine' &&
      (source === 'ClusterAPI' ? reachesClusterApi(question) : reachesMachineApi(question)),
  });
  return decision === 'none' ? undefined : deletionStep(inputs, decision);
}

/** What follows the spec: status, and then the report. */
function settled(inputs: Inputs, progress: Progress): Decision {
  const { mapi } = inputs;
  const source = mapi === undefined ? undefined : sourceOf(mapi);
  if (progress.step !== undefined || progress.problem !== undefined)
    return { ...progress, isSynchronized: false, status: reported(inputs, progress) };
  const step: Step | undefined = source === 'MachineAPI' ? statusToClusterApi(inputs) : undefined;
  return { warnings: progress.warnings, step, isSynchronized: true, status: synchronizedStatus(inputs, source) };
}

/** With a problem, the condition; the generation stays that of the last success. */
function reported({ mapi, now }: Inputs, { problem }: Progress): Authored['status'] | undefined {
  if (mapi === undefined || problem === undefined) return undefined;
  const status = problem.isFinal && problem.reason !== REASONS.deleting ? 'False' : 'Unknown';
  return withReport(mapi, condition(SYNCHRONIZED, status, problem.reason, problem.message), now);
}

function withReport(mapi: Authored, update: ConditionUpdate, now: string): Authored['status'] {
  const conditions = withCondition(mapi.status?.conditions, update, now);
  return conditions === mapi.status?.conditions ? mapi.status : { ...mapi.status, conditions };
}

const sentences: Readonly<Record<Authority, string>> = {
  MachineAPI: 'Successfully synchronized from Machine API to Cluster API',
  ClusterAPI: 'Successfully synchronized from Cluster API to Machine API',
};

/** The generation of the authoritative object counts; conditions of others are as they were. */
function synchronizedStatus(inputs: Inputs, source: Authority | undefined): Authored['status'] | undefined {
  const { capi, mapi, now } = inputs;
  if (mapi === undefined || source === undefined || (source === 'ClusterAPI' && capi === undefined)) return undefined;
  const [generation, base] =
    source === 'MachineAPI'
      ? [mapi.metadata.generation, mapi.status]
      : [capi?.metadata.generation, statusInMachineApi(inputs) as Authored['status']];
  const update = condition(SYNCHRONIZED, 'True', REASONS.synchronized, sentences[source]);
  const made: Authored['status'] = {
    ...withReport({ ...mapi, status: base }, update, now),
    synchronizedAPI: source,
    ...(generation === undefined ? {} : { synchronizedGeneration: generation }),
  };
  return deepEqual(made, mapi.status) ? mapi.status : made;
}
