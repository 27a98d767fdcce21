import { expect } from 'vitest';
import { CONFIG_MAPS, configMap, DEPLOYMENTS, deployment, PODS, pod } from '../objects.js';
import type { Scenario } from '../scenario.js';

const UNKNOWN = { ...configMap('one', { a: '1' }, { nope: 1 } as object), date: 1 };

/** The commands that change one thing, and how the server checks what it is sent. */
export const changingScenarios: readonly Scenario[] = [
  {
    name: 'label adds, keeps, replaces and removes',
    smoke: true,
    run: async (k) => {
      await k.create(CONFIG_MAPS, configMap('one'));
      await k.prints('label cm one x=y', 'configmap/one labeled\n');
      await k.prints('label cm one x=y', 'configmap/one not labeled\n');
      await k.fails('label cm one x=z', "error: 'x' already has a value (y), and --overwrite is false\n");
      await k.prints('label cm one x=z --overwrite', 'configmap/one labeled\n');
      await k.prints('label cm -l x=z x-', 'configmap/one unlabeled\n');
    },
  },
  {
    name: 'annotate adds and removes',
    run: async (k) => {
      await k.create(CONFIG_MAPS, configMap('one'));
      await k.prints('annotate cm one n=1', 'configmap/one annotated\n');
      await k.prints(['get', 'cm', 'one', '-o', 'jsonpath={.metadata.annotations}'], '{"n":"1"}');
      await k.prints('annotate cm --all n-', 'configmap/one annotated\n');
    },
  },
  {
    name: 'scale sets replicas through the subresource and checks what it expects',
    run: async (k) => {
      await k.create(DEPLOYMENTS, deployment());
      await k.prints('get deploy web --subresource=scale', 'NAME  DESIRED  AVAILABLE  AGE\nweb  2  0  <age>\n');
      await k.prints('scale deploy web --replicas=5', 'deployment.apps/web scaled\n');
      await k.fails('scale deploy web --current-replicas=2 --replicas=3', 'error: Expected replicas to be 2, was 5\n');
      await k.prints(['get', 'deploy', 'web', '-o', 'jsonpath={.spec.replicas} {.metadata.generation}'], '5 2');
    },
  },
  {
    name: 'set image and rollout restart change the pod template alone',
    run: async (k) => {
      await k.create(DEPLOYMENTS, deployment());
      await k.prints('set image deploy/web main=nginx:2', 'deployment.apps/web image updated\n');
      await k.prints('set image deploy/web main=nginx:2', '');
      await k.prints('rollout restart deploy/web', 'deployment.apps/web restarted\n');
      const { spec } = await k.client.get<ReturnType<typeof deployment> & { spec: { template: unknown } }>(
        DEPLOYMENTS,
        'web',
        {
          namespace: k.namespace,
        },
      );
      expect(spec.template).toMatchObject({
        metadata: { annotations: { 'kubectl.kubernetes.io/restartedAt': expect.stringMatching(/^\d{4}-/) } },
        spec: {
          containers: [
            { name: 'main', image: 'nginx:2' },
            { name: 'side', image: 'busybox:1' },
          ],
        },
      });
      await k.prints(
        'rollout status deploy/web --watch=false',
        'Waiting for deployment spec update to be observed...\n',
      );
    },
  },
  {
    name: 'patch --subresource=status changes the status alone',
    run: async (k) => {
      await k.create(PODS, pod('p1', { nodeName: 'n1' }));
      const patch =
        '{"metadata":{"labels":{"a":"b"}},"spec":{"containers":[{"name":"main","image":"other:1"}]},"status":{"phase":"Running"}}';
      await k.prints(['patch', 'pod', 'p1', '--subresource=status', '-p', patch], 'pod/p1 patched\n');
      await k.prints(
        ['get', 'pod', 'p1', '-o', 'jsonpath={.status.phase} {.spec.containers[0].image}'],
        'Running nginx:1',
      );
    },
  },
  {
    name: '--dry-run=server answers as if, and changes nothing',
    smoke: true,
    run: async (k) => {
      const absent = k.file('absent.json', [configMap('absent')]);
      await k.prints(`create -f ${absent} --dry-run=server`, 'configmap/absent created (server dry run)\n');
      await k.fails('get cm absent', 'Error from server (NotFound): configmaps "absent" not found\n');
      await k.create(CONFIG_MAPS, configMap('one'));
      await k.prints('label cm one q=w --dry-run=server', 'configmap/one labeled (server dry run)\n');
      const where = k.minor >= 34 ? ' from <ns> namespace' : '';
      await k.prints('delete cm one --dry-run=server', `configmap "one" deleted${where} (server dry run)\n`);
      await k.prints(['get', 'cm', 'one', '-o', 'jsonpath={.metadata.labels}'], '');
    },
  },
  {
    name: 'apply --dry-run=server shows the outcome of the merge',
    run: async (k) => {
      const file = k.file('one.json', [configMap('one', { a: '1' })]);
      await k.prints(`apply -f ${file}`, 'configmap/one created\n');
      k.file('one.json', [configMap('one', { a: '2' })]);
      await k.prints(['apply', '-f', file, '--dry-run=server', '-o', 'jsonpath={.data.a}'], '2');
      await k.prints(['get', 'cm', 'one', '-o', 'jsonpath={.data.a}'], '1');
    },
  },
  {
    name: '--validate=strict refuses unknown fields',
    smoke: true,
    run: (k) =>
      k.fails(
        `create -f ${k.file('unknown.json', [UNKNOWN])} --validate=strict`,
        'Error from server (BadRequest): error when creating "unknown.json": ConfigMap in version "v1" cannot be handled as a ' +
          'ConfigMap: strict decoding error: unknown field "date", unknown field "metadata.nope"\n',
      ),
  },
  {
    name: '--validate=warn warns of unknown fields, --validate=ignore prints nothing',
    run: async (k) => {
      const file = k.file('unknown.json', [UNKNOWN]);
      const warned = await k.run(`create -f ${file} --validate=warn`);
      expect(warned).toEqual({
        code: 0,
        stdout: 'configmap/one created\n',
        stderr: 'Warning: unknown field "date"\nWarning: unknown field "metadata.nope"\n',
      });
      await k.prints(`replace -f ${file} --validate=ignore`, 'configmap/one replaced\n');
    },
  },
  {
    name: 'a field given twice is refused or warned of',
    run: async (k) => {
      // From a manifest kubectl drops the first of the two itself; only a raw request brings both to the server.
      const file = k.file(
        'twice.json',
        '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"one"},"data":{"a":"1","a":"2"}}',
      );
      const path = `/api/v1/namespaces/${k.namespace}/configmaps`;
      await k.fails(
        `create --raw ${path}?fieldValidation=Strict -f ${file}`,
        'Error from server (BadRequest): ConfigMap in version "v1" cannot be handled as a ConfigMap: strict decoding error: duplicate field "data.a"\n',
      );
      const warned = await k.run(`create --raw ${path}?fieldValidation=Warn -f ${file}`);
      expect(warned).toMatchObject({ code: 0, stderr: 'Warning: duplicate field "data.a"\n' });
      expect(JSON.parse(warned.stdout)).toMatchObject({ data: { a: '2' } });
    },
  },
];
