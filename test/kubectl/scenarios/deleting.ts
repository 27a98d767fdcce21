import { ignoreNotFound, type KubeObject } from '@capstan/meta';
import { expect } from 'vitest';
import {
  CONFIG_MAPS,
  configMap,
  deleted,
  DEPLOYMENTS,
  deployment,
  HOLD,
  NAMESPACES,
  ownedBy,
  pod,
  PODS,
  REPLICA_SETS,
  replicaSet,
} from '../objects.js';
import { eventuallySees } from '../../src/wait.js';
import type { Scenario } from '../scenario.js';
import type { Session } from '../session.js';

/** A deployment, its replica set and its pod, as the controllers would have made them. */
async function family(k: Session): Promise<void> {
  const owner = await k.create(DEPLOYMENTS, deployment());
  const set = await k.create(REPLICA_SETS, replicaSet(owner));
  await k.create(PODS, pod('web-1-a', {}, { ownerReferences: [ownedBy(set)] }));
}

const unhold = (k: Session, kind: string): Promise<void> =>
  k.prints(['patch', kind, 'one', '--type=merge', '-p', '{"metadata":{"finalizers":null}}'], `${kind}/one patched\n`);

/** Deleting, and what happens to dependents. */
export const deletingScenarios: readonly Scenario[] = [
  {
    name: 'delete removes by name, by label and all',
    smoke: true,
    run: async (k) => {
      for (const name of ['a', 'b', 'c', 'd']) {
        await k.create(CONFIG_MAPS, configMap(name, {}, { labels: { pick: name === 'c' ? 'yes' : 'no' } }));
      }
      await k.prints('delete cm a b', deleted(k, 'configmap "a"', 'configmap "b"'));
      await k.prints('delete cm -l pick=yes', deleted(k, 'configmap "c"'));
      await k.prints('delete cm --all', deleted(k, 'configmap "d"'));
      expect(await k.run('delete cm --all')).toEqual({ code: 0, stdout: 'No resources found\n', stderr: '' });
    },
  },
  {
    name: 'delete -f removes what a manifest names',
    run: async (k) => {
      await k.create(CONFIG_MAPS, configMap('one'));
      const file = k.file('maps.json', [configMap('one'), configMap('absent')]);
      expect(await k.run(`delete -f ${file}`)).toEqual({
        code: 1,
        stdout: deleted(k, 'configmap "one"'),
        stderr: 'Error from server (NotFound): error when deleting "maps.json": configmaps "absent" not found\n',
      });
      await k.prints(`delete -f ${file} --ignore-not-found`, '');
    },
  },
  {
    name: 'delete in the background returns at once and takes the dependents with it',
    run: async (k) => {
      await family(k);
      await k.prints('delete deploy web', deleted(k, 'deployment.apps "web"'));
      await eventuallySees(
        'the pod is deleted',
        () => k.client.get(PODS, 'web-1-a', { namespace: k.namespace }).catch(ignoreNotFound),
        (left) => left === undefined,
      );
      expect((await k.client.list(REPLICA_SETS, { namespace: k.namespace })).items).toEqual([]);
    },
  },
  {
    name: 'delete in the foreground waits for the dependents',
    run: async (k) => {
      await family(k);
      await k.prints('delete deploy web --cascade=foreground', deleted(k, 'deployment.apps "web"'));
      for (const ref of [DEPLOYMENTS, REPLICA_SETS, PODS]) {
        expect((await k.client.list(ref, { namespace: k.namespace })).items).toEqual([]);
      }
    },
  },
  {
    name: 'delete with orphans leaves the dependents ownerless',
    run: async (k) => {
      await family(k);
      await k.prints('delete deploy web --cascade=orphan', deleted(k, 'deployment.apps "web"'));
      await k.prints(['get', 'rs', 'web-1', '-o', 'jsonpath={.metadata.ownerReferences}'], '');
      await k.prints('get pods -o name', 'pod/web-1-a\n');
    },
  },
  {
    name: 'delete marks an object with finalizers and waits for them',
    smoke: true,
    run: async (k) => {
      await k.create(CONFIG_MAPS, configMap('one', {}, { finalizers: [HOLD] }));
      await k.prints('delete cm one --wait=false', deleted(k, 'configmap "one"'));
      const { metadata } = await k.client.get(CONFIG_MAPS, 'one', { namespace: k.namespace });
      expect(metadata).toMatchObject({
        deletionGracePeriodSeconds: 0,
        deletionTimestamp: expect.any(String),
        finalizers: [HOLD],
      });
      const { stderr, ...rest } = await k.run('delete cm one --timeout=1s');
      expect(rest).toEqual({ code: 1, stdout: deleted(k, 'configmap "one"') });
      // The client, with any server, sometimes logs that its own time limit cut the watch.
      expect(stderr.replace(/^[IWE]\d{4} .*(?:very short watch|context deadline exceeded).*\n/gm, '')).toBe(
        'error: timed out waiting for the condition on configmaps/one\n',
      );
      const waiting = k.start('delete cm one');
      await waiting.lines(1);
      await unhold(k, 'configmap');
      expect(await waiting.ended()).toMatchObject({ code: 0, stderr: '' });
    },
  },
  {
    name: 'a pod on a node is given its grace, and none when forced',
    run: async (k) => {
      await k.create(PODS, pod('one', { nodeName: 'n1' }));
      await k.prints('delete pod one --wait=false', deleted(k, 'pod "one"'));
      await k.prints(['get', 'pod', 'one', '--no-headers'], 'one  0/1  Terminating  0  <age>\n');
      await k.prints(['get', 'pod', 'one', '-o', 'jsonpath={.metadata.deletionGracePeriodSeconds}'], '30');
      const where = k.minor >= 34 ? ' from <ns> namespace' : '';
      expect(await k.run('delete pod one --grace-period=0 --force')).toEqual({
        code: 0,
        stdout: `pod "one" force deleted${where}\n`,
        stderr:
          'Warning: Immediate deletion does not wait for confirmation that the running resource has been terminated. ' +
          'The resource may continue to run on the cluster indefinitely.\n',
      });
    },
  },
  {
    name: 'a namespace goes with all that is in it',
    run: async (k) => {
      const name = `${k.namespace}-b`;
      await k.client.create(NAMESPACES, { apiVersion: 'v1', kind: 'Namespace', metadata: { name } });
      await k.client.create(CONFIG_MAPS, configMap('one', {}, { finalizers: [HOLD] }), { namespace: name });
      const warning = 'Warning: deleting cluster-scoped resources, not scoped to the provided namespace\n';
      const gone = { code: 0, stdout: 'namespace "<ns>-b" deleted\n', stderr: warning };
      expect(await k.run(`delete ns ${name} --wait=false`)).toEqual(gone);
      await k.prints(`get ns ${name} --no-headers`, '<ns>-b  Terminating  <age>\n');
      await k.fails(
        `create -n ${name} -f ${k.file('late.json', [configMap('late')])}`,
        'Error from server (Forbidden): error when creating "late.json": configmaps "late" is forbidden: ' +
          'unable to create new content in namespace <ns>-b because it is being terminated\n',
      );
      const marked = ({ metadata }: KubeObject): boolean => metadata.deletionTimestamp !== undefined;
      const read = (): Promise<KubeObject> => k.client.get(CONFIG_MAPS, 'one', { namespace: name });
      await eventuallySees('the ConfigMap is being deleted', read, marked);
      await k.client.patch(
        CONFIG_MAPS,
        'one',
        { type: 'merge', value: { metadata: { finalizers: null } } },
        { namespace: name },
      );
      await k.run(`wait --for=delete ns/${name} --timeout=15s`);
      await k.fails(`get ns ${name}`, 'Error from server (NotFound): namespaces "<ns>-b" not found\n');
    },
  },
];
