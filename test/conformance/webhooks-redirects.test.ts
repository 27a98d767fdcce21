import { CONFIG_MAPS, configMap } from '../src/conformance/objects.js';
import { suite } from '../src/conformance/suite.js';
import type { Session } from '../src/conformance/session.js';
import { withHooks, type Hook } from '../src/conformance/webhooks.js';
import type { HookReply } from '../src/hook-server.js';

const it = suite('webhooks-redirects');
const redirect = (status: number, location?: string): HookReply => ({
  status,
  body: 'elsewhere',
  ...(location === undefined ? {} : { location }),
});
const REACHED: HookReply = { response: { allowed: false, status: { message: 'reached' } } };
/** Matches no object, so that only a redirect leads there. */
const NOBODY = { objectSelector: { matchLabels: { nobody: 'has-this' } } };

async function asked(s: Session, first: HookReply, ...others: readonly Hook[]): Promise<void> {
  await withHooks(s, 'Validating', [{ name: 'first', handle: () => first }, ...others], async () => {
    await s.post(CONFIG_MAPS, configMap('a'));
  });
}

const pathTo = (s: Session, name: string): string => `/${s.ns}/conf/Validating/${name}`;

it('redirects that keep the question are followed', async (s) => {
  const other: Hook = { name: 'other', handle: () => REACHED, fields: NOBODY };
  for (const status of [307, 308]) await asked(s, redirect(status, pathTo(s, 'other')), other);
});

it('redirects that drop the review get no answer', async (s) => {
  const other: Hook = { name: 'other', handle: () => REACHED, fields: NOBODY };
  for (const status of [301, 302, 303]) await asked(s, redirect(status, pathTo(s, 'other')), other);
});

it('redirects without end, or to nowhere, are errors', async (s) => {
  await asked(s, redirect(307, pathTo(s, 'first')));
  await asked(s, redirect(307));
  await asked(s, redirect(302));
  await asked(s, redirect(300, pathTo(s, 'other')));
  await asked(s, redirect(308, 'https://127.0.0.1:1/nobody'));
  await asked(s, redirect(307, 'https://%zz/'));
  await asked(s, redirect(307, 'ftp://127.0.0.1/file'));
});

it('nine redirects are followed, not ten', async (s) => {
  for (const steps of [9, 10]) {
    const hooks = Array.from({ length: steps }, (_, index): Hook => {
      const left = steps - index - 1;
      const handle = () => (left === 0 ? REACHED : redirect(307, pathTo(s, `step${left}`)));
      return { name: `step${left + 1}`, handle, fields: NOBODY };
    });
    await asked(s, redirect(307, pathTo(s, `step${steps}`)), ...hooks);
  }
});
