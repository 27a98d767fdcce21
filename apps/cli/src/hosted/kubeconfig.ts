import { kubeconfigJson, untrustedKubeconfig, writeWholeFile } from '@capstan/kube';
import type { Client } from '@capstan/kube';
import { isNotFound } from '@capstan/meta';
import { secretText, textAt } from '@capstan/provider';
import { CliError, UsageError } from '../errors.js';
import { unusable } from '../files.js';
import type { Io } from '../io.js';
import type { ClusterOptions } from '../options.js';
import { formatObject } from '../output.js';
import { hostedCluster, withCluster } from './cluster-access.js';
import { mergeInto, usualKubeconfig } from './merge-kubeconfig.js';

/** `capstan get kubeconfig`, as it was typed. */
export interface KubeconfigOptions extends ClusterOptions {
  readonly namespace: string;
  readonly out?: string | undefined;
  readonly merge?: boolean | undefined;
  readonly output: 'json' | 'yaml';
}

const SECRETS = { group: '', version: 'v1', plural: 'secrets', namespaced: true };

/** Prints or writes the kubeconfig of a cluster's administrator. */
export async function runGetKubeconfig(name: string, options: KubeconfigOptions, io: Io): Promise<void> {
  if (options.merge === true && options.out !== undefined)
    throw new UsageError('--merge and --out are two places', 'name one of them');
  const config = await withCluster(options, io, (client) => administrator(client, options.namespace, name));
  const text = await formatObject(config, options.output);
  if (options.merge === true) {
    const [context, path] = [`${options.namespace}-${name}`, usualKubeconfig(io.env)];
    await mergeInto(path, text, context);
    io.err(`wrote ${path}: kubectl --context ${context} get nodes\n`);
    return;
  }
  if (options.out === undefined) return io.out(text);
  try {
    writeWholeFile(options.out, text);
  } catch (error) {
    throw unusable('a kubeconfig', options.out, error, 'name another file with --out');
  }
  io.err(`wrote ${options.out}: kubectl --kubeconfig ${options.out} get nodes\n`);
}

/** In the order of fields that kubectl prints. */
async function administrator(client: Client, namespace: string, name: string): Promise<object> {
  const cluster = await hostedCluster(client, namespace, name);
  const secretName = textAt(cluster, 'status', 'kubeconfig', 'name');
  if (secretName === undefined)
    throw new CliError(`HostedCluster ${name} has no kubeconfig yet`, 'try again once its control plane answers');
  const secret = await client.get(SECRETS, secretName, { namespace }).catch((error: unknown) => {
    throw isNotFound(error)
      ? new CliError(
          `Secret ${secretName}, which HostedCluster ${name} names, does not exist`,
          'the operator creates it again',
        )
      : error;
  });
  const text = secretText(secret, 'kubeconfig');
  if (text === undefined)
    throw new CliError(`Secret ${secretName} has no key kubeconfig`, 'the operator creates it again');
  // Others may write there, and the user will run kubectl with it: only data passes, and nothing else is copied.
  const origin = `Secret ${namespace}/${secretName}`;
  const { context, ...kubeconfig } = await untrustedKubeconfig(text, { origin });
  const { apiVersion, clusters, contexts, kind, users, ...rest } = JSON.parse(
    kubeconfigJson({ ...kubeconfig, name: context }),
  ) as Readonly<Record<string, unknown>>;
  return { apiVersion, clusters, contexts, ...rest, kind, users };
}
