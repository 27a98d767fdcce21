/** Where something comes back in another form. */
import type { Equivalence } from '@capstan/convert/machine-api';

const at = (side: Equivalence['side'], reason: string, paths: readonly string[]): Equivalence[] =>
  paths.map((path) => ({ side, path, reason }));

const TAGS = ['tags', 'tagsAny', 'notTags', 'notTagsAny'];
const below = (path: string, names: readonly string[]): string[] => names.map((name) => `${path}.${name}`);
const places = ['networks[]', 'networks[].subnets[]', 'securityGroups[]'];
const filters = places.map((place) => `${place}.filter`);

/** All of them, with the reasons. */
export const equivalences: readonly Equivalence[] = [
  ...at(
    'machine-api',
    'an ID counts wherever it is, and comes back as uuid',
    places.flatMap((place) => [`${place}.uuid`, `${place}.filter.id`]),
  ),
  ...at('machine-api', 'a name counts in either place, and comes back next to the filter', [
    'securityGroups[].name',
    'securityGroups[].filter.name',
  ]),
  ...at(
    'machine-api',
    'tenantId is an older name of projectId',
    filters.flatMap((filter) => below(filter, ['projectId', 'tenantId'])),
  ),
  ...at(
    'machine-api',
    'tags that are empty or there twice say nothing',
    filters.flatMap((filter) => below(filter, TAGS)),
  ),
  ...at('machine-api', 'a network that is not named makes a port for each subnet, and comes back as as many networks', [
    'networks[].subnets[].portTags',
  ]),
  ...at('machine-api', 'tags of subnets are tags of the port, and come back with those of the network', [
    'networks[].portTags',
  ]),
  ...at('machine-api', 'without addresses to let through it makes no difference', ['networks[].noAllowedAddressPairs']),
  ...at('machine-api', 'the forms of the one capability that is used mean the same', [
    'networks[].profile',
    'ports[].profile',
  ]),
  ...at('machine-api', 'a port that has the trunk of its machine need not say so', ['ports[].trunk']),
  ...at('machine-api', 'with a root volume the image is what the volume is made of', [
    'image',
    'rootVolume.sourceUUID',
  ]),
  ...at('machine-api', 'a tag that is there twice counts once', ['tags', 'ports[].tags']),
  ...at('machine-api', 'false means the same as absent', ['trunk']),
  ...at('cluster-api', 'a machine without one has that of the infrastructure cluster', [
    'identityRef.type',
    'identityRef.name',
    'identityRef.cloudName',
  ]),
  ...at(
    'cluster-api',
    'a port that stands for a network always has it, one that stands for a port only when it differs',
    ['ports[].trunk'],
  ),
  ...at('cluster-api', 'without offload a port means the same as without the field', ['ports[].profile.ovsHWOffload']),
  ...at('cluster-api', 'volumes name the source of their zone', [
    'rootVolume.availabilityZone.from',
    'additionalBlockDevices[].storage.volume.availabilityZone.from',
  ]),
  ...at('cluster-api', 'a tag that is there twice counts once', [
    'tags',
    'ports[].tags',
    ...['ports[].network.filter', 'ports[].fixedIPs[].subnet.filter', 'securityGroups[].filter'].flatMap((filter) =>
      below(filter, TAGS),
    ),
  ]),
  ...at('cluster-api', 'metadata come back in the order of their keys', ['serverMetadata[]']),
  ...at('cluster-api', 'false means the same as absent', ['trunk']),
];
