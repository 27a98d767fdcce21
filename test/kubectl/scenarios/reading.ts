import { expect } from 'vitest';
import {
  CONFIG_MAPS,
  configMap,
  DEPLOYMENTS,
  deployment,
  EVENTS,
  NODES,
  pod,
  PODS,
  service,
  SERVICES,
} from '../objects.js';
import type { Scenario } from '../scenario.js';
import type { Session } from '../session.js';
import { block } from '../text.js';

/** Three ConfigMaps: one and two of app web, three of none. */
async function threeMaps(k: Session): Promise<void> {
  await k.create(CONFIG_MAPS, configMap('one', { a: '1' }, { labels: { app: 'web' } }));
  await k.create(CONFIG_MAPS, configMap('two', { a: '1', b: '2' }, { labels: { app: 'web', tier: 'back' } }));
  await k.create(CONFIG_MAPS, configMap('three'));
}

const NAMES = '{range .items[*]}{.metadata.name}{"\\n"}{end}';

/** The many ways to get. */
export const readingScenarios: readonly Scenario[] = [
  {
    name: 'get prints tables, of one kind and of several',
    smoke: true,
    run: async (k) => {
      await threeMaps(k);
      await k.prints('get cm', 'NAME  DATA  AGE\none  1  <age>\nthree  0  <age>\ntwo  2  <age>\n');
      await k.create(DEPLOYMENTS, deployment());
      await k.create(SERVICES, service());
      await k.create(PODS, pod('p1', { nodeName: 'n1' }));
      await k.prints(
        'get deploy,svc,pods -o wide',
        block`
          NAME  READY  UP-TO-DATE  AVAILABLE  AGE  CONTAINERS  IMAGES  SELECTOR
          deployment.apps/web  0/2  0  0  <age>  main,side  nginx:1,busybox:1  app=web

          NAME  TYPE  CLUSTER-IP  EXTERNAL-IP  PORT(S)  AGE  SELECTOR
          service/web  ClusterIP  None  <none>  80/TCP  <age>  app=web

          NAME  READY  STATUS  RESTARTS  AGE  IP  NODE  NOMINATED NODE  READINESS GATES
          pod/p1  0/1  Pending  0  <age>  <none>  n1  <none>  <none>
        `,
      );
    },
  },
  {
    name: 'get all gathers the kinds of the category',
    run: async (k) => {
      await k.create(DEPLOYMENTS, deployment());
      await k.create(CONFIG_MAPS, configMap('not-among-all'));
      await k.create(PODS, pod('p1'));
      await k.prints(
        'get all',
        block`
          NAME  READY  STATUS  RESTARTS  AGE
          pod/p1  0/1  Pending  0  <age>

          NAME  READY  UP-TO-DATE  AVAILABLE  AGE
          deployment.apps/web  0/2  0  0  <age>
        `,
      );
    },
  },
  {
    name: 'get selects by label and by field',
    run: async (k) => {
      await threeMaps(k);
      await k.prints('get cm -l app=web,tier!=back -o name', 'configmap/one\n');
      await k.prints(['get', 'cm', '-l', 'tier in (back,front)', '-o', 'name'], 'configmap/two\n');
      await k.prints('get cm --field-selector metadata.name=three -o name', 'configmap/three\n');
      await k.create(PODS, pod('p1', { nodeName: 'n1' }));
      await k.create(PODS, pod('p2'));
      await k.prints('get pods --field-selector spec.nodeName=n1,status.phase!=Running -o name', 'pod/p1\n');
    },
  },
  {
    name: 'get shows labels as a column of all or of one',
    run: async (k) => {
      await threeMaps(k);
      await k.prints(
        'get cm -l app --show-labels',
        'NAME  DATA  AGE  LABELS\none  1  <age>  app=web\ntwo  2  <age>  app=web,tier=back\n',
      );
      await k.prints('get cm -l app -L tier', 'NAME  DATA  AGE  TIER\none  1  <age>\ntwo  2  <age>  back\n');
    },
  },
  {
    name: 'get -A adds the namespace, --show-kind the kind',
    run: async (k) => {
      const name = `only-${k.namespace}`;
      await k.create(CONFIG_MAPS, configMap(name));
      await k.prints(
        `get cm -A --field-selector metadata.name=${name}`,
        'NAMESPACE  NAME  DATA  AGE\n<ns>  only-<ns>  0  <age>\n',
      );
      await k.prints(`get ns ${k.namespace} --show-kind`, 'NAME  STATUS  AGE\nnamespace/<ns>  Active  <age>\n');
    },
  },
  {
    name: 'get sorts, pages and takes columns of its own',
    run: async (k) => {
      for (const [name, rank] of [
        ['a', '3'],
        ['b', '1'],
        ['c', '2'],
      ] as const)
        await k.create(CONFIG_MAPS, configMap(name, { rank }));
      await k.prints('get cm --sort-by=.data.rank', 'NAME  DATA  AGE\nb  1  <age>\nc  1  <age>\na  1  <age>\n');
      await k.prints('get cm --chunk-size=2', 'NAME  DATA  AGE\na  1  <age>\nb  1  <age>\nc  1  <age>\n');
      await k.prints('get cm --chunk-size=1 -o name', 'configmap/a\nconfigmap/b\nconfigmap/c\n');
      await k.prints(
        'get cm -o custom-columns=N:.metadata.name,R:.data.rank,X:.data.x',
        'N  R  X\na  3  <none>\nb  1  <none>\nc  2  <none>\n',
      );
    },
  },
  {
    name: 'get prints jsonpath, go-template and client-made tables',
    run: async (k) => {
      await threeMaps(k);
      await k.prints(['get', 'cm', '-o', `jsonpath=${NAMES}`], 'one\nthree\ntwo\n');
      await k.prints(['get', 'cm', 'two', '-o', 'go-template={{.data.b}}'], '2');
      await k.prints('get cm --server-print=false', 'NAME  AGE\none  <age>\nthree  <age>\ntwo  <age>\n');
    },
  },
  {
    name: 'get -o yaml shows the whole object and nothing more',
    smoke: true,
    run: async (k) => {
      await k.create(
        CONFIG_MAPS,
        configMap('one', { a: '1' }, { labels: { app: 'web' }, annotations: { note: 'x y' } }),
      );
      await k.prints(
        'get cm one -o yaml',
        block`
          apiVersion: v1
          data:
            a: "1"
          kind: ConfigMap
          metadata:
            annotations:
              note: x y
            creationTimestamp: "<time>"
            labels:
              app: web
            name: one
            namespace: <ns>
            resourceVersion: <rv>
            uid: <uid>
        `,
      );
      await k.prints(
        'get cm -o yaml -l absent',
        'apiVersion: v1\nitems: []\nkind: List\nmetadata:\n  resourceVersion: ""\n',
      );
    },
  },
  {
    name: 'get -o json of a deployment shows its defaults',
    run: async (k) => {
      await k.create(DEPLOYMENTS, deployment());
      const { spec, status } = JSON.parse(await k.output('get deploy web -o json')) as {
        spec: unknown;
        status: unknown;
      };
      expect(status).toEqual({});
      expect(spec).toMatchObject({
        progressDeadlineSeconds: 600,
        revisionHistoryLimit: 10,
        strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: '25%', maxUnavailable: '25%' } },
        template: { spec: { dnsPolicy: 'ClusterFirst', restartPolicy: 'Always', terminationGracePeriodSeconds: 30 } },
      });
    },
  },
  {
    name: 'get of names gives what is there and an error for the rest',
    run: async (k) => {
      await k.create(CONFIG_MAPS, configMap('one'));
      const outcome = await k.run('get cm one absent');
      expect(outcome).toEqual({
        code: 1,
        stdout: 'NAME  DATA  AGE\none  0  <age>\n',
        stderr: 'Error from server (NotFound): configmaps "absent" not found\n',
      });
      await k.prints('get cm absent --ignore-not-found', '');
      expect(await k.run('get pods')).toEqual({
        code: 0,
        stdout: '',
        stderr: 'No resources found in <ns> namespace.\n',
      });
    },
  },
  {
    name: 'get finds a kind by its plural, its group and its version',
    run: async (k) => {
      await k.create(DEPLOYMENTS, deployment());
      await k.prints('get deployments.apps -o name', 'deployment.apps/web\n');
      await k.prints('get deploy.v1.apps/web -o name', 'deployment.apps/web\n');
    },
  },
  {
    name: 'events and get events show what happened to an object',
    run: async (k) => {
      const { metadata } = await k.create(CONFIG_MAPS, configMap('one'));
      const involvedObject = {
        apiVersion: 'v1',
        kind: 'ConfigMap',
        namespace: k.namespace,
        name: 'one',
        uid: metadata.uid,
      };
      const time = '2026-01-02T03:04:05Z';
      const event = {
        apiVersion: 'v1',
        kind: 'Event',
        metadata: { name: 'one.1' },
        involvedObject,
        type: 'Warning',
        reason: 'Broken',
        message: 'it is broken',
        firstTimestamp: time,
        lastTimestamp: time,
        count: 3,
        source: { component: 'capstan' },
      };
      await k.create(EVENTS, event);
      await k.create(EVENTS, {
        ...event,
        metadata: { name: 'two.1' },
        involvedObject: { ...involvedObject, name: 'two', uid: 'x' },
      });
      expect((await k.output('get events --field-selector involvedObject.name=one --no-headers')).trim()).toMatch(
        /^\S+ +Warning +Broken +configmap\/one +it is broken$/,
      );
      const lines = (await k.output('events --for=cm/one')).trimEnd().split('\n');
      expect(lines[0]).toMatch(/^LAST SEEN +TYPE +REASON +OBJECT +MESSAGE$/);
      expect(lines[1]).toMatch(/^\S+ \(x3 over \S+\) +Warning +Broken +ConfigMap\/one +it is broken$/);
      expect(lines).toHaveLength(2);
    },
  },
  {
    name: 'get of a deprecated kind warns',
    serverSince: { minor: 33, because: 'Endpoints was not deprecated before' },
    run: async (k) => {
      const warning = 'Warning: v1 Endpoints is deprecated in v1.33+; use discovery.k8s.io/v1 EndpointSlice\n';
      const empty = 'No resources found in <ns> namespace.\n';
      expect(await k.run('get endpoints')).toEqual({ code: 0, stdout: '', stderr: `${warning}${empty}` });
    },
  },
  {
    name: 'get of a node shows what is known of it',
    run: async (k) => {
      const name = `node-${k.namespace}`;
      await k.create(NODES, {
        apiVersion: 'v1',
        kind: 'Node',
        metadata: { name, labels: { 'node-role.kubernetes.io/worker': '' } },
      });
      await k.prints(
        `get node ${name} -o wide`,
        block`
          NAME  STATUS  ROLES  AGE  VERSION  INTERNAL-IP  EXTERNAL-IP  OS-IMAGE  KERNEL-VERSION  CONTAINER-RUNTIME
          node-<ns>  Unknown  worker  <age>  <none>  <none>  <unknown>  <unknown>  <unknown>
        `,
      );
      await k.client.delete(NODES, name);
    },
  },
];
