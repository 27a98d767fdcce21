/** The status that controllers report for a VM. */
import { vsphereProviderStatusFields } from '@capstan/api/machine/provider-specs';
import { creationCondition, providerIdOf } from '@capstan/convert/machine-api';
import type { MachinePlatform, MachineRule } from '@capstan/convert/machine-api';
import type { JsonObject } from '@capstan/meta';
import { uuidOf } from './provider-id.js';

const POWERED_ON = 'poweredOn';
const isUp = (status: JsonObject): boolean => status['instanceState'] === POWERED_ON;

/** A VM that runs is ready. Of one that is not, Cluster API does not say what it does instead. */
const ready: MachineRule = {
  claims: { left: [{ path: 'instanceState', fate: 'derived' }], right: [{ path: 'ready', fate: 'derived' }] },
  convert: ({ run, source, target }) => {
    if (run.to === 'right') target['ready'] = run.from === 'left' ? isUp(source) : source['ready'] === true;
    else if (run.from === 'left') target['instanceState'] = source['instanceState'];
    else if (source['ready'] === true) target['instanceState'] = POWERED_ON;
  },
};

const instanceId: MachineRule = {
  claims: { left: [{ path: 'instanceId', fate: 'derived' }], right: [] },
  convert: ({ run, target }) => {
    const id = run.to === 'left' ? providerIdOf(run.root) : undefined;
    const uuid = id === undefined ? undefined : uuidOf(id);
    if (uuid !== undefined) target['instanceId'] = uuid;
  },
};

/** Of a task that runs there, or of what core derives from the machine itself. */
const ignoredFields: MachineRule = {
  claims: {
    left: [{ path: 'taskRef', fate: 'derived' }],
    right: ['addresses', 'failureMessage', 'failureReason', 'network', 'v1beta2'].map((path) => ({
      path,
      fate: 'derived',
    })),
  },
  convert: () => undefined,
};

/** The provider status of a machine, and the status of its infrastructure machine. */
export const status: NonNullable<MachinePlatform['status']> = {
  providerStatus: {
    kind: 'VSphereMachineProviderStatus',
    apiVersions: ['machine.openshift.io/v1beta1', 'vsphereprovider.openshift.io/v1beta1'],
    fields: vsphereProviderStatusFields,
  },
  rules: [ready, instanceId, creationCondition(['Ready', 'VMProvisioned'], isUp), ignoredFields],
};
