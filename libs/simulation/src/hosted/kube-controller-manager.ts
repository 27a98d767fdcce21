import { clusterControllers, NodeLifecycleController, SharedInformers } from '@capstan/cluster';
import type { Controller, ControllerOptions } from '@capstan/cluster';
import { BadUsage, Client, connectFile, defineOperator, loadCa } from '@capstan/kube';
import type { OperatorContext, OperatorDefinition } from '@capstan/kube';
import { certificateControllers } from '../guests/signer.js';

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

/** What makes the controllers from what each is given. */
type Make = (optionsOf: (name: string) => ControllerOptions, informers: SharedInformers) => Controller[];

/**
 * The controllers of a hosted cluster: all there are where its nodes run pods, and else those it cannot be without, who
 * signs for its kubelets and who sees that a node is lost.
 */
export function kubeControllerManager(runsPods: boolean): OperatorDefinition<typeof FLAGS> {
  return defineOperator({
    name: 'kube-controller-manager',
    flags: FLAGS,
    build: async (context) => {
      const { files, flags, options } = context;
      const { 'cluster-signing-cert-file': cert, 'cluster-signing-key-file': key, kubeconfig } = flags;
      if (cert === undefined || key === undefined)
        throw new BadUsage('--cluster-signing-cert-file and --cluster-signing-key-file must be given');
      const transport = kubeconfig === undefined ? options.transport : await connectFile(context, kubeconfig);
      const ca = loadCa({ certPem: await files.read(cert), keyPem: await files.read(key) });
      const leaderElection = runsPods ? guestLease(options.leaderElection, 'kube-controller-manager') : undefined;
      const manager = certificateControllers({ ...options, transport, ca, leaderElection });
      const { clock, logger, random } = options;
      const optionsOf = (name: string): ControllerOptions => {
        const drawn = random.split(name);
        const client = new Client(transport, { clock, random: drawn.split('client'), userAgent: name });
        return { client, clock, logger, random: drawn };
      };
      const make = runsPods ? await all(context) : nodeLifecycle;
      manager.add({
        name: 'controllers',
        run: async (signal) => {
          const controllers = make(optionsOf, new SharedInformers(optionsOf('kube-controller-manager')));
          await Promise.all(controllers.map((controller) => controller.start(signal)));
          await Promise.all(controllers.map((controller) => controller.stopped()));
        },
      });
      return manager;
    },
  });
}

type Election = OperatorContext<typeof FLAGS>['options']['leaderElection'];

/** The Lease of a component that works for a hosted cluster is in that cluster. */
export function guestLease(given: Election, name: string): Election {
  return given === undefined ? undefined : { ...given, namespace: 'kube-system', name };
}

const nodeLifecycle: Make = (optionsOf, informers) => [
  new NodeLifecycleController({ ...optionsOf('node-lifecycle'), informers }),
];

async function all({ files, flags }: OperatorContext<typeof FLAGS>): Promise<Make> {
  const { 'root-ca-file': ca } = flags;
  if (ca === undefined) throw new BadUsage('--root-ca-file must be given');
  const rootCaPem = await files.read(ca);
  return (optionsOf, informers) => clusterControllers({ optionsOf, informers, rootCaPem });
}
