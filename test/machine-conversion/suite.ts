import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { main } from '@capstan/cli';
import {
  machine as clusterApiMachine,
  machineHealthCheck,
  machineSet as clusterApiSet,
} from '@capstan/api/cluster-api';
import { infrastructure as infrastructureKind } from '@capstan/api/config';
import { kinds as vsphereKinds } from '@capstan/api/infrastructure/vsphere';
import { kinds as machineKinds } from '@capstan/api/machine';
import { crd, resource } from '@capstan/api/model';
import type { Kind } from '@capstan/api/model';
import { Client, fixedCredentials, HttpTransport, kubeconfigJson } from '@capstan/kube';
import { isNotFound } from '@capstan/meta';
import type { KubeObject } from '@capstan/meta';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { outputOf } from '../crd-workflows/output.js';
import type { Access } from '../manifests/accounts.js';
import {
  healthCheck,
  infrastructure,
  infrastructureCluster,
  infrastructureStatus,
  machine,
  machineSet,
} from './fleet.js';
import { eventually } from '../src/wait.js';

const LIMIT_MS = 180_000;
const CRDS = { group: 'apiextensions.k8s.io', version: 'v1', plural: 'customresourcedefinitions', namespaced: false };
const NAMESPACES = { group: '', version: 'v1', plural: 'namespaces', namespaced: false };
/** Without the sets of control plane machines, whose CRD servers before 1.31 refuse: a cluster may have none. */
const KINDS: readonly Kind[] = [
  ...machineKinds.filter(({ kind }) => kind !== 'ControlPlaneMachineSet'),
  clusterApiMachine,
  clusterApiSet,
  machineHealthCheck,
  infrastructureKind,
  ...vsphereKinds.filter(({ kind }) => /^VSphere(?:Cluster|Machine|MachineTemplate)$/.test(kind)),
];

/** The Infrastructure has rules that servers before 1.31 cannot read: here it takes anything. */
function definitionOf(kind: Kind): KubeObject {
  const made = crd(kind, { conversion: 'none' });
  if (kind !== infrastructureKind) return made;
  const schema = { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } };
  return { ...made, spec: { ...made.spec, versions: made.spec.versions.map((each) => ({ ...each, schema })) } };
}

interface Ran {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

/** A server with the kinds of both APIs, and the command before it. */
class Fixture {
  readonly #client: Client;
  readonly #kubeconfig: string;

  constructor(client: Client, kubeconfig: string) {
    this.#client = client;
    this.#kubeconfig = kubeconfig;
  }

  async prepare(): Promise<void> {
    for (const kind of KINDS) await this.#client.create(CRDS, definitionOf(kind));
    for (const kind of KINDS)
      for (const { name } of kind.versions.filter(({ served }) => served !== false))
        await eventually(`${kind.plural} ${name} are served`, () => this.#isServed(kind, name));
    for (const name of ['openshift-machine-api', 'openshift-cluster-api'])
      await this.#client.create(NAMESPACES, { apiVersion: 'v1', kind: 'Namespace', metadata: { name } });
    await this.create([infrastructure, infrastructureCluster]);
    const ref = resource(infrastructureKind, 'v1');
    const made = await this.#client.get(ref, 'cluster');
    await this.#client.update(ref, { ...made, status: infrastructureStatus } as KubeObject, { subresource: 'status' });
  }

  async #isServed(kind: Kind, version: string): Promise<true | undefined> {
    try {
      await this.#client.list(resource(kind, version));
      return true;
    } catch (error) {
      if (isNotFound(error)) return undefined;
      throw error;
    }
  }

  refOf({ apiVersion = '', kind: name }: KubeObject): ReturnType<typeof resource> {
    const [group, version] = apiVersion.split('/');
    const kind = KINDS.find((each) => each.group === group && each.kind === name);
    if (kind === undefined) throw new TypeError(`${apiVersion} ${String(name)} is of no kind here`);
    return resource(kind, version);
  }

  /** Refuses what the CRD would drop: what is converted must be known there to the last field. */
  async create(objects: readonly object[]): Promise<void> {
    for (const object of objects as readonly KubeObject[])
      await this.#client.create(this.refOf(object), object, { fieldValidation: 'Strict' });
  }

  async stored(object: object): Promise<KubeObject> {
    const { metadata } = object as KubeObject;
    const { name = '', namespace } = metadata;
    return this.#client.get(this.refOf(object as KubeObject), name, { namespace });
  }

  async remove(object: object): Promise<void> {
    const { name = '', namespace } = (object as KubeObject).metadata;
    await this.#client.delete(this.refOf(object as KubeObject), name, { namespace });
  }

