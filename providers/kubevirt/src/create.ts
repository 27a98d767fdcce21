import type { JsonObject } from '@capstan/meta';
import { listed, opaqueSecret, withoutUndefined } from '@capstan/provider';
import type { CreateOptions, CreateRequest, Problem } from '@capstan/provider';

/** `infra/guest` of each entry; undefined when one is written otherwise. */
function pairs(text: string | undefined): (readonly [string, string])[] | undefined {
  const found = listed(text).map((each) => each.split('/'));
  return found.every((each) => each.length === 2 && each.every((part) => part !== ''))
    ? found.map(([infra = '', guest = '']) => [infra, guest] as const)
    : undefined;
}

function cluster({ flags, name, namespace }: CreateRequest): ReturnType<CreateOptions['cluster']> {
  const classes = pairs(flags['infra-storage-class-mapping']);
  if (classes === undefined)
    return [{ path: '--infra-storage-class-mapping', message: 'classes are written infra/guest, with commas between' }];
  const { 'infra-kubeconfig-file': kubeconfig, 'infra-namespace': infraNamespace } = flags;
  if ((kubeconfig === undefined) !== (infraNamespace === undefined))
    return [
      { path: '--infra-namespace', message: 'another cluster needs --infra-kubeconfig-file and --infra-namespace' },
    ];
  const secret = `${name}-infra-credentials`;
  const address = flags['api-server-address'];
  return {
    settings: withoutUndefined({
      baseDomainPassthrough: flags['base-domain-passthrough'] === 'true' ? true : undefined,
      credentials:
        kubeconfig === undefined
          ? undefined
          : { infraKubeConfigSecret: { name: secret, key: 'kubeconfig' }, infraNamespace },
      storageDriver:
        classes.length === 0
          ? undefined
          : {
              type: 'Manual',
              manual: {
                storageClassMapping: classes.map(([infra, guest]) => ({
                  infraStorageClassName: infra,
                  guestStorageClassName: guest,
                })),
              },
            },
    }),
    objects: kubeconfig === undefined ? [] : [opaqueSecret(namespace, secret, { kubeconfig })],
    publishing:
      address === undefined
        ? { apiServer: 'LoadBalancer', others: 'Route' }
        : { apiServer: 'NodePort', others: 'NodePort', address },
  };
}

function nodePool({ flags }: CreateRequest): JsonObject | readonly Problem[] {
  const cores = Number(flags['cores']);
  if (!Number.isInteger(cores) || cores < 1) return [{ path: '--cores', message: 'cores is a whole number from 1 on' }];
  const modes = listed(flags['root-volume-access-modes']);
  const networks = listed(flags['additional-network']).map((name) => ({ name }));
  return withoutUndefined({
    compute: withoutUndefined({ memory: flags['memory'], cores, qosClass: flags['qos-class'] }),
    rootVolume: withoutUndefined({
      type: 'Persistent',
      persistent: withoutUndefined({
        size: `${flags['root-volume-size'] ?? '32'}Gi`,
        storageClass: flags['root-volume-storage-class'],
        accessModes: modes.length === 0 ? undefined : modes,
        volumeMode: flags['root-volume-volume-mode'],
      }),
      diskImage: flags['containerdisk'] === undefined ? undefined : { containerDiskImage: flags['containerdisk'] },
    }),
    networkInterfaceMultiqueue: flags['network-multiqueue'],
    additionalNetworks: networks.length === 0 ? undefined : networks,
  });
}

/** `create cluster kubevirt` and `create nodepool kubevirt`. */
export const create: CreateOptions = {
  clusterFlags: [
    {
      name: 'infra-kubeconfig-file',
      value: '<file>',
      help: 'the way to another cluster that is to run the machines',
      isFile: true,
    },
    { name: 'infra-namespace', value: '<namespace>', help: 'where the machines are in that cluster' },
    { name: 'infra-storage-class-mapping', value: '<infra/guest,…>', help: 'storage classes the guest may use' },
    { name: 'base-domain-passthrough', value: '<true|false>', help: 'whether names are below those of this cluster' },
    {
      name: 'api-server-address',
      value: '<address>',
      help: 'where node ports of the management cluster are reached; services are then published on node ports',
    },
  ],
  nodePoolFlags: [
    { name: 'memory', value: '<amount>', help: 'memory of a machine', default: '8Gi' },
    { name: 'cores', value: '<number>', help: 'cores of a machine', default: '2' },
    { name: 'qos-class', value: '<Burstable|Guaranteed>', help: 'whether that is guaranteed', default: 'Burstable' },
    { name: 'root-volume-size', value: '<GiB>', help: 'size of the root volume', default: '32' },
    { name: 'root-volume-storage-class', value: '<class>', help: 'storage class of the root volume' },
    { name: 'root-volume-access-modes', value: '<mode,…>', help: 'access modes of the root volume' },
    { name: 'root-volume-volume-mode', value: '<Block|Filesystem>', help: 'mode of the root volume' },
    { name: 'network-multiqueue', value: '<Enable|Disable>', help: 'several queues for a network device' },
    { name: 'additional-network', value: '<namespace/name,…>', help: 'further networks of a machine' },
    { name: 'containerdisk', value: '<image>', help: 'image with the disk of a machine; default that of the release' },
  ],
  cluster,
  nodePool,
};
