import { HOSTED_CLUSTERS } from '@capstan/hosting';
import type { Client, ResourceRef } from '@capstan/kube';
import type { KubeObject } from '@capstan/meta';
import { main } from '../main.js';
import { TestIo } from '../testing-io.js';
import { testServer } from '../testing-server.js';

/** What a command has printed. */
export interface Ran {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

/** A server without controllers, and commands that install into it. */
export interface InstallPlace {
  readonly client: Client;
  readonly kubeconfig: string;
  run(...args: readonly string[]): Promise<Ran>;
  /** `capstan install` with certificates of its own, waiting for nothing. */
  install(...args: readonly string[]): Promise<Ran>;
  /** Creates a HostedCluster in namespace `default`. */
  host(name: string, annotations?: Readonly<Record<string, string>>): Promise<void>;
  /** Creates a CRD without a schema for each kind. */
  define(...kinds: readonly Bare[]): Promise<void>;
  close(): Promise<void>;
}

/** A kind whose schema does not matter. */
export interface Bare {
  readonly kind: string;
  readonly ref: ResourceRef;
}

/** Starts one. */
export async function installPlace(): Promise<InstallPlace> {
  const server = await testServer();
  const { client, kubeconfig } = server;
  const run = async (...args: readonly string[]): Promise<Ran> => {
    const io = new TestIo();
    const code = await main([...args, '--kubeconfig', kubeconfig], io);
    return { code, out: io.stdout, err: io.stderr };
  };
  return {
    client,
    kubeconfig,
    run,
    install: (...args) => run('install', '--no-wait', '--own-certificate', ...args),
    host: async (name, annotations = {}) => {
      await client.create(HOSTED_CLUSTERS, hostedCluster(name, annotations));
    },
    define: (...kinds) => server.define(kinds.map(bare)),
    close: () => server.close(),
  };
}

function hostedCluster(name: string, annotations: Readonly<Record<string, string>>): KubeObject {
  const services = ['APIServer', 'OAuthServer', 'Konnectivity', 'Ignition'].map((service) => ({
    service,
    servicePublishingStrategy: { type: 'Route' },
  }));
  return {
    apiVersion: 'hypershift.openshift.io/v1beta1',
    kind: 'HostedCluster',
    metadata: { name, namespace: 'default', annotations },
    spec: {
      platform: { type: 'None' },
      release: { image: 'quay.io/openshift-release-dev/ocp-release:4.22.0' },
      pullSecret: { name: 'pull-secret' },
      sshKey: { name: 'ssh-key' },
      etcd: { managementType: 'Managed', managed: { storage: { type: 'PersistentVolume' } } },
      services,
    },
  };
}

function bare({ kind, ref: { group, namespaced, plural, version } }: Bare): KubeObject {
  const schema = { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } };
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.${group}` },
    spec: {
      group,
      scope: namespaced ? 'Namespaced' : 'Cluster',
      names: { plural, singular: kind.toLowerCase(), kind, listKind: `${kind}List` },
      versions: [{ name: version, served: true, storage: true, schema }],
    },
  };
}
