import { randomBytes } from 'node:crypto';
import { request as send } from 'node:https';
import { compatibilityRequirement } from '@capstan/api/apiextensions';
import type { CompatibilityRequirement, CompatibilityRequirementSpec } from '@capstan/api/apiextensions';
import { crd } from '@capstan/api/model';
import { buildChecker, DEFINITIONS, REQUIREMENTS, VALIDATING_WEBHOOKS } from '@capstan/crd-compatibility';
import type { Checker } from '@capstan/crd-compatibility';
import { Client, createCa, silentLogger, systemClock, systemRandom } from '@capstan/kube';
import type { ResourceRef } from '@capstan/kube';
import { getCondition, ignoreNotFound, isAlreadyExists, isNotFound } from '@capstan/meta';
import type { Condition, JsonObject, KubeObject, ObjectMeta, Transport } from '@capstan/meta';
import { expect, vi } from 'vitest';
import { Balancer } from './balancer.js';

export const LIMIT = { timeout: 60_000, interval: 20 };
const OWN = 'compatibilityrequirements.apiextensions.openshift.io';
const STATIC = 'crd-compatibility-requirements';

/** A replica that runs. */
export interface Replica {
  readonly checker: Checker;
  /** Asks this replica whether a CRD may be changed; returns the refusal, or `allowed`. */
  review(object: KubeObject, oldObject: KubeObject): Promise<string>;
  /** Resolves once it knows what there is. */
  ready(): Promise<void>;
  stop(): Promise<void>;
}

/** A server with the checker as its client, and an API group of its own. */
export class CheckerFixture {
  readonly client: Client;
  readonly balancer: Balancer;
  readonly group = `g${randomBytes(4).toString('hex')}.example.com`;
  readonly warnings: string[] = [];
  readonly #transport: Transport;
  readonly #ca = createCa({ commonName: 'checker' });
  readonly #replicas = new Set<Replica>();
  readonly #names = new Set<string>();

  private constructor(transport: Transport, balancer: Balancer, as: Transport) {
    this.#transport = as;
    this.balancer = balancer;
    this.client = new Client(transport, { maxRetries: 0, onWarning: (text) => void this.warnings.push(text) });
  }

  /** @param as The transport of the checker, which decides its permissions; the administrator's by default. */
  static async open(transport: Transport, as: Transport = transport): Promise<CheckerFixture> {
    const fixture = new CheckerFixture(transport, await Balancer.start(), as);
    await fixture.client.create(DEFINITIONS, crd(compatibilityRequirement)).catch((error: unknown) => {
      if (!isAlreadyExists(error)) throw error;
    });
    await vi.waitFor(async () => {
      expect(await fixture.established(OWN)).toBe(true);
      await fixture.client.list(REQUIREMENTS);
    }, LIMIT);
    return fixture;
  }

