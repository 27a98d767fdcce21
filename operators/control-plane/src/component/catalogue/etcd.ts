import type { JsonObject } from '@capstan/meta';
import type { ComponentDefinition, ComponentInputs } from '../definition.js';
import { policyReplicas } from '../../spec.js';

const DEFAULT_SIZE = '8Gi';

/** The managed etcd; absent where the user brings one. */
export const etcd: ComponentDefinition = {
  name: 'etcd',
  workload: 'StatefulSet',
  replicas: 'policy',
  isEarly: true,
  priority: 'etcd',
  hasBudget: true,
  isPartOf: ({ spec }) => spec.etcd.managementType === 'Managed',
  stateful: etcdClaims,
  containers: [
    {
      name: 'etcd',
      image: 'etcd',
      command: ['/usr/bin/etcd'],
      env: etcdEnv,
      fieldEnv: { POD_IP: 'status.podIP', NAMESPACE: 'metadata.namespace', HOSTNAME: 'metadata.name' },
      ports: { client: 2379, peer: 2380 },
      mounts: {
        '/var/lib': { claim: 'data' },
        '/etc/etcd/tls/peer': { secret: 'etcd-peer-tls' },
        '/etc/etcd/tls/server': { secret: 'etcd-server-tls' },
        '/etc/etcd/tls/etcd-ca': { secret: 'etcd-signer', items: { 'ca.crt': 'ca.crt' } },
      },
      cpu: '300m',
      memory: '600Mi',
    },
  ],
};

function etcdEnv(inputs: ComponentInputs): Readonly<Record<string, string>> {
  const members = Array.from({ length: policyReplicas(inputs.spec) }, (_, index) => {
    const name = `etcd-${index}`;
    return `${name}=https://${name}.etcd-discovery.${inputs.namespace}.svc:2380`;
  });
  return {
    ETCD_NAME: '$(HOSTNAME)',
    ETCD_DATA_DIR: '/var/lib/data',
    ETCD_INITIAL_CLUSTER: members.join(','),
    ETCD_INITIAL_CLUSTER_TOKEN: 'etcd-cluster',
    ETCD_INITIAL_ADVERTISE_PEER_URLS: 'https://$(HOSTNAME).etcd-discovery.$(NAMESPACE).svc:2380',
    ETCD_LISTEN_PEER_URLS: 'https://$(POD_IP):2380',
    ETCD_LISTEN_CLIENT_URLS: 'https://$(POD_IP):2379,https://localhost:2379',
    ETCD_ADVERTISE_CLIENT_URLS: 'https://$(HOSTNAME).etcd-client.$(NAMESPACE).svc:2379',
    ETCD_QUOTA_BACKEND_BYTES: '8589934592',
    ETCD_PEER_CLIENT_CERT_AUTH: 'true',
    ETCD_PEER_CERT_FILE: '/etc/etcd/tls/peer/peer.crt',
    ETCD_PEER_KEY_FILE: '/etc/etcd/tls/peer/peer.key',
    ETCD_PEER_TRUSTED_CA_FILE: '/etc/etcd/tls/etcd-ca/ca.crt',
    ETCD_CLIENT_CERT_AUTH: 'true',
    ETCD_CERT_FILE: '/etc/etcd/tls/server/server.crt',
    ETCD_KEY_FILE: '/etc/etcd/tls/server/server.key',
    ETCD_TRUSTED_CA_FILE: '/etc/etcd/tls/etcd-ca/ca.crt',
  };
}

function etcdClaims({ spec }: ComponentInputs): {
  readonly serviceName: string;
  readonly claims: readonly JsonObject[];
} {
  const { size = DEFAULT_SIZE, storageClassName } = spec.etcd.managed?.storage.persistentVolume ?? {};
  const claim = {
    metadata: { name: 'data' },
    spec: {
      accessModes: ['ReadWriteOnce'],
      resources: { requests: { storage: size } },
      ...(storageClassName === undefined ? {} : { storageClassName }),
    },
  };
  return { serviceName: 'etcd-discovery', claims: [claim] };
}