  convert(...argv: readonly string[]): Promise<Ran> {
    return outputOf(main, ['convert', ...argv, '--kubeconfig', this.#kubeconfig]);
  }
}

/** An object without the metadata that depends on its owner. */
function portable({ apiVersion, kind, metadata, ...rest }: KubeObject): object {
  const { annotations, labels, name, namespace } = metadata;
  return { apiVersion, kind, metadata: { name, namespace, labels, annotations }, spec: rest['spec'] };
}

function itemsOf(text: string): KubeObject[] {
  return (JSON.parse(text) as { readonly items: KubeObject[] }).items;
}

/** Kind, name, platform and verdict of each line of a table. */
function answersIn(table: string): string[] {
  const [rows = ''] = table.split('\n\n');
  return rows
    .split('\n')
    .slice(1)
    .map((row) => row.split(/ {3,}/).slice(0, 4).join(' '));
}

async function thereAndBack(fixture: Fixture): Promise<void> {
  const fleet = [machine('fleet-x7k2p-worker-1'), machineSet, healthCheck];
  await fixture.create(fleet);
  const checked = await fixture.convert('--check');
  expect(checked).toMatchObject({ code: 0, err: '' });
  expect(answersIn(checked.out)).toEqual([
    'Machine fleet-x7k2p-worker-1 VSphere yes',
    'MachineSet fleet-x7k2p-worker VSphere yes',
    'MachineHealthCheck workers - yes',
  ]);
  const there = await fixture.convert('--from-cluster', '-o', 'json', '--paused');
  expect(there).toMatchObject({
    code: 0,
    err: 'Secrets that have to exist: openshift-cluster-api/worker-user-data\n3 objects of 3 convert to Cluster API\n',
  });
  const made = itemsOf(there.out);
  await fixture.create(made);
  const back = await fixture.convert('--from-cluster', '--to', 'machine-api', '-o', 'json');
  expect({ code: back.code, err: back.err.split('\n').at(-2) }).toEqual({
    code: 0,
    err: '3 objects of 3 convert to Machine API',
  });
  const wanted = await Promise.all(fleet.map((object) => fixture.stored(object)));
  expect(itemsOf(back.out).map(portable)).toEqual(wanted.map(portable));
  for (const object of [...made, ...fleet]) await fixture.remove(object);
}

async function refusals(fixture: Fixture): Promise<void> {
  const odd = machine('odd', { wings: 2 });
  const good = machine('good');
  await fixture.create([good, odd]);
  const { code, err, out } = await fixture.convert('machines');
  expect({ code, out }).toEqual({ code: 1, out: '' });
  expect(err).toBe(
    [
      'error: Machine odd: spec.providerSpec.value.wings: is a field this conversion does not know',
      '  to do: remove the field, or correct its name',
      '1 object of 2 converts to Cluster API, 1 cannot be converted',
      'nothing was written, as not all can be converted; --keep-going writes the rest',
      '',
    ].join('\n'),
  );
  const kept = await fixture.convert('machines', '--keep-going', '-o', 'json');
  expect({ code: kept.code, names: itemsOf(kept.out).map(({ kind, metadata }) => `${kind}/${metadata.name}`) }).toEqual(
    {
      code: 1,
      names: ['VSphereMachine/good', 'Machine/good'],
    },
  );
  for (const object of [good, odd]) await fixture.remove(object);
}

/** What the command does with the machines of a cluster, on a server of any kind. */
export function describeConversion(name: string, start: () => Promise<Access & { stop(): Promise<void> }>): void {
  describe(`machines of a cluster on ${name}`, () => {
    const folder = mkdtempSync(join(tmpdir(), 'capstan-machine-conversion-'));
    let fixture: Fixture | undefined;
    const ends: (() => Promise<void>)[] = [];
    const opened = (): Fixture => {
      if (fixture === undefined) throw new TypeError('the server did not start');
      return fixture;
    };

    beforeAll(async () => {
      const access = await start();
      const { ca, token, url } = access;
      ends.push(() => access.stop());
      const credentials = fixedCredentials({ headers: { authorization: `Bearer ${token}` } });
      const transport = new HttpTransport({ server: url, trust: { caPem: ca }, credentials, namespace: 'default' });
      ends.push(() => transport.close());
      const kubeconfig = join(folder, 'kubeconfig');
      writeFileSync(kubeconfig, kubeconfigJson({ server: url, caPem: ca, token }));
      fixture = new Fixture(new Client(transport), kubeconfig);
      await fixture.prepare();
    }, LIMIT_MS);
    afterAll(async () => {
      for (const end of ends.toReversed()) await end();
      rmSync(folder, { recursive: true });
    }, LIMIT_MS);

    it('are converted, taken by the CRDs, and come back as they were', () => thereAndBack(opened()), LIMIT_MS);
    it('are not converted where something would be lost, and the loss is reported', () => refusals(opened()), LIMIT_MS);
  });
}
