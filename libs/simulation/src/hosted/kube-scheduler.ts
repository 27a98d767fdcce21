import { Scheduler } from '@capstan/cluster';
import { Client, connectFile, defineOperator, Manager } from '@capstan/kube';
import { guestLease } from './kube-controller-manager.js';

const NAME = 'kube-scheduler';

/** Places the pods of a hosted cluster on its nodes. */
export const kubeScheduler = defineOperator({
  name: NAME,
  flags: {
    'authentication-kubeconfig': 'string',
    'authorization-kubeconfig': 'string',
    'secure-port': 'number',
    'tls-cert-file': 'string',
    'tls-private-key-file': 'string',
  },
  build: async (context) => {
    const { flags, options } = context;
    const { kubeconfig } = flags;
    const transport = kubeconfig === undefined ? options.transport : await connectFile(context, kubeconfig);
    const { clock, logger, random } = options;
    const manager = new Manager({ ...options, transport, leaderElection: guestLease(options.leaderElection, NAME) });
    const client = new Client(transport, { clock, random: random.split('client'), userAgent: NAME });
    manager.add({
      name: 'scheduler',
      run: async (signal) => {
        const scheduler = new Scheduler({ client, clock, logger, random: random.split('scheduler') });
        await scheduler.start(signal);
        await scheduler.stopped();
      },
    });
    return manager;
  },
});
