import type { CompatibilityRequirement } from '@capstan/api/apiextensions';
import { checkerManifests } from '@capstan/crd-compatibility/manifests';
import type { HttpTransport } from '@capstan/kube';
import type { KubeObject } from '@capstan/meta';
import { GROUP, REQUIREMENTS, Stage } from '../capi-operator/stage.js';
import { CheckerWorld } from '../crd-compatibility/world.js';
import { tokenOf } from '../manifests/accounts.js';
import type { Access } from '../manifests/accounts.js';
import { eventually } from '../runtime/world.js';
import { SHIP_OBJECTS } from './kinds.js';

const CHECKER_NAMESPACE = 'crd-workflows-checker';

/** The server, both operators with the rights of their own accounts, and an administrator. */
export class Workflows {
  readonly stage: Stage;
  readonly access: Access;
  readonly #opened: { checker: CheckerWorld; transport: HttpTransport };

  private constructor(access: Access, stage: Stage, opened: { checker: CheckerWorld; transport: HttpTransport }) {
    this.access = access;
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
    return new Workflows(access, stage, { checker, transport });
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

/** Something that happens between those who share a definition, and its title. */
export type Story = readonly [title: string, story: (flow: Workflows) => Promise<void>];
