import { GROUP } from '../capi-operator/fixture.js';

export const SHIPS = `ships.${GROUP}`;
export const ACTIVE = `ship-${GROUP}-ccapio`;
export const FUTURE = `${ACTIVE}-4.23.0`;
export const BOTH = 'ClusterAPIMachineManagementAWS=true,ClusterAPIMachineManagementAWSUpgradeability=true';
export const REDUCED = 'ClusterAPIMachineManagementAWSUpgradeability=true';
export const OWN_NAMESPACE = 'openshift-cluster-api';
export const SHIP_OBJECTS = { group: GROUP, version: 'v1', plural: 'ships', namespaced: true };

export const spec = (properties: object): Readonly<Record<string, unknown>> => ({
  spec: { type: 'object', properties },
});
export const text = { type: 'string' };
export const name = spec({ name: text });
export const nameAndFlag = spec({ name: text, flag: text });
export const deprecated = {
  deprecated: {
    type: 'object',
    properties: { v1beta1: { type: 'object', properties: { ready: { type: 'boolean' } } } },
  },
};
