/** What operators said of the version of a control plane before `status.controlPlaneVersion` did: removed where found. */
export const BYGONE_VERSION_CONDITION = 'ControlPlaneUpToDate';
