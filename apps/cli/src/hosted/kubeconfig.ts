import { writeFile } from 'node:fs/promises';
import type { Client } from '@capstan/kube';
import { isNotFound } from '@capstan/meta';
import { secretText, textAt } from '@capstan/provider';
import { CliError } from '../errors.js';
import { unusable } from '../files.js';
import type { Io } from '../io.js';
import type { ClusterOptions } from '../options.js';
import { hostedCluster, withCluster } from './cluster-access.js';

/** `capstan get kubeconfig`, as it was typed. */
export interface KubeconfigOptions extends ClusterOptions {
  readonly namespace: string;
  readonly out?: string | undefined;
}

const SECRETS = { group: '', version: 'v1', plural: 'secrets', namespaced: true };

/** Prints or writes the kubeconfig of a cluster's administrator. */
export async function runGetKubeconfig(name: string, options: KubeconfigOptions, io: Io): Promise<void> {
  const text = await withCluster(options, io, (client) => administrator(client, options.namespace, name));
  if (options.out === undefined) return io.out(text.endsWith('\n') ? text : `${text}\n`);
  try {
    await writeFile(options.out, text, { mode: 0o600 });
  } catch (error) {
    throw unusable('a kubeconfig', options.out, error, 'name another file with --out');
  }
  io.err(`wrote ${options.out}: kubectl --kubeconfig ${options.out} get nodes\n`);
}

async function administrator(client: Client, namespace: string, name: string): Promise<string> {
  const cluster = await hostedCluster(client, namespace, name);
  const secretName = textAt(cluster, 'status', 'kubeconfig', 'name');
  if (secretName === undefined)
    throw new CliError(`HostedCluster ${name} has no kubeconfig yet`, 'try again once its control plane answers');
  const secret = await client.get(SECRETS, secretName, { namespace }).catch((error: unknown) => {
    throw isNotFound(error)
      ? new CliError(`Secret ${secretName}, which HostedCluster ${name} names, is gone`, 'the operator makes it anew')
      : error;
  });
  const text = secretText(secret, 'kubeconfig');
  if (text === undefined)
    throw new CliError(`Secret ${secretName} has no key kubeconfig`, 'the operator makes it anew');
  return text;
}
