/** The status that controllers report for a VM. */
import { nutanixProviderStatusFields } from '@capstan/api/machine/provider-specs';
import { same } from '@capstan/convert';
import { creationCondition, optionalText } from '@capstan/convert/machine-api';
import type { MachinePlatform, MachineRule } from '@capstan/convert/machine-api';
import type { JsonObject } from '@capstan/meta';

/** Machine API does not report whether a VM runs, only that it was created. */
function isMade({ conditions }: JsonObject): boolean {
  if (!Array.isArray(conditions)) return false;
  return (conditions as readonly unknown[]).some((condition) => {
    const { type, status } = (condition ?? {}) as JsonObject;
    return type === 'MachineCreation' && status === 'True';
  });
}

const ready: MachineRule = {
  claims: { left: [], right: [{ path: 'ready', fate: 'derived' }] },
  convert: ({ run, source, target }) => {
    if (run.to === 'right') target['ready'] = run.from === 'left' ? isMade(source) : source['ready'] === true;
  },
};

/** What core derives from the machine itself, or the controller finds out. */
const ignoredFields: MachineRule = {
  claims: {
    left: [],
    right: ['addresses', 'failureDomain', 'failureMessage', 'failureReason', 'nodeRef', 'v1beta2'].map((path) => ({
      path,
      fate: 'derived',
    })),
  },
  convert: () => undefined,
};

/** The provider status of a machine, and the status of its infrastructure machine. */
export const status: NonNullable<MachinePlatform['status']> = {
  providerStatus: {
    kind: 'NutanixMachineProviderStatus',
    apiVersions: ['machine.openshift.io/v1'],
    fields: nutanixProviderStatusFields,
  },
  rules: [same('vmUUID', optionalText), ready, creationCondition(['Ready', 'VMProvisioned'], isMade), ignoredFields],
};
