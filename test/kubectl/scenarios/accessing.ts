import { expect } from 'vitest';
import { CONFIG_MAPS, configMap } from '../objects.js';
import type { Scenario } from '../scenario.js';

/** Commands that make an object themselves, and what they say. */
const TYPED_CREATES: readonly (readonly [string, string])[] = [
  ['create cm c --from-literal=a=b', 'configmap/c created\n'],
  ['create secret generic s --from-literal=a=b', 'secret/s created\n'],
  ['create sa x', 'serviceaccount/x created\n'],
  ['create role r --verb=get --resource=pods', 'role.rbac.authorization.k8s.io/r created\n'],
  ['create rolebinding rb --role=r --user=bob', 'rolebinding.rbac.authorization.k8s.io/rb created\n'],
  ['create deployment d --image=nginx --replicas=2', 'deployment.apps/d created\n'],
  ['create service clusterip d --clusterip=None', 'service/d created\n'],
  ['create job j --image=busybox', 'job.batch/j created\n'],
  ['create cronjob cj --image=busybox --schedule=@daily', 'cronjob.batch/cj created\n'],
  ['create ingress i --rule=a.example/*=d:80', 'ingress.networking.k8s.io/i created\n'],
  ['create pdb b --selector=app=d --min-available=1', 'poddisruptionbudget.policy/b created\n'],
  ['create quota q --hard=pods=30', 'resourcequota/q created\n'],
  ['create service nodeport np --tcp=80:8080', 'service/np created\n'],
  ['create service loadbalancer lb --tcp=80', 'service/lb created\n'],
  ['create service externalname en --external-name=example.com', 'service/en created\n'],
  ['create secret docker-registry dr --docker-server=r --docker-username=u --docker-password=p', 'secret/dr created\n'],
  ['expose deployment d --port=80 --name=exposed', 'service/exposed exposed\n'],
  ['autoscale deployment d --min=1 --max=3', 'horizontalpodautoscaler.autoscaling/d autoscaled\n'],
  ['run p --image=nginx', 'pod/p created\n'],
];

