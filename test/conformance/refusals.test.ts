import { given } from '../src/conformance/objects.js';
import { REFUSALS, REFUSED_CHANGES } from '../src/conformance/refusals.table.js';
import { suite } from '../src/conformance/suite.js';

const it = suite('refusals');

for (const { title, collection, object } of REFUSALS) {
  it(`${title} is refused`, async (s) => void (await s.post(collection, object)));
}

for (const { title, collection, object, change } of REFUSED_CHANGES) {
  it(`${title} cannot be changed`, async (s) => {
    const made = await given(s, collection, object);
    const refused = await s.quiet('PATCH', `${collection}/${made.object().metadata.name}`, {
      body: change,
      type: 'application/merge-patch+json',
    });
    const { message, details, ...rest } = refused.body as {
      message?: string;
      details?: { causes?: { field: string }[] };
    };
    // Some messages go on with a dump of the real server's internal structs.
    const [firstLine = ''] = String(message).split('\n');
    const shown = firstLine.replace(/Invalid value: \{.*\}: /, 'Invalid value: {…}: ');
    s.remark('refused', {
      status: refused.status,
      reason: 'reason' in rest ? rest.reason : '',
      message: shown,
      fields: details?.causes?.map(({ field }) => field) ?? [],
    });
  });
}
