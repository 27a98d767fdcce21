import type { CompatibilityRequirement } from '@capstan/api/apiextensions';
import { checkerManifests } from '@capstan/crd-compatibility/manifests';
import type { HttpTransport } from '@capstan/kube';
import type { KubeObject } from '@capstan/meta';
import { GROUP, REQUIREMENTS, Fixture } from '../capi-operator/fixture.js';
import { CheckerFixture } from '../crd-compatibility/fixture.js';
import { tokenOf } from '../manifests/accounts.js';
import type { Access } from '../manifests/accounts.js';
import { SHIP_OBJECTS } from './kinds.js';
import { eventually } from '../src/wait.js';

const CHECKER_NAMESPACE = 'crd-workflows-checker';

/** The server, both operators with the permissions of their own accounts, and an administrator. */
export class Workflows {
  readonly fixture: Fixture;
  readonly access: Access;
  readonly #opened: { checker: CheckerFixture; transport: HttpTransport };

  private constructor(access: Access, fixture: Fixture, opened: { checker: CheckerFixture; transport: HttpTransport }) {
    this.access = access;
    this.fixture = fixture;
    this.#opened = opened;
  }

  static async open(access: Access): Promise<Workflows> {
    const fixture = new Fixture(access, 'crd-workflows');
    await fixture.begin();
    const metadata = { name: CHECKER_NAMESPACE };
    await fixture.install([
      { apiVersion: 'v1', kind: 'Namespace', metadata },
      ...checkerManifests({ namespace: CHECKER_NAMESPACE, image: 'capstan:test' }),
    ]);
    const token = await tokenOf(fixture.admin, { namespace: CHECKER_NAMESPACE, name: 'crd-compatibility' });
    const transport = fixture.connect(token);
    const checker = await CheckerFixture.open(fixture.transport, transport);
    await checker.replica({ namespace: CHECKER_NAMESPACE, leaseMs: 60_000 });
    return new Workflows(access, fixture, { checker, transport });
  }

  async end(): Promise<void> {
    await this.fixture.stop();
    await this.#opened.checker.end();
    await this.#opened.transport.close();
    await this.fixture.end();
  }

  /** What comes of an administrator's attempt to write a CRD. */
  apply(definition: KubeObject): Promise<string> {
    return this.#opened.checker.tryApply(definition, 'adopting-manager');
  }

  enforced(requirement: string): Promise<CompatibilityRequirement> {
    return eventually(`${requirement} is enforced`, async () => {
      const found = await this.fixture.find<CompatibilityRequirement>(REQUIREMENTS, requirement);
      const isSo = found?.status?.conditions?.some(
        ({ observedGeneration, status, type }) =>
          type === 'Admitted' && status === 'True' && observedGeneration === found.metadata.generation,
      );
      return isSo === true ? found : undefined;
    });
  }

  conditionIs(type: string, text: string): Promise<true> {
    return eventually(`the condition ${type} is "${text}"`, async () =>
      (await this.fixture.conditionText(type)).startsWith(text) ? true : undefined,
    );
  }

  async observed(generation: number): Promise<void> {
    await eventually(`generation ${generation} is observed`, async () =>
      (await this.fixture.observedGeneration()) === generation ? true : undefined,
    );
  }

  /** Until the server serves the CRD as it is now. */
  async tryObject(namespace: string, fields: object): Promise<string> {
    const object = {
      apiVersion: `${GROUP}/v1`,
      kind: 'Ship',
      metadata: { generateName: 'ship-', namespace },
      spec: fields,
    };
    return this.fixture.admin.create(SHIP_OBJECTS, object).then(
      () => 'created',
      (error: unknown) => (error instanceof Error ? error.message : String(error)),
    );
  }
}

/** Something that happens between those who share a CRD, and its title. */
export type Scenario = readonly [title: string, scenario: (flow: Workflows) => Promise<void>];
