import { randomBytes } from 'node:crypto';
import { DeploymentController, ReplicaSetController } from '@capstan/cluster';
import { SimulatedKubelet } from '@capstan/cluster/testing';
import { Client, fixedCredentials, HttpTransport, silentLogger, systemClock, systemRandom } from '@capstan/kube';
import type { RealKubeAccess } from '@capstan/tools';
import { inject, it } from 'vitest';
import { expectAudited, runScenario } from './audit-scenario.js';
import { findKubectls } from './binaries.js';

const [kubectl] = findKubectls();

/** Our controllers, each with the account and the permissions that the real server gives the controller of its name. */
async function withControllers(access: RealKubeAccess, namespace: string, work: () => Promise<void>): Promise<void> {
  const transports: HttpTransport[] = [];
  const as = (headers: Record<string, string>) => {
    const credentials = fixedCredentials({ headers: { authorization: `Bearer ${access.token}`, ...headers } });
    const trust = { caPem: access.ca };
    const transport = new HttpTransport({ server: access.url, trust, credentials, namespace: 'default' });
    transports.push(transport);
    const client = new Client(transport);
    const namespaces = (name: string): boolean => name === namespace;
    return { client, clock: systemClock(), random: systemRandom(), logger: silentLogger(), namespaces };
  };
  const account = (name: string) => as({ 'impersonate-user': `system:serviceaccount:kube-system:${name}` });
  const controllers = [
    new DeploymentController(account('deployment-controller')),
    new ReplicaSetController(account('replicaset-controller')),
    new SimulatedKubelet(as({})),
  ];
  const ending = new AbortController();
  await Promise.all(controllers.map((controller) => controller.start(ending.signal)));
  try {
    await work();
  } finally {
    ending.abort();
    await Promise.all(controllers.map((controller) => controller.stopped()));
    await Promise.all(transports.map((transport) => transport.close()));
  }
}

it.skipIf(kubectl === undefined)('the audit log of a scenario run with kubectl has all of it', async () => {
  const access = inject('realKube');
  const { auditLog: log, kubeconfigPath: kubeconfig } = access;
  if (kubectl === undefined || log === undefined) throw new Error('no kubectl, or a server without a log');
  const namespace = `audited-${randomBytes(4).toString('hex')}`;
  const cluster = { kubeconfig, log, me: 'admin', namespace };
  await withControllers(access, namespace, () => runScenario(kubectl, cluster));
  expectAudited(cluster);
});
