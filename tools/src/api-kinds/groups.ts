import { kinds as apiextensions } from '@capstan/api/apiextensions';
import { kinds as clusterApi } from '@capstan/api/cluster-api';
import { kinds as config } from '@capstan/api/config';
import { kinds as hypershift } from '@capstan/api/hypershift';
import { kinds as hypershiftInfrastructure } from '@capstan/api/hypershift-infrastructure';
import { kinds as agent } from '@capstan/api/infrastructure/agent';
import { kinds as aws } from '@capstan/api/infrastructure/aws';
import { kinds as azure } from '@capstan/api/infrastructure/azure';
import { kinds as gcp } from '@capstan/api/infrastructure/gcp';
import { kinds as kubevirt } from '@capstan/api/infrastructure/kubevirt';
import { kinds as metal3 } from '@capstan/api/infrastructure/metal3';
import { kinds as nutanix } from '@capstan/api/infrastructure/nutanix';
import { kinds as openstack } from '@capstan/api/infrastructure/openstack';
import { kinds as openstackResources } from '@capstan/api/infrastructure/openstack-resources';
import { kinds as powervs } from '@capstan/api/infrastructure/powervs';
import { kinds as vsphere } from '@capstan/api/infrastructure/vsphere';
import { kinds as machine } from '@capstan/api/machine';
import type { Kind } from '@capstan/api/model';
import { kinds as operator } from '@capstan/api/operator';

/** A folder of definitions under `api/src` with its kinds. */
export interface ApiGroup {
  readonly folder: string;
  readonly kinds: readonly Kind[];
}

/** Every folder of definitions. */
export const apiGroups: readonly ApiGroup[] = [
  { folder: 'apiextensions', kinds: apiextensions },
  { folder: 'cluster-api', kinds: clusterApi },
  { folder: 'config', kinds: config },
  { folder: 'hypershift', kinds: hypershift },
  { folder: 'hypershift-infrastructure', kinds: hypershiftInfrastructure },
  { folder: 'infrastructure/agent', kinds: agent },
  { folder: 'infrastructure/aws', kinds: aws },
  { folder: 'infrastructure/azure', kinds: azure },
  { folder: 'infrastructure/gcp', kinds: gcp },
  { folder: 'infrastructure/kubevirt', kinds: kubevirt },
  { folder: 'infrastructure/metal3', kinds: metal3 },
  { folder: 'infrastructure/nutanix', kinds: nutanix },
  { folder: 'infrastructure/openstack', kinds: openstack },
  { folder: 'infrastructure/openstack-resources', kinds: openstackResources },
  { folder: 'infrastructure/powervs', kinds: powervs },
  { folder: 'infrastructure/vsphere', kinds: vsphere },
  { folder: 'machine', kinds: machine },
  { folder: 'operator', kinds: operator },
];
