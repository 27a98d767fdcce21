import { expect, test } from 'vitest';
import { propertySeed } from '@capstan/tools';
import { realServer } from '../src/conformance/backend.js';
import { embeddedBackend, realBackend } from '../src/conformance/servers.js';
import { describeCelFinding, runCelRound } from './cel/round.js';
import { describeFinding } from './differ.js';
import { runRound } from './round.js';

/** As many as take a few seconds; `npm run test:fuzz -- --against real` sends more. */
const BODIES = 400;
/** One in a hundred of an unreviewed seed may still be a new difference. */
const MAX_NEWS = 4;

/** Expressions of either sort; `npm run test:fuzz -- --against real --cel 4000` asks more. */
const EXPRESSIONS = 60;

const server = realServer();

// The embedded server answers as the newest release does; older ones word much otherwise.
test.skipIf(server?.version.startsWith('v1.36.') !== true)('random bad bodies are answered alike', async () => {
  if (server === undefined) throw new Error('no real server to compare with');
  const seed = propertySeed();
  const round = { real: realBackend(server), ours: embeddedBackend(), seed, bodies: BODIES };
  const { sent, findings } = await runRound(round);
  const news = findings.filter(({ known }) => known === undefined);
  expect(sent).toBe(BODIES);
  expect(news.length, `seed ${seed}\n${news.map(describeFinding).join('')}`).toBeLessThanOrEqual(MAX_NEWS);
});

// No difference is left that is not known; a seed that has one shows a defect.
test.skipIf(server?.version.startsWith('v1.36.') !== true)(
  'random expressions have the same types, values, errors, costs and estimates',
  async () => {
    if (server === undefined) throw new Error('no real server to compare with');
    const seed = propertySeed();
    const round = {
      real: realBackend(server),
      ours: embeddedBackend(),
      seed,
      typed: EXPRESSIONS,
      dynamic: EXPRESSIONS,
    };
    const { asked, findings } = await runCelRound(round);
    const news = findings.filter(({ known }) => known === undefined);
    expect(asked).toBe(2 * EXPRESSIONS);
    expect(news.map(describeCelFinding).join(''), `seed ${seed}`).toBe('');
  },
);
