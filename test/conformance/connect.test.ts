import { PODS, given, pod } from '../src/conformance/objects.js';
import { suite } from '../src/conformance/suite.js';
import { eventually, SERVER_LIMITS } from '../src/wait.js';

const it = suite('connect');
const SERVICES = '/api/v1/namespaces/{ns}/services';
const RBAC = '/apis/rbac.authorization.k8s.io/v1/namespaces/{ns}';

const TWO = {
  initContainers: [{ name: 'first', image: 'x' }],
  containers: [
    { name: 'a', image: 'x' },
    { name: 'b', image: 'x' },
  ],
};

it('logs are refused with a reason before the kubelet is called', async (s) => {
  await given(s, PODS, pod('one'));
  await given(s, PODS, { ...pod('two'), spec: TWO });
  await given(s, PODS, { ...pod('lost'), spec: { ...TWO, nodeName: 'no-such-node' } });
  await s.get(`${PODS}/one/log`);
  await s.get(`${PODS}/none/log`);
  await s.get(`${PODS}/two/log`);
  await s.get(`${PODS}/two/log?container=c`);
  await s.get(`${PODS}/two/log?container=first`);
  await s.get(`${PODS}/lost/log?container=a`);
  await s.call('POST', `${PODS}/one/log`, { body: {} });
  await s.get(`${PODS}/one/log/more`);
});

it('the part of a log that is wanted must make sense', async (s) => {
  await given(s, PODS, pod('one'));
  await s.get(`${PODS}/one/log?tailLines=-1`);
  await s.get(`${PODS}/one/log?tailLines=x`);
  await s.get(`${PODS}/one/log?tailLines=0&follow=true&previous=1&timestamps`);
  await s.get(`${PODS}/one/log?limitBytes=0&sinceSeconds=0`);
  await s.get(`${PODS}/one/log?sinceSeconds=5&sinceTime=2020-01-01T00:00:00Z`);
  await s.get(`${PODS}/one/log?sinceTime=yesterday`);
  await s.get(`${PODS}/one/log?sinceTime=2020-01-01T00:00:00Z`);
});

it('the streams of a log cannot be distinguished', async (s) => {
  await given(s, PODS, pod('one'));
  await s.get(`${PODS}/one/log?stream=Stdout`);
});

it('commands are refused with a reason before the kubelet is called', async (s) => {
  await given(s, PODS, pod('one'));
  await given(s, PODS, { ...pod('two'), spec: TWO });
  await given(s, PODS, { ...pod('lost'), spec: { ...TWO, nodeName: 'no-such-node' } });
  for (const verb of ['exec', 'attach']) {
    await s.call('POST', `${PODS}/one/${verb}?command=date`);
    await s.get(`${PODS}/one/${verb}`);
    await s.call('POST', `${PODS}/none/${verb}`);
    await s.call('POST', `${PODS}/two/${verb}`);
    await s.call('POST', `${PODS}/two/${verb}?container=c`);
    await s.call('POST', `${PODS}/lost/${verb}?container=b&stdout=true`);
    await s.call('POST', `${PODS}/one/${verb}?dryRun=All`);
    await s.put(`${PODS}/one/${verb}`, {});
    await s.get(`${PODS}/one/${verb}/more`);
  }
});

it('port-forward is refused with a reason before the kubelet is called', async (s) => {
  await given(s, PODS, pod('one'));
  await given(s, PODS, { ...pod('lost'), spec: { ...TWO, nodeName: 'no-such-node' } });
  await s.call('POST', `${PODS}/one/portforward`);
  await s.call('POST', `${PODS}/one/portforward?ports=80&ports=81,82`);
  await s.call('POST', `${PODS}/one/portforward?ports=http`);
  await s.call('POST', `${PODS}/none/portforward`);
  await s.call('POST', `${PODS}/lost/portforward`);
});

it('proxies resolve their target before they are refused', async (s) => {
  await given(s, PODS, pod('one'));
  await s.get(`${PODS}/one/proxy/`);
  await s.get(`${PODS}/one/proxy`);
  await s.get(`${PODS}/one:80:x:y/proxy/`);
  await s.get(`${PODS}/ftp:one:80/proxy/`);
  await s.get(`${PODS}/none:80/proxy/a/b`);
  await s.call('POST', `${PODS}/one/proxy/?dryRun=All`);
  await s.call('DELETE', `${PODS}/none/proxy/a`);
  await s.call('OPTIONS', `${PODS}/none/proxy/a?watch=1`);
  await s.get(`${SERVICES}/none/proxy/`);
  await s.get(`${SERVICES}/none:80/proxy/`);
  await s.get(`${SERVICES}/https:none:80:9/proxy/`);
  await given(s, SERVICES, {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name: 'web' },
    spec: { ports: [{ port: 80 }] },
  });
  await s.get(`${SERVICES}/web:81/proxy/`);
  await s.get('/api/v1/nodes/no-such-node/proxy/healthz');
  await s.get('/api/v1/nodes/a:b:c/proxy/healthz');
});

it('a user who may only read may not run commands', async (s) => {
  await given(s, PODS, pod('one'));
  await given(s, `${RBAC}/roles`, {
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: 'Role',
    metadata: { name: 'lookers' },
    rules: [
      { apiGroups: [''], resources: ['pods/exec', 'pods/attach', 'pods/portforward', 'pods/log'], verbs: ['get'] },
    ],
  });
  await given(s, `${RBAC}/rolebindings`, {
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: 'RoleBinding',
    metadata: { name: 'lookers' },
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: 'lookers' },
    subjects: [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name: 'looker' }],
  });
  const headers = { 'impersonate-user': 'looker' };
  // A real server learns of new roles by watching, a moment after they were written.
  const mayLook = async (): Promise<boolean> => (await s.quiet('GET', `${PODS}/one/log`, { headers })).status !== 403;
  await eventually('the role counts', mayLook, SERVER_LIMITS);
  await s.call('GET', `${PODS}/one/log`, { headers });
  for (const verb of ['exec', 'attach', 'portforward']) {
    await s.call('GET', `${PODS}/one/${verb}`, { headers });
    await s.call('POST', `${PODS}/one/${verb}`, { headers });
  }
  await s.call('GET', `${PODS}/one/proxy/`, { headers });
});