  /** Starts a replica behind the address that API servers know. */
  async replica({
    staticWebhook = true,
    id = 'a',
    delayMs = 0,
    namespace = 'default',
    // Who ends gives it back; who is only slow, on a machine that is busy, must not lose it.
    leaseMs = 60_000,
    through = (transport: Transport): Transport => transport,
  } = {}): Promise<Replica> {
    const pair = this.#ca.issueServing({ commonName: 'checker', ipAddresses: ['127.0.0.1'] });
    const [clock, random, logger] = [systemClock(), systemRandom(), silentLogger()];
    const checker = await buildChecker({
      manager: {
        transport: through(this.#transport),
        clock,
        random,
        logger,
        leaderElection: {
          namespace,
          name: STATIC,
          identity: id,
          leaseDurationMs: leaseMs,
          renewDeadlineMs: (leaseMs * 2) / 3,
          retryPeriodMs: 100,
        },
      },
      settings: {
        host: '127.0.0.1',
        port: 0,
        hasStaticWebhook: staticWebhook,
        shutdownDelayMs: delayMs,
        reach: { url: this.balancer.url },
      },
      certificate: { current: pair, onChange: () => {} },
      caPem: this.#ca.certPem,
    });
    const ending = new AbortController();
    const ended = checker.manager.run(ending.signal);
    ended.catch(() => {});
    const url = await checker.url();
    this.balancer.add(url);
    const replica: Replica = {
      checker,
      review: (object, oldObject) => reviewAt(url, this.#ca.certPem, { object, oldObject }),
      ready: () => checker.manager.cache.whenSynced(),
      stop: async () => {
        this.#replicas.delete(replica);
        this.balancer.remove(url);
        ending.abort();
        await ended;
      },
    };
    this.#replicas.add(replica);
    return replica;
  }

  async established(name: string): Promise<boolean> {
    const { status } = await this.client.get<KubeObject & { status?: { conditions?: Condition[] } }>(DEFINITIONS, name);
    return getCondition(status?.conditions, 'Established')?.status === 'True';
  }

  /** The name of a CRD in the group of this fixture. */
  crdName(plural: string): string {
    return `${plural}.${this.group}`;
  }

  /** A CRD; the schema is of `spec`. */
  definition(plural: string, spec: JsonObject, more: Partial<VersionParts> = {}): KubeObject {
    const { names = ['v1'], status = {} } = more;
    const kind = plural.replace(/^./, (first) => first.toUpperCase()).replace(/s$/, '');
    const openAPIV3Schema = {
      type: 'object',
      properties: { spec: { type: 'object', properties: spec }, status: { type: 'object', properties: status } },
    };
    const versions = names.map((name, at) => ({
      name,
      served: true,
      storage: at === 0,
      schema: { openAPIV3Schema },
      subresources: { status: {}, ...more.subresources },
    }));
    return {
      apiVersion: 'apiextensions.k8s.io/v1',
      kind: 'CustomResourceDefinition',
      metadata: { name: this.crdName(plural) },
      spec: { group: this.group, names: { kind, plural }, scope: 'Namespaced', versions },
    };
  }

  requirement(name: string, definition: KubeObject, more: RequirementParts = {}): CompatibilityRequirement {
    this.#names.add(name);
    const { schema, ...spec } = more;
    return {
      apiVersion: 'apiextensions.openshift.io/v1alpha1',
      kind: 'CompatibilityRequirement',
      metadata: { name },
      spec: {
        compatibilitySchema: {
          customResourceDefinition: { type: 'YAML', data: JSON.stringify(definition) },
          requiredVersions: { defaultSelection: 'StorageOnly' },
          ...schema,
        },
        ...spec,
      },
    } as CompatibilityRequirement;
  }

  /** States a requirement, or states it again, and waits until it is enforced. */
  async require(
    name: string,
    definition: KubeObject,
    more: RequirementParts = {},
    metadata: ObjectMeta = {},
  ): Promise<void> {
    const requirement = this.requirement(name, definition, more);
    const value = { ...requirement, metadata: { ...metadata, name } };
    await this.client.patch(REQUIREMENTS, name, { type: 'apply', value }, { fieldManager: 'user', force: true });
    await this.untilAdmitted(name);
  }

  /** Takes a requirement back, and waits until it is gone. */
  async release(name: string): Promise<void> {
    await this.client.delete(REQUIREMENTS, name);
    const look = (): Promise<unknown> => this.client.get(REQUIREMENTS, name).then(() => 'there', isNotFound);
    await expect.poll(look, LIMIT).toBe(true);
  }

  /** Waits until the server asks the checker before it writes CRDs. */
  async untilChecked(): Promise<void> {
    const name = 'anything';
    await this.require(name, this.definition(name, {}), {
      customResourceDefinitionSchemaValidation: { action: 'Warn' },
    });
    await this.release(name);
  }

  /** Creates an object; returns `created`, or the refusal. */
  async tryCreate(ref: ResourceRef, object: KubeObject): Promise<string> {
    return this.client.create(ref, object).then(() => 'created', messageOf);
  }

  /** Changes a CRD, whatever else the server has changed in the meantime; returns the result. */
  async tryApply(definition: KubeObject, fieldManager = 'owner'): Promise<string> {
    const name = definition.metadata.name ?? '';
    const options = { fieldManager, force: true };
    return this.client
      .patch(DEFINITIONS, name, { type: 'apply', value: definition }, options)
      .then(() => 'applied', messageOf);
  }

  async conditions(name: string): Promise<Readonly<Record<string, string>>> {
    const { metadata, status } = await this.client.get<CompatibilityRequirement>(REQUIREMENTS, name);
    const current = (status?.conditions ?? []).filter(
      ({ observedGeneration }) => observedGeneration === metadata.generation,
    );
    return Object.fromEntries(current.map(({ reason, status: value, type }) => [type, `${value}/${reason}`]));
  }

  async untilAdmitted(name: string): Promise<void> {
    await expect.poll(() => this.conditions(name), LIMIT).toMatchObject({ Admitted: 'True/Admitted' });
  }

  async configuration(name = STATIC): Promise<KubeObject | undefined> {
    return this.client.get(VALIDATING_WEBHOOKS, name).catch(ignoreNotFound);
  }

  async stopAll(): Promise<void> {
    await this.balancer.quiesce();
    for (const replica of Array.from(this.#replicas)) await replica.stop();
  }

  /** Ends the replicas and removes whatever has no namespace. */
  async end(): Promise<void> {
    await this.stopAll();
    await this.balancer.close();
    const { items } = await this.client.list(VALIDATING_WEBHOOKS);
    for (const { metadata } of items)
      if (metadata.labels?.['app.kubernetes.io/managed-by'] === 'crd-compatibility')
        await this.client.delete(VALIDATING_WEBHOOKS, metadata.name ?? '');
    for (const { metadata } of (await this.client.list(REQUIREMENTS)).items) {
      const name = metadata.name ?? '';
      if (!this.#names.has(name)) continue;
      await this.client.patch(REQUIREMENTS, name, { type: 'merge', value: { metadata: { finalizers: null } } });
      await this.client.delete(REQUIREMENTS, name).catch(() => {});
    }
    for (const { metadata } of (await this.client.list(DEFINITIONS)).items)
      if (metadata.name?.endsWith(this.group) === true) await this.client.delete(DEFINITIONS, metadata.name);
  }
}

/** Sends a review as an API server does. */
async function reviewAt(url: string, ca: string, objects: JsonObject): Promise<string> {
  const kind = { group: 'apiextensions.k8s.io', version: 'v1', kind: 'CustomResourceDefinition' };
  const request = { uid: 'u', kind, operation: 'UPDATE', ...objects };
  const review = JSON.stringify({ apiVersion: 'admission.k8s.io/v1', kind: 'AdmissionReview', request });
  const text = await new Promise<string>((resolve, reject) => {
    const headers = { 'content-type': 'application/json' };
    const outgoing = send(`${url}/validate-definitions`, { method: 'POST', ca, agent: false, headers }, (incoming) => {
      let body = '';
      incoming.setEncoding('utf8').on('data', (chunk: string) => (body += chunk));
      incoming.on('end', () => resolve(body)).on('error', reject);
    });
    outgoing.on('error', reject).end(review);
  });
  // A replica that cannot decide answers with an error instead of a review.
  const { message = '', response } = JSON.parse(text) as {
    message?: string;
    response?: { allowed: boolean; status: { message?: string } };
  };
  if (response === undefined) return message;
  return response.allowed ? 'allowed' : (response.status.message ?? '');
}

interface VersionParts {
  readonly names: readonly string[];
  readonly status: JsonObject;
  readonly subresources: JsonObject;
}

/** A test of the checker, and its title. */
export type Scenario = readonly [title: string, scenario: (fixture: CheckerFixture) => Promise<void>];

/** The fields of a requirement, except the schema. */
export type RequirementParts = Partial<Omit<CompatibilityRequirementSpec, 'compatibilitySchema'>> & {
  readonly schema?: Partial<CompatibilityRequirementSpec['compatibilitySchema']>;
};

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
