/** Sources such as `kube://machines.cluster.x-k8s.io?context=prod`: the CRDs of a live cluster, or one of them. */
import { isNotFound } from '@capstan/meta';
import { CliError, UsageError } from '../errors.js';
import type { Io } from '../io.js';
import type { ClusterOptions } from '../options.js';
import { withCluster } from './cluster.js';
import { CRD_KIND } from './head.js';
import { DEFINITIONS, listed } from './lists.js';
import type { SourceObject } from './read.js';

const FORM = /^kube:\/\/([^/?]*)(?:\?context=(.+))?$/;

/** The CRDs that a source names; the context of the command line holds where it names none. */
export async function readKube(source: string, options: ClusterOptions, io: Io): Promise<SourceObject[]> {
  const match = FORM.exec(source);
  if (match === null)
    throw new UsageError(
      `${source} names no CRD of a cluster`,
      'write it as kube://, kube://machines.cluster.x-k8s.io or kube://?context=NAME',
    );
  const [, name = '', context = options.context] = match;
  const objects = await withCluster({ ...options, context }, io, async (client) => {
    if (name === '') return listed(client, DEFINITIONS);
    const object = await client.get(DEFINITIONS, name).catch((error: unknown) => {
      if (!isNotFound(error)) throw error;
      throw new CliError(`${source}: the cluster has no CRD ${name}`, "see 'kubectl get crds' for those it has", {
        cause: error,
      });
    });
    return [{ object: { ...object, apiVersion: 'apiextensions.k8s.io/v1', kind: CRD_KIND }, where: '' }];
  });
  return objects.map((each) => ({ ...each, where: source, label: source, source }));
}
