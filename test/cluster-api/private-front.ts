import { startShim } from '@capstan/conversion-shim';
import { createCa, fixedCredentials, HttpTransport, silentLogger } from '@capstan/kube';
import type { Client, Connection } from '@capstan/kube';
import type { KubeObject } from '@capstan/meta';
import { mappingFrom, startProxy } from '@capstan/proxy';
import { CLUSTER, NAMESPACE } from '@capstan/simulation/testing';
import { expect } from 'vitest';
import { cluster, deployment } from '../kubectl/scenarios/private-types/objects.js';
import { resourceOf, STANDARD } from '../proxy/both-groups.js';
import { privateCrdOf } from '../shim/private-kinds.js';
import type { ServerAccess } from '@capstan/tools';
import { expectEvents } from './private-events.js';

/** Private kinds before a server: a proxy that shows them, and the shim that converts them. */
export interface PrivateFront {
  /** How programs reach the server through the proxy. */
  readonly access: ServerAccess;
  /** The platform's CRDs and their private copies, whose versions the shim converts. */
  definitions(published: readonly KubeObject[]): KubeObject[];
  /** Creates objects of the platform's own, with the names that the scenario uses. */
  settle(direct: Client): Promise<void>;
  /** Sees that those are as they were. */
  expectUntouched(direct: Client): Promise<void>;
  /**
   * While there are machines, checks that they are converted for clients of the older version, that contracts were
   * looked up, and that events name private objects and are shown to clients with standard ones.
   */
  look(client: Client, direct: Client): Promise<void>;
  /** Called when a second manager has taken over from the first. */
  handedOver?(): void;
  close(): Promise<void>;
}

const PLATFORM = [
  { ref: resourceOf(STANDARD, 'clusters'), object: cluster(CLUSTER) },
  { ref: resourceOf(STANDARD, 'machinedeployments'), object: deployment('workers', 5, CLUSTER) },
] as const;

/** Starts what stands before a server. */
export async function startFront({ caPem, token, url }: ServerAccess): Promise<PrivateFront> {
  const credentials = fixedCredentials({ headers: { authorization: `Bearer ${token}` } });
  const connection: Connection = { server: url, trust: { caPem }, credentials, namespace: 'default' };
  const ca = createCa({ commonName: 'shim' });
  const current = ca.issueServing({ commonName: 'shim', ipAddresses: ['127.0.0.1'] });
  const certificate = { current, onChange: () => {} };
  const transport = new HttpTransport(connection);
  const shim = await startShim({ transport, certificate, port: 0, logger: silentLogger() });
  const logger = silentLogger();
  const listen = { host: '127.0.0.1', port: 0 };
  const proxy = await startProxy({ listen, health: listen, connection, mapping: mappingFrom(), logger, drainMs: 0 });
  const settled: KubeObject[] = [];
  return {
    access: { url: proxy.url },
    definitions: (published) => published.flatMap((each) => bothOf(each, { url: shim.url, caPem: ca.certPem })),
    settle: async (direct) => {
      for (const { object, ref } of PLATFORM) settled.push(await direct.create(ref, object, { namespace: NAMESPACE }));
    },
    expectUntouched: async (direct) => {
      for (const [index, { object, ref }] of PLATFORM.entries())
        expect(await direct.get(ref, object.metadata.name ?? '', { namespace: NAMESPACE })).toEqual(settled[index]);
      const { items } = await direct.list(resourceOf(STANDARD, 'machines'));
      expect(items).toEqual([]);
    },
    look: async (client, direct) => {
      const namespace = NAMESPACE;
      await expectEvents(client, direct);
      expectLookups(await (await fetch(`${proxy.healthUrl}/metrics`)).text());
      const { items: machines } = await client.list(resourceOf(STANDARD, 'machines', 'v1beta1'), { namespace });
      expect(machines.length).toBeGreaterThan(0);
      for (const { apiVersion, spec } of machines as readonly Machine[]) {
        expect(apiVersion).toBe(`${STANDARD}/v1beta1`);
        expect(spec.infrastructureRef.apiVersion).toBe(`infrastructure.${STANDARD}/v1beta2`);
      }
      expect(shim.metrics.render()).toMatch(
        /^hypershift_conversion_webhook_requests_total\{.*result="success".*\} [1-9]/m,
      );
      expect(shim.metrics.render()).not.toMatch(/^hypershift_conversion_webhook_requests_total\{.*result="failure"/m);
    },
    close: async () => {
      await proxy.close();
      await shim.stop();
      await transport.close();
    },
  };
}

/** References name no versions: a controller that follows one finds the version of the contract at the CRD. */
function expectLookups(metrics: string): void {
  const asked = (resource: string, code: string): number => {
    const line = `requests_total\\{method="GET",resource="${resource}",code="${code}"\\} (\\d+)`;
    return Number(new RegExp(line).exec(metrics)?.[1] ?? 0);
  };
  expect(asked('customresourcedefinition', '200')).toBeGreaterThan(0);
  expect(asked('testmachine', '200')).toBeGreaterThan(0);
}

interface Machine extends KubeObject {
  readonly spec: { readonly infrastructureRef: { readonly apiVersion: string } };
}

/** The platform converts nothing here, so that whatever is converted is private. */
function bothOf(definition: KubeObject, shim: { readonly url: string; readonly caPem: string }): KubeObject[] {
  const spec = definition['spec'] as { readonly versions: readonly unknown[] };
  const standard = { ...definition, spec: { ...spec, conversion: { strategy: 'None' } } };
  return [standard, privateCrdOf(definition, shim)];
}
