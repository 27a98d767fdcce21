/** Provider IDs of virtual machines: `azure://` before the id that the cloud knows them by. */

/** The form of one. */
export const PROVIDER_ID = {
  pattern:
    /^azure:\/\/\/subscriptions\/[^/]+\/resourceGroups\/[^/]+\/providers\/Microsoft\.Compute\/virtualMachines\/[^/]+$/i,
  form: 'azure:///subscriptions/…/resourceGroups/…/providers/Microsoft.Compute/virtualMachines/<name>',
  use: 'Machine API knows virtual machines by',
};
