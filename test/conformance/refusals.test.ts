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
    await s.merge(`${collection}/${made.object().metadata.name}`, change);
  });
}
