/** The secret with the user data, which the controller of Nutanix machines also names on the infrastructure machine. */
import { Field } from '@capstan/convert';
import type { Scope } from '@capstan/convert';
import { machineParts } from '@capstan/convert/machine-api';
import type { MachineContext, MachineRule } from '@capstan/convert/machine-api';
import { stringifyJson } from '@capstan/meta';
import type { JsonObject } from '@capstan/meta';

const isRecord = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** What the controller would write, which would else be seen as a change. */
function expected({ run, source }: Scope<MachineContext>): JsonObject | undefined {
  const { bootstrap } = machineParts(run.root).machine;
  const secret = run.from === 'left' ? source['userDataSecret'] : bootstrap;
  const name = isRecord(secret) ? secret[run.from === 'left' ? 'name' : 'dataSecretName'] : undefined;
  if (typeof name !== 'string' || name === '') return undefined;
  return { apiVersion: 'v1', kind: 'Secret', name, namespace: run.context.namespaces.clusterApi };
}

/** An error for every field of the reference that differs from the expected one. */
function check(scope: Scope<MachineContext>, found: unknown): void {
  if (!isRecord(found)) {
    new Field(scope, ['bootstrapRef'], []).error('must be an object');
    return;
  }
  const wanted = expected(scope) ?? {};
  for (const [name, value] of Object.entries(found)) {
    if (value === null || value === '' || value === wanted[name]) continue;
    const other = wanted[name] === undefined ? 'nothing' : stringifyJson(wanted[name]);
    new Field(scope, ['bootstrapRef', name], []).error(
      `is ${stringifyJson(value)}, which cannot be kept: by the bootstrap secret of the Machine it is ${other}`,
    );
  }
}

/** The reference to the user data. */
export const bootstrapRef: MachineRule = {
  claims: { left: [], right: [{ path: 'bootstrapRef', fate: 'derived' }] },
  convert: (scope) => {
    if (scope.run.to === 'right') {
      const reference = expected(scope);
      if (reference !== undefined) scope.target['bootstrapRef'] = reference;
      return;
    }
    const found = scope.source['bootstrapRef'];
    if (scope.run.from === 'right' && found !== undefined && found !== null) check(scope, found);
  },
};
