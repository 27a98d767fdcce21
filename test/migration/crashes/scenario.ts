import { ApiServer } from '@capstan/apiserver';
import type { StoreSnapshot } from '@capstan/apiserver';
import { acknowledgement, HOSTED_CONTROL_PLANES, lockOf, MIGRATION_IN_PROGRESS_ANNOTATION } from '@capstan/hosting';
import { patchFrom, systemRandom } from '@capstan/kube';
import { ManualClock } from '@capstan/kube/testing';
import { isConflict, isForbidden } from '@capstan/meta';
import { MigrationFixture } from '../fixture.js';
import { HostedMigration } from '../hosted.js';
import { CrashingTransport, Gate, MeddlingTransport } from './crashing-transport.js';
import type { CrashPoint, Meddling } from './crashing-transport.js';
import { HistoryCheck, providerId } from './history.js';
import { PlayedControllers } from './played-controllers.js';
import { RefusingTransport } from './refusing-transport.js';
import type { Write } from './refusing-transport.js';
import { NAMESPACE } from './server.js';

/** One migration that is cut off at points, and goes on until it ends. */
export class MigrationRun {
  readonly server: ApiServer;
  readonly fixture: MigrationFixture;
  readonly hosted: HostedMigration;
  readonly controllers: PlayedControllers;
  readonly history: HistoryCheck;
  /** The connection of the garbage collector. */
  readonly collectorsServer: Gate;
  /** Of the server as well: it decides what was created before what. */
  readonly #clock = new ManualClock(Date.parse('2026-01-01T00:00:00Z'));
  /** Writes that the server forbids to the migration. */
  isRefused: (write: Write) => boolean = () => false;
  /** How it begins. */
  begin: () => Promise<void> = () => this.hosted.lock();
  /** It is a rollback by hand, of a cluster that was migrated before. */
  isRollback = false;
  /** What another client does in the middle of it; the migration has to look again where that is in its way. */
  meddling: Meddling | undefined;
  /** What else happens, each time that everybody acts. */
  meanwhile: () => Promise<void> = () => Promise.resolve();

  constructor(snapshot: StoreSnapshot) {
    // From another seed than the objects of the snapshot: UIDs must not come again.
    this.server = new ApiServer({ clock: this.#clock, random: systemRandom('migration-run'), snapshot });
    this.collectorsServer = new Gate(this.server);
    this.fixture = MigrationFixture.on(this.server, NAMESPACE, this.collectorsServer);
    this.hosted = HostedMigration.on(this.fixture, this.#clock);
    this.controllers = new PlayedControllers(this.fixture);
    this.history = new HistoryCheck(this.server, this.controllers.instances);
    for (const machine of this.history.of('Machine')) this.controllers.instances.add(providerId(machine));
    this.hosted.playOthers = async () => {
      await this.#acknowledge();
      await this.controllers.act();
      await this.meanwhile();
    };
  }

  /** Migrates until the lock is gone; each process is cut off at its point. How many writes the first one sent. */
  async migrate(points: readonly CrashPoint[] = []): Promise<number> {
    const [first, ...further] = points;
    const transport = this.#connect(first);
    await this.#untilLost(transport, this.begin);
    if (lockOf(await this.hosted.hostedCluster()).holder === 'nobody') await this.begin();
    await this.#untilLost(transport, () => this.hosted.run(this.#isRetried));
    for (const point of further) {
      const next = this.#connect(point);
      await this.#untilLost(next, () => this.hosted.run(this.#isRetried));
    }
    this.#connect(undefined);
    await this.hosted.run(this.#isRetried);
    await this.hosted.play();
    return transport.writes;
  }

  readonly #isRetried = (error: unknown): boolean =>
    isForbidden(error) || (this.meddling !== undefined && isConflict(error));

  /** A process of the migration, cut off at a point. */
  #connect(point: CrashPoint | undefined): CrashingTransport {
    const { meddling, server } = this;
    const shared = meddling === undefined ? server : new MeddlingTransport(server, meddling);
    const refusing = new RefusingTransport(shared, (write) => this.isRefused(write));
    const transport = new CrashingTransport(refusing, point);
    this.hosted.restart(transport);
    return transport;
  }

  /** Does something until the connection is lost, and goes on with the same process unless it has crashed. */
  async #untilLost(transport: CrashingTransport, work: () => Promise<unknown>): Promise<void> {
    try {
      await work();
    } catch (error) {
      if (!transport.isLost) throw error;
      await this.hosted.play();
      if (transport.isCrash) this.#connect(undefined);
    }
  }

  /** The control plane operator, to which the lock is an annotation of its own object. */
  async #acknowledge(): Promise<void> {
    const { client } = this.fixture;
    const before = await client.get(HOSTED_CONTROL_PLANES, 'a', { namespace: NAMESPACE });
    const lock = before.metadata.annotations?.[MIGRATION_IN_PROGRESS_ANNOTATION];
    const lastTransitionTime = '2026-01-01T00:00:00Z';
    const conditions = lock === undefined ? [] : [{ ...acknowledgement(lock), lastTransitionTime }];
    const after = { ...before, status: { ...(before['status'] as object), conditions } };
    await patchFrom(client, HOSTED_CONTROL_PLANES, { before, after }, { subresource: 'status' });
  }

  async close(): Promise<void> {
    await this.fixture.close();
  }
}