/** Who may what, and the commands that do not send JSON. */
export const accessingScenarios: readonly Scenario[] = [
  {
    name: 'the create commands are understood in the form the client sends',
    smoke: true,
    run: async (k) => {
      for (const [command, output] of TYPED_CREATES) await k.prints(command, output);
      await k.prints(['get', 'deploy', 'd', '-o', 'jsonpath={.spec.replicas} {.metadata.labels.app}'], '2 d');
      await k.prints(['get', 'secret', 's', '-o', 'jsonpath={.data.a} {.type}'], 'Yg== Opaque');
    },
  },
  {
    name: '--as impersonates another user, who may do less',
    asOthers: true,
    run: async (k) => {
      await k.create(CONFIG_MAPS, configMap('one'));
      await k.fails(
        'get cm --as=bob',
        'Error from server (Forbidden): configmaps is forbidden: User "bob" cannot list resource "configmaps" in API group "" in the namespace "<ns>"\n',
      );
      await k.prints('get cm -o name --as=bob --as-group=system:masters', 'configmap/one\n');
    },
  },
  {
    name: 'who may see one object gets and watches it by name',
    asOthers: true,
    run: async (k) => {
      for (const name of ['mine', 'other']) await k.create(CONFIG_MAPS, configMap(name));
      const verbs = '--verb=get --verb=list --verb=watch';
      await k.output(`create role mine ${verbs} --resource=configmaps --resource-name=mine`);
      await k.output('create rolebinding mine --role=mine --user=bob');
      const get = (): Promise<string> => k.output('get cm mine -o name --as=bob').catch(() => '');
      await expect.poll(get, { timeout: 15_000 }).toBe('configmap/mine\n');
      const watch = k.start('get cm mine -w -o name --as=bob');
      await watch.lines(1);
      // Nothing shows when its watch begins.
      for (let n = 0; n < 50 && (await watch.lines(2, 300)).length < 2; n += 1) {
        const patch = { type: 'merge', value: { data: { b: String(n) } } } as const;
        await k.client.patch(CONFIG_MAPS, 'mine', patch, { namespace: k.namespace });
      }
      expect((await watch.lines(2)).slice(0, 2)).toEqual(['configmap/mine', 'configmap/mine']);
      expect((await watch.stop()).stderr).toBe('');
      await k.fails(
        'get cm other -w --as=bob',
        'Error from server (Forbidden): configmaps "other" is forbidden: User "bob" cannot get resource "configmaps" in API group "" in the namespace "<ns>"\n',
      );
    },
  },
  {
    name: 'auth can-i and whoami ask the server',
    run: async (k) => {
      await k.prints('auth can-i delete pods', 'yes\n');
      expect(await k.output('auth whoami')).toMatch(
        /^ATTRIBUTE +VALUE\nUsername +\S+\n(?:UID +\S+\n)?Groups +\[system:masters system:authenticated\]\n/,
      );
    },
  },
  {
    name: 'create token gives a token the server knows',
    asOthers: true,
    run: async (k) => {
      await k.prints(
        `apply -f ${k.file('sa.json', [{ apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'x' } }])}`,
        'serviceaccount/x created\n',
      );
      const token = (await k.output('create token x')).trim();
      await k.fails(
        [`--token=${token}`, 'get', 'cm'],
        'Error from server (Forbidden): configmaps is forbidden: User "system:serviceaccount:<ns>:x" cannot list resource "configmaps" in API group "" in the namespace "<ns>"\n',
      );
    },
  },
  {
    name: 'a token has the permissions that bindings give its account, and no others',
    asOthers: true,
    run: async (k) => {
      await k.prints('create sa robot', 'serviceaccount/robot created\n');
      await k.prints(
        'create role reader --verb=get,list --resource=configmaps',
        'role.rbac.authorization.k8s.io/reader created\n',
      );
      await k.prints(
        ['create', 'rolebinding', 'reads', '--role=reader', `--serviceaccount=${k.namespace}:robot`],
        'rolebinding.rbac.authorization.k8s.io/reads created\n',
      );
      await k.create(CONFIG_MAPS, configMap('one'));
      const token = (await k.output('create token robot --duration=20m')).trim();
      expect(await k.output([`--token=${token}`, 'get', 'cm', '-o', 'name'])).toContain('configmap/one\n');
      await k.fails(
        [`--token=${token}`, 'get', 'secrets'],
        'Error from server (Forbidden): secrets is forbidden: User "system:serviceaccount:<ns>:robot" cannot list resource "secrets" in API group "" in the namespace "<ns>"\n',
      );
      const robot = `--as=system:serviceaccount:${k.namespace}:robot`;
      await k.prints(['auth', 'can-i', 'list', 'cm', robot], 'yes\n');
      const permissions = await k.output(['auth', 'can-i', '--list', robot]);
      expect(permissions).toMatch(/^configmaps +\[\] +\[\] +\[get list\]$/m);
      expect(permissions).toMatch(/^selfsubjectaccessreviews\.authorization\.k8s\.io +\[\] +\[\] +\[create\]$/m);
    },
  },
  {
    name: 'a user cannot grant permissions that they do not hold',
    asOthers: true,
    run: async (k) => {
      await k.prints(
        'create role keeper --verb=create --resource=roles',
        'role.rbac.authorization.k8s.io/keeper created\n',
      );
      await k.prints(
        'create rolebinding keeper --role=keeper --user=bob',
        'rolebinding.rbac.authorization.k8s.io/keeper created\n',
      );
      await k.fails(
        'create role more --verb=get --resource=secrets --as=bob',
        'Error from server (Forbidden): roles.rbac.authorization.k8s.io "more" is forbidden: user "bob" (groups=["system:authenticated"]) is attempting to grant RBAC permissions not currently held:\n{APIGroups:[""], Resources:["secrets"], Verbs:["get"]}\n',
      );
    },
  },
];
