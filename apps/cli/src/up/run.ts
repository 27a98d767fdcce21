import { ContainerIsolation } from '@capstan/cluster';
import { openAuditLog } from '../apiserver/audit-log.js';
import type { AuditLogOptions } from '../apiserver/audit-log.js';
import { lineLogger } from '../apiserver/log.js';
import type { ApiserverOptions } from '../apiserver/start.js';
import type { RunCommand } from '../context.js';
import type { Io } from '../io.js';
import { kubeconfigPlace, listenForStop, sayReady, writeAdminKubeconfig } from '../lifetime.js';
import { isOnPath } from '../on-path.js';
import { instructions, readyLine, useLines } from './announcement.js';
import { LineDisplay, LiveDisplay, silentDisplay } from './display.js';
import type { Display } from './display.js';
import { fleetOf } from './fleet.js';
import { showMore } from './migration/show.js';
import { hostingPlatforms } from '../platforms.js';
import { hostedFleetOf } from './hosting/clusters.js';
import { Observer } from './observer.js';
import { askForFleet, installPrograms } from './raise.js';
import type { Wanted } from './raise.js';
import { availableText, readyText, wholeText } from './status.js';
import { startEnvironment } from './environment.js';

export interface UpOptions extends Omit<ApiserverOptions, 'audit' | 'controllers'>, AuditLogOptions {
  /** How many clusters of Cluster API without a hosted control plane, on private types. */
  readonly fleet: number;
  /** How many hosted clusters. */
  readonly hosted: number;
  /** Gives the platform its own Cluster API, on the standard groups. */
  readonly platformCapi?: boolean | undefined;
  /** Creates hosted clusters on private types. */
  readonly private?: boolean | undefined;
  /** Moves hosted clusters from standard to private types once they are all there. */
  readonly migrate: boolean;
  readonly output?: 'json' | undefined;
  /** Runs the `capstan` command in pods. */
  readonly command: RunCommand;
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
  const kubeconfig = kubeconfigPlace(options.kubeconfigOut, io, stop.signal);
  const isVerbose = options.verbose === true;
  const display = displayFor(options, io, stop.signal);
  const announced = new Set<string>();
  const clusters = fleetOf(options.fleet);
  const hosted = hostedFleetOf(options.hosted, await hostingPlatforms());
  const wanted = wantedBy(options, clusters, hosted);
  const migrates = options.migrate && !wanted.privateTypes;
  const observer = new Observer(wanted, () => performance.now() - began);
  const isolation = new ContainerIsolation();
  const forget = io.onUncaught?.((error) => isolation.take(error));
  const frames = setInterval(() => reportProgress(display, observer, announced), FRAME_MS);
  try {
    // What is logged in the middle of a frame would be taken back with it, and leave part of it standing.
    const logger = lineLogger(display === silentDisplay ? io : { err: (text) => display.say(text) }, isVerbose);
    const environment = await startEnvironment(
      { ...options, controllers: true, servesUsage: true, isolation },
      logger,
      stop.signal,
      async (started) => {
        if (!stop.signal.aborted) await writeAdminKubeconfig(started, kubeconfig.path);
        observer.done('server', `${started.version} at ${started.url}`);
      },
    );
    try {
      observer.watch(environment.client, stop.signal);
      const { url, version } = environment.started;
      const place = { kubeconfig: kubeconfig.path, url, version, releases: environment.hosting.images };
      await installPrograms(environment, wanted, observer, stop.signal);
      await Promise.race([observer.whenUsable(), stop.requested]);
      if (!stop.signal.aborted) {
        reportProgress(display, observer, announced);
        const hasKubectl = isOnPath('kubectl', io.env['PATH']);
        const hints = instructions({ clusters, hosted, migrates, hasKubectl });
        display.say(`\n${readyText(observer.view())}\n${hints}\n`);
        display.pin(useLines(kubeconfig.path));
        await askForFleet(environment, wanted, observer, stop.signal);
        await Promise.race([observer.whenReady(), stop.requested]);
      }
      reportProgress(display, observer, announced);
      if (!stop.signal.aborted) {
        if (options.output === 'json' || !io.isTty) sayReady(readyLine(place, clusters, hosted), io);
        display.say(`${wholeText(observer.view())}\n`);
        await showMore(environment, wanted, { observer, display, migrates, stop });
        display.remind();
      }
      await stop.requested;
      // The kubeconfig is deleted by now.
      display.pin([]);
      display.say('Stopping.\n');
    } finally {
      await environment.close();
    }
  } catch (error) {
    if (!stop.signal.aborted) throw error;
  } finally {
    clearInterval(frames);
    forget?.();
    display.close();
    kubeconfig.release();
    stop.release();
  }
}

function wantedBy(
  { platformCapi, private: isPrivate }: UpOptions,
  clusters: Wanted['clusters'],
  hosted: Wanted['hosted'],
): Wanted {
  return { clusters, hosted, platformCapi: platformCapi === true, privateTypes: isPrivate === true };
}

/** Shows the progress, and announces each hosted cluster when it is available. */
function reportProgress(display: Display, observer: Observer, announced: Set<string>): void {
  const view = observer.view();
  display.show(view);
  for (const name of observer.available().filter((each) => !announced.has(each))) {
    announced.add(name);
    display.say(`${availableText(name, view)}\n`);
  }
}

function displayFor({ output, verbose }: UpOptions, io: Io, stop: AbortSignal): Display {
  if (output === 'json') return silentDisplay;
  return io.isTty && verbose !== true ? new LiveDisplay(io, stop) : new LineDisplay(io);
}
