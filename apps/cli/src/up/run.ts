import { openAuditLog } from '../apiserver/audit-log.js';
import type { AuditLogOptions } from '../apiserver/audit-log.js';
import { lineLogger } from '../apiserver/log.js';
import type { ApiserverOptions } from '../apiserver/start.js';
import type { Io } from '../io.js';
import { kubeconfigPlace, listenForStop, writeAdminKubeconfig } from '../lifetime.js';
import { instructions, readyLine } from './announcement.js';
import { LineDisplay, LiveDisplay, silentDisplay } from './display.js';
import type { Display } from './display.js';
import { fleetOf } from './fleet.js';
import { hostingPlatforms } from '../platforms.js';
import { hostedFleetOf } from './hosting/clusters.js';
import { Observer } from './observer.js';
import { raise } from './raise.js';
import { readyText } from './status.js';
import { startWorld } from './world.js';

export interface UpOptions extends Omit<ApiserverOptions, 'audit' | 'controllers'>, AuditLogOptions {
  /** How many clusters on private types. */
  readonly fleet: number;
  /** How many hosted clusters. */
  readonly hosted: number;
  readonly output?: 'json' | undefined;
}

const FRAME_MS = 100;

/** Runs a management cluster with a fleet until asked to stop; asked a second time it ends at once. */
export async function runUp(options: UpOptions, io: Io): Promise<void> {
  const log = await openAuditLog(options, io);
  try {
    await upUntilStopped({ ...options, audit: log?.options }, io);
  } finally {
    log?.close();
  }
}

async function upUntilStopped(options: UpOptions & Pick<ApiserverOptions, 'audit'>, io: Io): Promise<void> {
  const began = performance.now();
  const stop = listenForStop(io);
  const kubeconfig = kubeconfigPlace(options.kubeconfigOut, io);
  const isVerbose = options.verbose === true;
  const display = displayFor(options, io);
  const clusters = fleetOf(options.fleet);
  const hosted = hostedFleetOf(options.hosted, await hostingPlatforms());
  const observer = new Observer(clusters, hosted, () => performance.now() - began);
  const frames = setInterval(() => display.show(observer.view()), FRAME_MS);
  try {
    const world = await startWorld({ ...options, controllers: true }, lineLogger(io, isVerbose), async (started) => {
      await writeAdminKubeconfig(started, kubeconfig.path);
      observer.done('server', `${started.version} at ${started.url}`);
    });
    try {
      observer.watch(world.client, stop.signal);
      await raise(world, { clusters, hosted }, observer, stop.signal);
      await Promise.race([observer.whenReady(), stop.requested]);
      const view = observer.view();
      display.show(view);
      if (!stop.signal.aborted) {
        const { hosting, started } = world;
        const { url, version } = started;
        const place = { kubeconfig: kubeconfig.path, url, version, releases: hosting.images };
        if (options.output === 'json' || !io.isTty) io.out(readyLine(place, clusters, hosted));
        display.say(`\n${readyText(view)}\n${instructions(place, clusters, hosted)}\n`);
      }
      await stop.requested;
      display.say('Stopping.\n');
    } finally {
      await world.close();
    }
  } catch (error) {
    if (!stop.signal.aborted) throw error;
  } finally {
    clearInterval(frames);
    display.close();
    kubeconfig.release();
    stop.release();
  }
}

function displayFor({ output, verbose }: UpOptions, io: Io): Display {
  if (output === 'json') return silentDisplay;
  return io.isTty && verbose !== true ? new LiveDisplay(io) : new LineDisplay(io);
}
