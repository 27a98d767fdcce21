import { kubevirtMachine, kubevirtMachineTemplate } from '@capstan/api/infrastructure/kubevirt';
import { resource } from '@capstan/api/model';
import { applyJsonPatch } from '@capstan/meta';
import type { JsonObject } from '@capstan/meta';
import { bootImagesOf, textAt } from '@capstan/provider';
import type { MachineTemplate, NodePoolInputs, Problem } from '@capstan/provider';
import { poolSettings } from './settings.js';
import { virtualMachine } from './virtual-machine.js';

const PATCH_ANNOTATION = 'hypershift.openshift.io/kubevirt-vm-jsonpatch';

function bootImage({ nodePool, release }: NodePoolInputs): string | undefined {
  const own = poolSettings(nodePool).rootVolume.diskImage?.containerDiskImage;
  const architecture = nodePool.spec?.arch === 's390x' ? 's390x' : 'amd64';
  const image = own ?? textAt(bootImagesOf(release, architecture), 'images', 'kubevirt', 'digest-ref');
  return image === undefined ? undefined : `docker://${image.replace(/^docker:\/\//, '')}`;
}

/** Users may change the machine beyond what fields say: those of the cluster first, then those of the pool. */
function patched({ hostedCluster, nodePool }: NodePoolInputs, machine: JsonObject): JsonObject | Problem {
  let made = machine;
  for (const [of, { metadata }] of [['HostedCluster', hostedCluster] as const, ['NodePool', nodePool] as const]) {
    const patch = metadata.annotations?.[PATCH_ANNOTATION];
    if (patch === undefined) continue;
    try {
      made = applyJsonPatch(made, JSON.parse(patch)) as JsonObject;
    } catch (error) {
      const path = `metadata.annotations[${PATCH_ANNOTATION}]`;
      return {
        path: `spec.platform.kubevirt (${path})`,
        message: `the patch of the ${of} does not apply: ${String(error)}`,
      };
    }
  }
  return made;
}

/** Machines of a pool. */
export const machineTemplate: MachineTemplate = {
  kind: resource(kubevirtMachineTemplate),
  machine: resource(kubevirtMachine),
  spec: (inputs) => {
    const image = bootImage(inputs);
    if (image === undefined)
      return [
        {
          path: 'spec.platform.kubevirt.rootVolume.diskImage',
          message: `release ${inputs.release.version} has no disk for the architecture: name one in diskImage, or use a release that has`,
        },
      ];
    const machine = patched(inputs, { ...virtualMachine(inputs, image) });
    if ('message' in machine) return [machine as unknown as Problem];
    const virtualMachineBootstrapCheck = { checkStrategy: 'none' };
    return { template: { spec: { virtualMachineTemplate: machine, virtualMachineBootstrapCheck } } };
  },
  unused: {
    'rootVolume.type': 'there is one type, and persistent alone selects it',
    'rootVolume.cacheStrategy.type':
      'a cache lies in the cluster that runs the machines, which core does not speak to: each machine imports its image',
  },
};
