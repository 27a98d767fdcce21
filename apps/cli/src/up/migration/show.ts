import { migrationText, upgradeText } from '../announcement.js';
import type { Display } from '../display.js';
import type { RunningEnvironment } from '../environment.js';
import { upgradeWithoutNodes } from '../hosting/upgrade.js';
import type { StopRequest } from '../../lifetime.js';
import type { Observer } from '../observer.js';
import { installPlatforms } from '../raise.js';
import type { Wanted } from '../raise.js';
import { isUpgraded, upgradeOperator } from './upgrade.js';

/** What the fleet is shown with, and when that ends. */
export interface Show {
  readonly observer: Observer;
  readonly display: Display;
  /** Whether hosted clusters are moved from standard to private types. */
  readonly migrates: boolean;
  readonly stop: Pick<StopRequest, 'requested' | 'signal'>;
}

/** What happens to a fleet that is whole: it is migrated, and a control plane is upgraded. */
export async function showMore(environment: RunningEnvironment, wanted: Wanted, show: Show): Promise<void> {
  const { display, migrates, stop } = show;
  const { signal } = stop;
  await installPlatforms(environment, wanted, signal);
  if (migrates && wanted.hosted.length > 0) await migrate(environment, show);
  if (signal.aborted) return;
  const upgraded = await upgradeWithoutNodes(environment, wanted.hosted, signal);
  if (upgraded !== undefined) display.say(`${upgradeText(upgraded)}\n`);
}

/** Upgrades the operator, unless it was upgraded before, and shows what it does until no cluster is left. */
async function migrate(environment: RunningEnvironment, { display, observer, stop }: Show): Promise<void> {
  const { signal } = stop;
  if (!(await isUpgraded(environment.client, signal))) {
    const upgrade = upgradeOperator(environment);
    await Promise.race([upgrade, stop.requested]);
    // Its next request fails then: nobody waits for what it waits for.
    if (signal.aborted) upgrade.catch(() => undefined);
  }
  if (signal.aborted) return;
  observer.migrates();
  const view = await Promise.race([observer.whenMigrated(), stop.requested]);
  if (view === undefined) return;
  display.show(observer.view());
  display.say(`${migrationText(view)}\n`);
}
