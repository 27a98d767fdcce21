/** How a machine says which host it runs on. */
import { addError, getAt } from '@capstan/convert';
import { fromProviderId } from '@capstan/convert/machine-api';
import type { MachineRule } from '@capstan/convert/machine-api';
import { goQuote } from '@capstan/meta';

// Without the UID, as it was written before hosts could be replaced under their name.
const HOST = /^baremetalhost:\/\/\/[^/]+\/[^/]+(?:\/[^/]+)?$/;
const FORM = 'baremetalhost:///<namespace>/<name>/<uid>';

/** The ID is that of the node, which cannot change: the infrastructure machine must have the very same. */
const copied = fromProviderId('providerID', (id) =>
  HOST.test(id) ? { value: id } : { message: `is ${goQuote(id)}, which names no host: must be ${FORM}` },
);

/** Machine API finds the host by the ID, and stops at one that Metal3 made. */
const known: MachineRule = {
  claims: { left: [], right: [] },
  convert: (scope) => {
    if (scope.run.from !== 'right' || scope.run.to !== 'left') return;
    const path = ['machine', 'spec', 'providerID'];
    const id = getAt(scope.run.root, path);
    if (typeof id !== 'string' || id === '' || HOST.test(id)) return;
    const why = `Machine API knows hosts as ${FORM}, and the ID of a node cannot change: replace the machine`;
    addError({ ...scope, at: undefined }, path, `is ${goQuote(id)}: ${why}`);
  },
};

/** Fields that name one host. */
export const identity: readonly MachineRule[] = [copied, known];
