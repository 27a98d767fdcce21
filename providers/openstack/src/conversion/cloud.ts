/** The way to the cloud: a secret, and which of the clouds in it. Left is Machine API. */
import { addError, getAt, isRecord, setAt } from '@capstan/convert';
import type { Scope } from '@capstan/convert';
import { textProblem } from '@capstan/convert/machine-api';
import type { MachineContext, MachineRule } from '@capstan/convert/machine-api';
import type { JsonObject } from '@capstan/meta';
import { nonEmptyText } from './values.js';

type MachineScope = Scope<MachineContext>;

/** What both sides say. */
interface Cloud {
  readonly secret: string | undefined;
  readonly name: string | undefined;
}

function textAt(scope: MachineScope, path: readonly string[]): string | undefined {
  const found = getAt(scope.source, path);
  const problem = found === undefined ? undefined : textProblem(found, {});
  if (problem !== undefined) addError(scope, path, problem);
  return nonEmptyText(found);
}

function readLeft(scope: MachineScope): Cloud {
  const found = scope.source['cloudsSecret'] ?? {};
  if (!isRecord(found)) addError(scope, ['cloudsSecret'], 'must be an object');
  const cloud: Cloud = { secret: textAt(scope, ['cloudsSecret', 'name']), name: textAt(scope, ['cloudName']) };
  if (scope.run.to === 'left') return cloud;
  if (cloud.secret === undefined) {
    addError(scope, ['cloudsSecret', 'name'], 'is needed: the secret with the way to the cloud');
    if (cloud.name !== undefined) addError(scope, ['cloudName'], 'cannot be kept without cloudsSecret.name');
  } else if (cloud.name === undefined) {
    addError(scope, ['cloudName'], 'is needed: which of the clouds in the secret');
  }
  return cloud;
}

/** Machines of Cluster API that do not say take the way of the infrastructure cluster, which Machine API does not know. */
function readRight(scope: MachineScope): Cloud {
  const own = scope.source['identityRef'] ?? undefined;
  const others = getAt(scope.run.context.infrastructureCluster, ['spec', 'identityRef']);
  const found = own === undefined ? others : own;
  const isOut = scope.run.to === 'left';
  const error = (path: readonly string[], message: string): void => {
    const whose = own === undefined && others !== undefined ? ', and they are set on the infrastructure cluster' : '';
    if (isOut) addError(scope, ['identityRef', ...path], `${message}${whose}`);
  };
  if (found === undefined) error([], 'is needed: neither the machine nor the infrastructure cluster has it');
  else if (!isRecord(found)) error([], 'must be an object');
  if (!isRecord(found)) return { secret: undefined, name: undefined };
  const { type = 'Secret' } = found;
  if (type !== 'Secret') error(['type'], 'must be "Secret": Machine API knows no other identities');
  if (isSet(found['region']))
    error(['region'], 'is not known in Machine API, which reads it in the secret: leave it out');
  for (const name of ['name', 'cloudName'])
    if (nonEmptyText(found[name]) === undefined) error([name], 'must be a text that is not empty');
  return { secret: nonEmptyText(found['name']), name: nonEmptyText(found['cloudName']) };
}

const isSet = (value: unknown): boolean => value !== undefined && value !== null && value !== '';

function write(target: JsonObject, to: 'left' | 'right', { name, secret }: Cloud): void {
  if (to === 'right') {
    if (secret !== undefined)
      setAt(target, ['identityRef'], {
        type: 'Secret',
        name: secret,
        ...(name === undefined ? {} : { cloudName: name }),
      });
    return;
  }
  if (secret !== undefined) setAt(target, ['cloudsSecret', 'name'], secret);
  if (name !== undefined) setAt(target, ['cloudName'], name);
}

/** Rules about the way to the cloud, but for the namespace of the secret. */
export const cloud: readonly MachineRule[] = [
  {
    claims: {
      left: ['cloudsSecret.name', 'cloudName'].map((path) => ({ path, fate: 'mapped' })),
      right: ['type', 'name', 'cloudName', 'region'].map((name) => ({
        path: `identityRef.${name}`,
        fate: name === 'region' ? 'unsupported' : 'mapped',
      })),
    },
    convert: (scope) =>
      write(scope.target, scope.run.to, scope.run.from === 'left' ? readLeft(scope) : readRight(scope)),
  },
];
