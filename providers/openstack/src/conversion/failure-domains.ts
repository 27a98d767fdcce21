/** Where the machines of a control plane are spread. */
import type { FailureDomainConversion } from '@capstan/convert/machine-api';
import { nonEmptyText } from './values.js';

/** Cluster API has the zones of servers by their names, and no zones or types of volumes for each. */
export const failureDomains: FailureDomainConversion = {
  key: 'openstack',
  platform: 'OpenStack',
  toName: ({ availabilityZone, rootVolume }) => {
    if ((rootVolume ?? undefined) !== undefined)
      return {
        path: 'rootVolume',
        message:
          'cannot be kept: in Cluster API a failure domain is a zone of servers, and all have volumes of one type',
      };
    const name = nonEmptyText(availabilityZone);
    return name === undefined
      ? { path: 'availabilityZone', message: 'is needed: in Cluster API it is the name of the failure domain' }
      : { name };
  },
  toDomain: (name) => ({ domain: { availabilityZone: name } }),
};
