import { expect } from 'vitest';
import { CONFIG_MAPS, configMap, deleted, DEPLOYMENTS, deployment } from '../objects.js';
import type { Scenario } from '../scenario.js';
import type { Session } from '../session.js';

const data = (k: Session, name: string): Promise<string> => k.output(['get', 'cm', name, '-o', 'jsonpath={.data}']);
const UNTOUCHED = 'configmap/one unchanged\nconfigmap/two unchanged\n';
const pair = (value: string): unknown[] => [configMap('one', { a: value }), configMap('two', { a: '1' })];

/** Creating and changing objects. */
export const writingScenarios: readonly Scenario[] = [
  {
    name: 'create -f makes objects once',
    smoke: true,
    run: async (k) => {
      const file = k.file('maps.json', pair('1'));
      await k.prints(`create -f ${file}`, 'configmap/one created\nconfigmap/two created\n');
      await k.fails(
        `create -f ${file}`,
        'Error from server (AlreadyExists): error when creating "maps.json": configmaps "one" already exists\n' +
          'Error from server (AlreadyExists): error when creating "maps.json": configmaps "two" already exists\n',
      );
    },
  },
  {
    name: 'create -f reads YAML from stdin',
    run: async (k) => {
      const stdin = 'apiVersion: v1\nkind: ConfigMap\nmetadata: {generateName: made-}\ndata: {yes: "no"}\n';
      expect(await k.output('create -f - -o name', { stdin })).toMatch(
        /^configmap\/made-[bcdfghjklmnpqrstvwxz2456789]{5}\n$/,
      );
    },
  },
  {
    name: 'apply creates, changes only what differs, and leaves the rest unchanged',
    smoke: true,
    run: async (k) => {
      const file = k.file('maps.json', pair('1'));
      await k.prints(`apply -f ${file}`, 'configmap/one created\nconfigmap/two created\n');
      const before = await k.output(['get', 'cm', '-o', 'jsonpath={.items[*].metadata.resourceVersion}']);
      await k.prints(`apply -f ${file}`, UNTOUCHED);
      await k.prints(['get', 'cm', '-o', 'jsonpath={.items[*].metadata.resourceVersion}'], before);
      k.file('maps.json', pair('2'));
      await k.prints(`apply -f ${file}`, 'configmap/one configured\nconfigmap/two unchanged\n');
      expect(JSON.parse(await data(k, 'one'))).toEqual({ a: '2' });
    },
  },
  {
    name: 'apply merges lists of a deployment by key and keeps what others added',
    run: async (k) => {
      const { spec, ...rest } = deployment() as ReturnType<typeof deployment> & { spec: Record<string, unknown> };
      const file = k.file('web.json', [deployment()]);
      await k.prints(`apply -f ${file}`, 'deployment.apps/web created\n');
      const added = { spec: { template: { spec: { containers: [{ name: 'extra', image: 'extra:1' }] } } } };
      await k.client.patch(DEPLOYMENTS, 'web', { type: 'strategic', value: added }, { namespace: k.namespace });
      const template = {
        metadata: { labels: { app: 'web' } },
        spec: { containers: [{ name: 'main', image: 'nginx:2', ports: [{ containerPort: 80 }] }] },
      };
      k.file('web.json', [{ ...rest, spec: { ...spec, template } }]);
      await k.prints(`apply -f ${file}`, 'deployment.apps/web configured\n');
      const containers = await k.output([
        'get',
        'deploy',
        'web',
        '-o',
        'jsonpath={range .spec.template.spec.containers[*]}{.name}={.image} {end}',
      ]);
      expect(containers.trim().split(' ').toSorted()).toEqual(['extra=extra:1', 'main=nginx:2']);
    },
  },
  {
    name: 'apply warns when the object was not made by apply',
    run: async (k) => {
      await k.create(CONFIG_MAPS, configMap('one', { a: '1' }));
      const outcome = await k.run(`apply -f ${k.file('one.json', [configMap('one', { a: '2' })])}`);
      expect(outcome).toMatchObject({ code: 0, stdout: 'configmap/one configured\n' });
      expect(outcome.stderr).toMatch(
        /^Warning: resource configmaps\/one is missing the kubectl\.kubernetes\.io\/last-applied-configuration annotation/,
      );
    },
  },
  {
    name: 'diff reports a change by its exit code and shows it',
    run: async (k) => {
      await k.prints(`apply -f ${k.file('one.json', [configMap('one', { a: '1' })])}`, 'configmap/one created\n');
      await k.prints(`diff -f ${k.file('one.json', [configMap('one', { a: '1' })])}`, '');
      const { code, stdout } = await k.run(`diff -f ${k.file('one.json', [configMap('one', { a: '2' })])}`);
      const changes = stdout.split('\n').filter((line) => /^[-+] /.test(line));
      expect({ code, changes }).toEqual({ code: 1, changes: ['-  a: "1"', '+  a: "2"'] });
    },
  },
  {
    name: 'edit saves what the editor wrote and does nothing when it wrote nothing',
    run: async (k) => {
      await k.create(CONFIG_MAPS, configMap('one', { a: '1' }));
      const change = k.file('change.sh', '#!/bin/sh\nsed -i \'s/a: "1"/a: "9"/\' "$1"\n');
      await k.prints('edit cm one', 'configmap/one edited\n', { env: { EDITOR: change } });
      expect(JSON.parse(await data(k, 'one'))).toEqual({ a: '9' });
      const unchanged = await k.run('edit cm one', { env: { EDITOR: 'true' } });
      expect(unchanged).toEqual({ code: 0, stdout: '', stderr: 'Edit cancelled, no changes made.\n' });
    },
  },
  {
    name: 'patch merges a map, strategically and plainly',
    smoke: true,
    run: async (k) => {
      await k.create(CONFIG_MAPS, configMap('one', { a: '1' }));
      await k.prints(['patch', 'cm', 'one', '-p', '{"data":{"b":"2"}}'], 'configmap/one patched\n');
      await k.prints(['patch', 'cm', 'one', '-p', '{"data":{"b":"2"}}'], 'configmap/one patched (no change)\n');
      await k.prints(
        ['patch', 'cm', 'one', '--type=merge', '-p', '{"data":{"a":null,"c":"3"}}'],
        'configmap/one patched\n',
      );
      expect(JSON.parse(await data(k, 'one'))).toEqual({ b: '2', c: '3' });
    },
  },
  {
    name: 'patch by merge key changes one container of two, plain merge replaces the list',
    run: async (k) => {
      await k.create(DEPLOYMENTS, deployment());
      const patch = JSON.stringify({
        spec: { template: { spec: { containers: [{ name: 'side', image: 'busybox:2' }] } } },
      });
      await k.prints(['patch', 'deploy', 'web', '-p', patch], 'deployment.apps/web patched\n');
      await k.prints(
        ['get', 'deploy', 'web', '-o', 'jsonpath={.spec.template.spec.containers[*].image}'],
        'nginx:1 busybox:2',
      );
      await k.prints(['patch', 'deploy', 'web', '--type=merge', '-p', patch], 'deployment.apps/web patched\n');
      await k.prints(['get', 'deploy', 'web', '-o', 'jsonpath={.spec.template.spec.containers[*].image}'], 'busybox:2');
    },
  },
  {
    name: 'patch --type=json replaces, tests and refuses',
    run: async (k) => {
      await k.create(CONFIG_MAPS, configMap('one', { a: '1' }));
      const json = (...operations: unknown[]): string[] => [
        'patch',
        'cm',
        'one',
        '--type=json',
        '-p',
        JSON.stringify(operations),
      ];
      await k.prints(
        json({ op: 'test', path: '/data/a', value: '1' }, { op: 'replace', path: '/data/a', value: '5' }),
        'configmap/one patched\n',
      );
      const refused = 'The request is invalid: the server rejected our request due to an error in our request\n';
      await k.fails(json({ op: 'test', path: '/data/a', value: '1' }), refused);
      await k.fails(json({ op: 'remove', path: '/data/q' }), refused);
      expect(JSON.parse(await data(k, 'one'))).toEqual({ a: '5' });
    },
  },
  {
    name: 'replace overwrites, conflicts on an old version and misses what is not there',
    run: async (k) => {
      const made = await k.create(CONFIG_MAPS, configMap('one', { a: '1' }));
      const file = k.file('one.json', [configMap('one', { b: '2' })]);
      await k.prints(`replace -f ${file}`, 'configmap/one replaced\n');
      expect(JSON.parse(await data(k, 'one'))).toEqual({ b: '2' });
      await k.fails(
        `replace -f ${k.file('stale.json', [made])}`,
        'Error from server (Conflict): error when replacing "stale.json": Operation cannot be fulfilled on configmaps "one": ' +
          'the object has been modified; please apply your changes to the latest version and try again\n',
      );
      await k.fails(
        `replace -f ${k.file('absent.json', [configMap('absent')])}`,
        'Error from server (NotFound): error when replacing "absent.json": configmaps "absent" not found\n',
      );
    },
  },
  {
    name: 'replace --force deletes and recreates',
    run: async (k) => {
      const { metadata } = await k.create(CONFIG_MAPS, configMap('one', { a: '1' }));
      const file = k.file('one.json', [configMap('one', { b: '2' })]);
      await k.prints(`replace --force -f ${file}`, `${deleted(k, 'configmap "one"')}configmap/one replaced\n`);
      expect(await k.output(['get', 'cm', 'one', '-o', 'jsonpath={.metadata.uid}'])).not.toBe(metadata.uid);
    },
  },
];
