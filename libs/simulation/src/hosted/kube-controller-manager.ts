import { NodeLifecycleController, SharedInformers } from '@capstan/cluster';
import { BadUsage, Client, connectFile, defineOperator, loadAuthority } from '@capstan/kube';
import { certificateSigner } from '../guests/signer.js';

const FLAGS = {
  'allocate-node-cidrs': 'boolean',
  'authentication-kubeconfig': 'string',
  'authorization-kubeconfig': 'string',
  'cluster-cidr': 'string',
  'cluster-signing-cert-file': 'string',
  'cluster-signing-duration': 'duration',
  'cluster-signing-key-file': 'string',
  controllers: 'list',
  'root-ca-file': 'string',
  'secure-port': 'number',
  'service-account-private-key-file': 'string',
  'service-cluster-ip-range': 'string',
  'tls-cert-file': 'string',
  'tls-private-key-file': 'string',
  'use-service-account-credentials': 'boolean',
} as const;

/** The controllers a hosted cluster cannot be without: who signs for its kubelets, and who sees that a node is lost. */
export const kubeControllerManager = defineOperator({
  name: 'kube-controller-manager',
  flags: FLAGS,
  build: async (context) => {
    const { files, flags, options } = context;
    const { 'cluster-signing-cert-file': cert, 'cluster-signing-key-file': key, kubeconfig } = flags;
    if (cert === undefined || key === undefined)
      throw new BadUsage('--cluster-signing-cert-file and --cluster-signing-key-file must be given');
    const transport = kubeconfig === undefined ? options.transport : await connectFile(context, kubeconfig);
    const authority = loadAuthority({ certPem: await files.read(cert), keyPem: await files.read(key) });
    // The lease belongs into the cluster it works for, where there is nobody else to lead.
    const manager = certificateSigner({ ...options, transport, authority, leaderElection: undefined });
    const { clock, logger, random } = options;
    const client = new Client(transport, {
      clock,
      random: random.split('nodes'),
      userAgent: 'kube-controller-manager',
    });
    manager.add({
      name: 'node-lifecycle',
      run: async (signal) => {
        const informers = new SharedInformers({ client, clock, random: random.split('informers'), logger });
        const given = { client, clock, random: random.split('lifecycle'), logger, informers };
        await new NodeLifecycleController(given).start(signal);
      },
    });
    return manager;
  },
});
