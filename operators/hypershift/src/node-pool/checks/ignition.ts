import { IGNITION_REACHED_ANNOTATION } from '@capstan/hosting';
import { conditionOf, REASONS, TYPES } from '../conditions.js';
import type { Sayings } from '../conditions.js';
import type { Facts } from '../facts.js';
import { secretText } from '../resources.js';
import type { Secret } from '../resources.js';
import type { Check } from './check.js';

/** IgnitionEndpointAvailable: there only while something is missing. */
export const ignitionEndpoint: Check = ({ hostedCluster, ignitionCa }, said) => {
  const missing = (reason: string, message: string): boolean => {
    said.say(TYPES.ignitionEndpoint, { status: 'False', reason, message });
    return false;
  };
  if ((hostedCluster.status?.ignitionEndpoint ?? '') === '')
    return missing('IgnitionEndpointMissing', 'Ignition endpoint not available, waiting');
  if (ignitionCa === undefined)
    return missing('IgnitionCACertMissing', 'waiting for the certificate of the ignition server');
  said.retract(TYPES.ignitionEndpoint);
  return true;
};

/** ValidGeneratedPayload and ReachedIgnitionEndpoint, from what the ignition server wrote to the token. */
export function sayIgnition(facts: Facts, token: Secret | undefined, said: Sayings): void {
  sayPayload(token, said);
  if (wasReached(facts)) said.good(TYPES.reachedIgnition);
  else if (token === undefined)
    said.say(TYPES.reachedIgnition, { status: 'False', reason: REASONS.notFound, message: 'there is no token yet' });
  else if (token.metadata.annotations?.[IGNITION_REACHED_ANNOTATION] === undefined)
    said.say(TYPES.reachedIgnition, { status: 'False', reason: 'ignitionNotReached' });
  else said.good(TYPES.reachedIgnition);
}

/** Nodes that are upgraded in place do not ask the ignition server again: the new token is never reached. */
function wasReached({ made: { machines }, nodePool }: Facts): boolean {
  if (nodePool.spec.management.upgradeType !== 'InPlace') return false;
  if (machines.some(({ status }) => status?.nodeRef !== undefined)) return true;
  return machines.length === 0 && conditionOf(nodePool, TYPES.reachedIgnition)?.status === 'True';
}

function sayPayload(token: Secret | undefined, said: Sayings): void {
  if (token === undefined) {
    said.say(TYPES.payload, { status: 'False', reason: REASONS.notFound, message: 'there is no token yet' });
    return;
  }
  const reason = secretText(token, 'reason');
  if (reason === undefined) {
    const message = 'the ignition server has not said anything of the payload yet';
    said.say(TYPES.payload, { status: 'Unknown', reason: 'StatusUnknown', message });
    return;
  }
  const isGood = reason === REASONS.asExpected;
  const message = secretText(token, 'message') ?? '';
  said.say(TYPES.payload, { status: isGood ? 'True' : 'False', reason, message, isFault: !isGood });
}
