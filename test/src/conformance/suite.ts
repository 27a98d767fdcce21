import { afterAll, expect, test } from 'vitest';
import { backends, type Backend } from './backend.js';
import { differences } from './differences.js';
import { Goldens, isRecording } from './goldens.js';
import { Session } from './session.js';

export interface CaseOptions {
  /**
   * Why a back end is not held to the golden, by its name or kind (`real`, `real-1.30`, `embedded`). A real server is not
   * asked at all; the embedded one must still differ, so that the exemption goes when its reason is gone.
   */
  readonly exempt?: Readonly<Record<string, string>>;
  /** It asserts what it saw by itself, and records no steps. Every other case without steps fails. */
  readonly recordsNothing?: boolean;
  /** It mostly waits: the back ends may wait together. */
  readonly slow?: boolean;
}

type Run = (session: Session) => Promise<void>;

interface Case {
  readonly name: string;
  readonly run: Run;
  readonly recordsNothing: boolean;
}

/** The cases of one test file, each run on every back end and compared with what the real server answered. */
export interface Suite {
  (name: string, run: Run, options?: CaseOptions): void;
}

function reasonFor(backend: Backend, { exempt = {} }: CaseOptions): string | undefined {
  const isEmbedded = backend.kind !== 'real';
  return exempt[backend.name] ?? exempt[backend.kind] ?? (isEmbedded ? exempt['embedded'] : undefined);
}

/** Opens a session in a namespace of its own. */
export async function openSession(backend: Backend): Promise<Session> {
  const connected = await backend.connect();
  const setup = new Session(backend, connected, 'default');
  const body = { apiVersion: 'v1', kind: 'Namespace', metadata: { generateName: 'conf-' } };
  let created = await setup.quiet('POST', '/api/v1/namespaces', { body });
  // Older servers draw a name once, and may draw one that is taken.
  for (let again = 0; created.status === 409 && again < 3; again += 1)
    created = await setup.quiet('POST', '/api/v1/namespaces', { body });
  if (created.status !== 201) throw new Error(`no namespace for the test: ${created.text}`);
  return new Session(backend, connected, created.object().metadata.name ?? '');
}

async function play(backend: Backend, { name, recordsNothing, run }: Case, goldens: Goldens): Promise<void> {
  const session = await openSession(backend);
  try {
    await run(session);
  } finally {
    session.close();
  }
  if (isRecording) {
    goldens.record(name, session.steps);
    return;
  }
  if (recordsNothing !== (session.steps.length === 0))
    throw new Error(recordsNothing ? 'a case that records nothing has steps' : 'no step of this case was recorded');
  const golden = goldens.find(name, backend.name) ?? (recordsNothing ? [] : undefined);
  if (golden === undefined)
    throw new Error('nothing was recorded for this test: run it on a real server with CAPSTAN_RECORD=1');
  const found = differences(golden, session.steps);
  if (found.length > 0) expect.fail(`differs from the real server:\n${found.join('\n')}`);
}

/** Declares a suite; `file` names its goldens. */
export function suite(file: string): Suite {
  const goldens = new Goldens(file);
  const exemptions: string[] = [];
  const tests = new Set<string>();
  afterAll(() => {
    if (isRecording) for (const backend of backends()) goldens.save(backend.name, tests);
    for (const line of exemptions) console.log(`exempt: ${line}`);
    if (exemptions.length > 0) console.log(`${file}: ${exemptions.length} exemptions`);
  });
  return (name, run, options = {}) => {
    tests.add(name);
    const each: Case = { name, run, recordsNothing: options.recordsNothing ?? false };
    for (const backend of backends()) {
      const reason = reasonFor(backend, options);
      const title = `${name} [${backend.name}]`;
      if (reason === undefined) {
        (options.slow === true ? test.concurrent : test)(title, () => play(backend, each, goldens));
        continue;
      }
      exemptions.push(`${title}: ${reason}`);
      if (backend.kind === 'real') test.skip(title, () => {});
      else test.fails(title, () => play(backend, each, goldens));
    }
  };
}
