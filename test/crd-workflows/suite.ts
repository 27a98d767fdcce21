import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { CompatibilityRequirement } from '@capstan/api/apiextensions';
import { main } from '@capstan/cli';
import { checkerManifests } from '@capstan/crd-compatibility/manifests';
import { kubeconfigJson } from '@capstan/kube';
import type { HttpTransport } from '@capstan/kube';
import type { KubeObject } from '@capstan/meta';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { DEFINITIONS, GROUP, kindOf, REQUIREMENTS, Stage } from '../capi-operator/stage.js';
import { CheckerWorld } from '../crd-compatibility/world.js';
import { tokenOf } from '../manifests/accounts.js';
import type { Access } from '../manifests/accounts.js';
import { eventually } from '../runtime/world.js';
import { outputOf } from './output.js';

const LIMIT_MS = 180_000;
const CHECKER_NAMESPACE = 'crd-workflows-checker';
const SHIPS = `ships.${GROUP}`;
const ACTIVE = `ship-${GROUP}-ccapio`;
const FUTURE = `${ACTIVE}-4.23.0`;
const BOTH = 'ClusterAPIMachineManagementAWS=true,ClusterAPIMachineManagementAWSUpgradeability=true';
const REDUCED = 'ClusterAPIMachineManagementAWSUpgradeability=true';
const OWN_NAMESPACE = 'openshift-cluster-api';
const SHIP_OBJECTS = { group: GROUP, version: 'v1', plural: 'ships', namespaced: true };

const spec = (properties: object): Readonly<Record<string, unknown>> => ({ spec: { type: 'object', properties } });
const text = { type: 'string' };
const name = spec({ name: text });
const nameAndFlag = spec({ name: text, flag: text });
const deprecated = {
  deprecated: {
    type: 'object',
    properties: { v1beta1: { type: 'object', properties: { ready: { type: 'boolean' } } } },
  },
};

/** The server, both operators with the rights of their own accounts, and an administrator. */
class Workflows {
  readonly stage: Stage;
  readonly #opened: { checker: CheckerWorld; transport: HttpTransport };

  private constructor(stage: Stage, opened: { checker: CheckerWorld; transport: HttpTransport }) {
    this.stage = stage;
    this.#opened = opened;
  }

  static async open(access: Access): Promise<Workflows> {
    const stage = new Stage(access, 'crd-workflows');
    await stage.begin();
    const metadata = { name: CHECKER_NAMESPACE };
    await stage.install([
      { apiVersion: 'v1', kind: 'Namespace', metadata },
      ...checkerManifests({ namespace: CHECKER_NAMESPACE, image: 'capstan:test' }),
    ]);
    const token = await tokenOf(stage.admin, { namespace: CHECKER_NAMESPACE, name: 'crd-compatibility' });
    const transport = stage.connect(token);
    const checker = await CheckerWorld.open(stage.transport, transport);
    await checker.replica({ namespace: CHECKER_NAMESPACE, leaseMs: 60_000 });
    return new Workflows(stage, { checker, transport });
  }

  async end(): Promise<void> {
    await this.stage.stop();
    await this.#opened.checker.end();
    await this.#opened.transport.close();
    await this.stage.end();
  }

  /** What comes of an administrator's attempt to write a definition. */
  apply(definition: KubeObject): Promise<string> {
    return this.#opened.checker.tryApply(definition, 'adopting-manager');
  }

  enforced(requirement: string): Promise<CompatibilityRequirement> {
    return eventually(`${requirement} is enforced`, async () => {
      const found = await this.stage.find<CompatibilityRequirement>(REQUIREMENTS, requirement);
      const isSo = found?.status?.conditions?.some(
        ({ observedGeneration, status, type }) =>
          type === 'Admitted' && status === 'True' && observedGeneration === found.metadata.generation,
      );
      return isSo === true ? found : undefined;
    });
  }

  says(type: string, said: string): Promise<true> {
    return eventually(`${type} says ${said}`, async () =>
      (await this.stage.says(type)).startsWith(said) ? true : undefined,
    );
  }

  async observed(generation: number): Promise<void> {
    await eventually(`generation ${generation} is observed`, async () =>
      (await this.stage.observedGeneration()) === generation ? true : undefined,
    );
  }

  /** Until the server serves the definition as it is now. */
  async tryObject(namespace: string, fields: object): Promise<string> {
    const object = {
      apiVersion: `${GROUP}/v1`,
      kind: 'Ship',
      metadata: { generateName: 'ship-', namespace },
      spec: fields,
    };
    return this.stage.admin.create(SHIP_OBJECTS, object).then(
      () => 'created',
      (error: unknown) => (error instanceof Error ? error.message : String(error)),
    );
  }
}

