import { IGNITION_REACHED_ANNOTATION, NODE_POOL_CONDITIONS, NODE_POOL_REASONS } from '@capstan/hosting';
import { conditionOf } from '../conditions.js';
import type { ConditionSet } from '../conditions.js';
import type { Snapshot } from '../snapshot.js';
import { secretText } from '../resources.js';
import type { Secret } from '../resources.js';
import type { Check } from './check.js';

/** IgnitionEndpointAvailable: there only while something is missing. */
export const ignitionEndpoint: Check = ({ hostedCluster, ignitionCa }, conditions) => {
  const missing = (reason: string, message: string): boolean => {
    conditions.set(NODE_POOL_CONDITIONS.ignitionEndpoint, { status: 'False', reason, message });
    return false;
  };
  if ((hostedCluster.status?.ignitionEndpoint ?? '') === '')
    return missing('IgnitionEndpointMissing', 'Ignition endpoint not available, waiting');
  if (ignitionCa === undefined)
    return missing('IgnitionCACertMissing', 'waiting for the certificate of the ignition server');
  conditions.remove(NODE_POOL_CONDITIONS.ignitionEndpoint);
  return true;
};

/** ValidGeneratedPayload and ReachedIgnitionEndpoint, from what the ignition server wrote to the token. */
export function setIgnition(snapshot: Snapshot, token: Secret | undefined, conditions: ConditionSet): void {
  setPayload(token, conditions);
  if (wasReached(snapshot)) conditions.setTrue(NODE_POOL_CONDITIONS.reachedIgnition);
  else if (token === undefined)
    conditions.set(NODE_POOL_CONDITIONS.reachedIgnition, {
      status: 'False',
      reason: NODE_POOL_REASONS.notFound,
      message: 'the token has not been created yet',
    });
  else if (token.metadata.annotations?.[IGNITION_REACHED_ANNOTATION] === undefined)
    conditions.set(NODE_POOL_CONDITIONS.reachedIgnition, { status: 'False', reason: 'ignitionNotReached' });
  else conditions.setTrue(NODE_POOL_CONDITIONS.reachedIgnition);
}

/** Nodes that are upgraded in place do not ask the ignition server again: the new token is never reached. */
function wasReached({ existing: { machines }, nodePool }: Snapshot): boolean {
  if (nodePool.spec.management.upgradeType !== 'InPlace') return false;
  if (machines.some(({ status }) => status?.nodeRef !== undefined)) return true;
  return machines.length === 0 && conditionOf(nodePool, NODE_POOL_CONDITIONS.reachedIgnition)?.status === 'True';
}

function setPayload(token: Secret | undefined, conditions: ConditionSet): void {
  if (token === undefined) {
    conditions.set(NODE_POOL_CONDITIONS.payload, {
      status: 'False',
      reason: NODE_POOL_REASONS.notFound,
      message: 'the token has not been created yet',
    });
    return;
  }
  const reason = secretText(token, 'reason');
  if (reason === undefined) {
    const message = 'Unable to get status data from token secret';
    conditions.set(NODE_POOL_CONDITIONS.payload, { status: 'Unknown', reason: 'StatusUnknown', message });
    return;
  }
  const isGood = reason === NODE_POOL_REASONS.asExpected;
  const message = secretText(token, 'message') ?? '';
  conditions.set(NODE_POOL_CONDITIONS.payload, {
    status: isGood ? 'True' : 'False',
    reason,
    message,
    isFault: !isGood,
  });
}
