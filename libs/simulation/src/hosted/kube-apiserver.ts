import { serveHttp } from '@capstan/apiserver';
import { BadUsage, defineOperator, Manager } from '@capstan/kube';
import type { OperatorContext, OperatorDefinition } from '@capstan/kube';
import { userOfCertificate } from '../guests/known-servers.js';
import type { GuestTrust, HostedGuest, HostedGuests } from './hosted-guests.js';
import { readTokenFile } from './token-file.js';

const FLAGS = {
  'advertise-address': 'string',
  'allow-privileged': 'boolean',
  'anonymous-auth': 'boolean',
  'authorization-mode': 'list',
  'client-ca-file': 'string',
  'enable-admission-plugins': 'list',
  'etcd-cafile': 'string',
  'etcd-certfile': 'string',
  'etcd-keyfile': 'string',
  'etcd-servers': 'string',
  'kubelet-client-certificate': 'string',
  'kubelet-client-key': 'string',
  'secure-port': 'number',
  'service-account-issuer': 'string',
  'service-account-key-file': 'string',
  'service-account-signing-key-file': 'string',
  'service-cluster-ip-range': 'string',
  'tls-cert-file': 'string',
  'tls-private-key-file': 'string',
  'token-auth-file': 'string',
} as const;

/** The API server of a hosted cluster as an operator, with the flags of kube-apiserver: an embedded one of its own. */
export function kubeApiserver(guests: HostedGuests): OperatorDefinition<typeof FLAGS> {
  return defineOperator({
    name: 'kube-apiserver',
    flags: FLAGS,
    build: async (context) => {
      const { flags, namespace, options } = context;
      const port = flags['secure-port'] ?? 6443;
      const trust = await trustOf(context);
      const tls = await certificateOf(context);
      const guest = await guests.open(namespace);
      const manager = new Manager({ ...options, leaderElection: undefined });
      manager.add({
        name: 'kube-apiserver',
        run: async (signal) => {
          const lower = guest.raise(trust);
          guests.answersAt(namespace, `https://kube-apiserver.${namespace}.svc:${port}`);
          const served = await serve(context, guest, { port, tls, trust });
          await new Promise<void>((resolve) => {
            if (signal.aborted) resolve();
            signal.addEventListener('abort', () => resolve(), { once: true });
          });
          lower();
          await served?.close();
        },
      });
      return manager;
    },
  });
}

type Context = OperatorContext<typeof FLAGS>;

async function trustOf({ files, flags }: Context): Promise<GuestTrust> {
  const { 'client-ca-file': clientCa, 'token-auth-file': tokens } = flags;
  if (clientCa === undefined) throw new BadUsage('--client-ca-file must be given');
  return {
    clientCa: await files.read(clientCa),
    tokens: tokens === undefined ? new Map() : readTokenFile(await files.read(tokens)),
  };
}

async function certificateOf({ files, flags }: Context): Promise<{ readonly cert: string; readonly key: string }> {
  const { 'tls-cert-file': cert, 'tls-private-key-file': key } = flags;
  if (cert === undefined || key === undefined)
    throw new BadUsage('--tls-cert-file and --tls-private-key-file must be given');
  return { cert: await files.read(cert), key: await files.read(key) };
}

interface Serving {
  readonly port: number;
  readonly tls: { readonly cert: string; readonly key: string };
  readonly trust: GuestTrust;
}

/** On the network of its pod, where it has one. */
async function serve(
  { attach, options }: Context,
  guest: HostedGuest,
  { port, tls, trust }: Serving,
): Promise<{ close(): Promise<void> } | undefined> {
  if (attach === undefined) return undefined;
  return serveHttp(guest.server, {
    port,
    tls,
    attach,
    vouchForCertificate: (certificate) => userOfCertificate(certificate, trust.clientCa, options.clock.now()),
  });
}