/** The workflows of those who share a definition, with the platform on one side and an adopting manager on the other. */
export function tellOfWorkflows(server: string, start: () => Promise<Access & { stop(): Promise<void> }>): void {
  describe(`those who share a definition on ${server}`, () => {
    const folder = mkdtempSync(join(tmpdir(), 'capstan-workflows-'));
    let opened: { all: Workflows; access: Access; stop(): Promise<void> } | undefined;
    const all = (): Workflows => {
      if (opened === undefined) throw new TypeError('the server did not start');
      return opened.all;
    };

    beforeAll(async () => {
      const access = await start();
      opened = { all: await Workflows.open(access), access, stop: () => access.stop() };
    }, LIMIT_MS);
    beforeEach(() => all().stage.clear(), LIMIT_MS);
    afterEach(() => all().stage.stop(), LIMIT_MS);
    afterAll(async () => {
      await opened?.all.end();
      await opened?.stop();
      rmSync(folder, { recursive: true });
    }, LIMIT_MS);
    const tell = (title: string, story: (workflows: Workflows) => Promise<void>): void =>
      it(title, () => story(all()), LIMIT_MS);

    tell('a cluster that already has the definitions is upgraded once they are listed', async (flow) => {
      const { stage } = flow;
      expect(await flow.apply(kindOf('Ship', { v1: nameAndFlag }))).toBe('applied');
      await stage.carry('core-next', [kindOf('Ship', { v1: name })], { role: 'future', release: '4.23.0' });
      await stage.run(REDUCED);
      await flow.says('Upgradeable', `False: ${SHIPS} is there already and not this operator's`);
      await flow.observed(await stage.list(SHIPS));
      await flow.says('Upgradeable', 'True');
      await stage.stop();
      await stage.carry('core', [kindOf('Ship', { v1: name })], { release: '4.23.0' });
      await stage.run(BOTH);
      await flow.enforced(ACTIVE);
      const writers = (await stage.find(DEFINITIONS, SHIPS))?.metadata.managedFields?.map(({ manager }) => manager);
      expect(writers).not.toContain('capi-operator');
    });

    tell('an administrator takes a definition over from the platform', async (flow) => {
      const { stage } = flow;
      await stage.carry('core', [kindOf('Ship', { v1: name })]);
      await stage.run(BOTH);
      await eventually('the platform installs it', () => stage.find(DEFINITIONS, SHIPS));
      await flow.observed(await stage.list(SHIPS));
      expect(await flow.apply(kindOf('Ship', { v1: nameAndFlag }))).toBe('applied');
      const refused = await flow.apply(kindOf('Ship', { v1: spec({ flag: text }) }));
      expect(refused).toContain(`CRD Compatibility Checker: CustomResourceDefinition "${SHIPS}" is not compatible:`);
      expect(refused).toContain(`requirement "${ACTIVE}" of capi-operator: v1 spec.name`);
      expect((await stage.find(DEFINITIONS, SHIPS))?.['spec']).toMatchObject({
        versions: [{ schema: { openAPIV3Schema: { properties: nameAndFlag } } }],
      });
    });

    tell(
      'a new version comes beside the old one, and the old one goes after the platform was upgraded',
      async (flow) => {
        const { stage } = flow;
        await stage.carry('core', [kindOf('Ship', { v1alpha1: name })]);
        await stage.list(SHIPS);
        expect(await flow.apply(kindOf('Ship', { v1alpha1: name }))).toBe('applied');
        await stage.run(BOTH);
        await flow.enforced(ACTIVE);
        const onlyNew = kindOf('Ship', { v1: name });
        expect(await flow.apply(onlyNew)).toMatch(/v1alpha1/);
        expect(await flow.apply(kindOf('Ship', { v1alpha1: name, v1: name }))).toBe('applied');
        // What was stored is migrated.
        await stage.admin.patch(
          DEFINITIONS,
          SHIPS,
          { type: 'merge', value: { status: { storedVersions: ['v1'] } } },
          { subresource: 'status' },
        );
        expect(await flow.apply(onlyNew)).toContain(`requirement "${ACTIVE}"`);
        await stage.carry('core-next', [onlyNew], { role: 'future', release: '4.23.0' });
        await flow.enforced(FUTURE);
        await flow.says('Upgradeable', 'True');
        await stage.carry('core', [onlyNew], { release: '4.23.0' });
        await eventually('the platform requires the new version', async () => {
          const { data } = (await flow.enforced(ACTIVE)).spec.compatibilitySchema.customResourceDefinition;
          return data.includes('v1alpha1') ? undefined : true;
        });
        expect(await flow.apply(onlyNew)).toBe('applied');
      },
    );

    tell('what Cluster API keeps for old clients alone may go without a new version', async (flow) => {
      const { stage } = flow;
      const withOld = {
        ...name,
        status: { type: 'object', properties: { ready: { type: 'boolean' }, ...deprecated } },
      };
      const without = { ...name, status: { type: 'object', properties: { ready: { type: 'boolean' } } } };
      await stage.carry('core', [kindOf('Ship', { v1: withOld })]);
      await stage.list(SHIPS);
      expect(await flow.apply(kindOf('Ship', { v1: withOld }))).toBe('applied');
      await stage.run(BOTH);
      await flow.enforced(ACTIVE);
      expect(await flow.apply(kindOf('Ship', { v1: without }))).toBe('applied');
      await flow.says('Degraded', 'False');
      expect(await flow.apply(kindOf('Ship', { v1: name }))).toContain('v1 status');
    });

    tell('the platform stays stable while HyperShift manages the definition', async (flow) => {
      const { stage } = flow;
      expect(await flow.apply(kindOf('Ship', { v1: nameAndFlag }))).toBe('applied');
      await stage.carry('core', [kindOf('Ship', { v1: name })]);
      await stage.list(SHIPS);
      await stage.run(BOTH);
      await flow.enforced(ACTIVE);
      await flow.says('Degraded', 'False');
      // Its own objects must be what its controllers understand; those of others may be newer.
      expect(await flow.tryObject('default', { name: 'a', flag: 'b' })).toBe('created');
      await eventually('an object the platform does not understand is refused', async () =>
        (await flow.tryObject(OWN_NAMESPACE, { name: 'a', flag: 'b' })).includes('spec.flag') ? true : undefined,
      );
      expect(await flow.tryObject(OWN_NAMESPACE, { name: 'a' })).toBe('created');
      const next = spec({ name: text, flag: text, masts: { type: 'integer' } });
      expect(await flow.apply(kindOf('Ship', { v1: next }))).toBe('applied');
      // What needs more than the live definition has is Degraded, and says so.
      await stage.carry('core', [kindOf('Ship', { v1: spec({ name: text, harbour: text }) })]);
      await flow.says('Degraded', `True: ${SHIPS} does not meet ${ACTIVE}: v1 spec.harbour`);
    });

    tell('an upgrade is held up that would conflict with the definition there is', async (flow) => {
      const { stage } = flow;
      expect(await flow.apply(kindOf('Ship', { v1: name }))).toBe('applied');
      await stage.carry('core', [kindOf('Ship', { v1: name })]);
      await stage.carry('core-next', [kindOf('Ship', { v1: nameAndFlag })], { role: 'future', release: '4.23.0' });
      await stage.list(SHIPS);
      await stage.run(BOTH);
      await flow.says('Upgradeable', `False: ${SHIPS} does not meet ${FUTURE}: v1 spec.flag`);
      await flow.says('Degraded', 'False');
      // The future warns and refuses nothing.
      expect(await flow.apply(kindOf('Ship', { v1: spec({ name: text, masts: { type: 'integer' } }) }))).toBe(
        'applied',
      );
      expect(await flow.apply(kindOf('Ship', { v1: nameAndFlag }))).toBe('applied');
      await flow.says('Upgradeable', 'True');
    });

    tell('a preflight says of every definition what a dry run on the server says', async (flow) => {
      const { stage } = flow;
      expect(await flow.apply(kindOf('Ship', { v1: nameAndFlag }))).toBe('applied');
      await stage.carry('core', [kindOf('Ship', { v1: nameAndFlag })]);
      await stage.carry('core-next', [kindOf('Ship', { v1: spec({ name: text, harbour: text }) })], {
        role: 'future',
        release: '4.23.0',
      });
      await stage.list(SHIPS);
      await stage.run(BOTH);
      await flow.enforced(ACTIVE);
      await flow.enforced(FUTURE);
      const { ca, token, url } = opened?.access ?? { ca: '', token: '', url: '' };
      const kubeconfig = join(folder, 'kubeconfig');
      writeFileSync(
        kubeconfig,
        kubeconfigJson({ server: url, caPem: ca, token, name: 'admin', namespace: 'default' }),
        { mode: 0o600 },
      );
      const cases = [
        nameAndFlag,
        name,
        spec({ name: text, flag: { type: 'integer' } }),
        spec({ name: { ...text, maxLength: 3 }, flag: text }),
        spec({ name: text, flag: text, harbour: text }),
        spec({ name: { ...text, enum: ['a'] }, flag: text }),
      ];
      for (const [at, properties] of cases.entries()) {
        const file = join(folder, `case-${at}.json`);
        writeFileSync(file, JSON.stringify(kindOf('Ship', { v1: properties })));
        const args = ['crd', 'preflight', '--kubeconfig', kubeconfig, '-f', file, '-o', 'json'];
        const here = await outputOf(main, args);
        const there = await outputOf(main, [...args, '--server-side']);
        expect([at, plain(here.out), here.code]).toEqual([at, plain(there.out), there.code]);
      }
    });
  });
}

interface Answers {
  readonly answers: readonly {
    readonly verdict: string;
    readonly refusal?: string;
    readonly warnings: readonly string[];
  }[];
}

/** The server says of a refusal which webhook it comes from; the rest is the checker's. */
function plain(json: string): unknown {
  return (JSON.parse(json) as Answers).answers.map(({ refusal, verdict, warnings }) => ({
    verdict,
    refusal: refusal?.replace(/^admission webhook "[^"]*" denied the request: /, ''),
    warnings,
  }));
}
