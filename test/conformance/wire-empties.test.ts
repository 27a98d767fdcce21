import {
  CRDS,
  custom,
  definition,
  dismiss,
  givenDefinition,
  objectsPath,
  specVersion,
  version,
} from '../src/conformance/crds.js';
import { withinSecond } from '../src/conformance/objects.js';
import { suite } from '../src/conformance/suite.js';

const it = suite('wire-empties');
/** Nothing is left of what is not refused. */
const TRIED = `${CRDS}?dryRun=All`;
const schemaOf = (fields: object): Record<string, unknown> =>
  version({ schema: { openAPIV3Schema: { type: 'object', ...fields } } });

it('CRDs with empty lists and maps are refused as they were sent', async (s) => {
  await s.post(TRIED, definition('empties', { versions: [] }));
  await s.post(TRIED, definition('empties', { versions: null }));
  await s.post(TRIED, definition('empties', { versions: [{ ...version(), storage: false }] }));
  await s.post(
    TRIED,
    definition('empties', { versions: [schemaOf({ properties: { a: { type: 'array', items: {} } } })] }),
  );
  await s.post(TRIED, definition('empties', { versions: [schemaOf({ properties: {}, additionalProperties: {} })] }));
  await s.post(TRIED, definition('empties', { versions: [schemaOf({ properties: {}, required: [], minimum: 'x' })] }));
  await s.post(
    TRIED,
    definition('empties', {
      versions: [
        schemaOf({
          properties: { spec: { type: 'object', properties: {}, additionalProperties: { type: 'string' } } },
        }),
      ],
    }),
  );
  await s.post(
    TRIED,
    definition('empties', { versions: [schemaOf({ anyOf: [], enum: [], not: { properties: {} } })] }),
  );
  await s.post(
    TRIED,
    definition('empties', { versions: [schemaOf({ properties: { m: { type: 'string', enum: [] } } })] }),
  );
  await s.post(
    TRIED,
    definition('empties', {
      names: { plural: 'empties', kind: 'Emptie', shortNames: [], categories: [] },
      versions: [],
    }),
  );
});

it('null is no value of what is not nullable, however it comes', async (s) => {
  const properties = {
    count: { type: 'integer' },
    preset: { type: 'integer', default: 5 },
    free: { type: 'integer', nullable: true },
    list: { type: 'array', items: { type: 'string' } },
  };
  await givenDefinition(s, 'nulls', { versions: [specVersion(properties)] });
  const path = objectsPath('nulls');
  for (const key of Object.keys(properties)) {
    const name = `applied-${key}`;
    // What is not stored is dated again when it is applied in another second.
    await withinSecond(s);
    await s.apply(`${path}/${name}`, 'me', custom('Null', name, { spec: { [key]: null } }));
    await s.apply(`${path}/${name}`, 'me', custom('Null', name, { spec: { [key]: null } }));
    await s.post(path, custom('Null', `posted-${key}`, { spec: { [key]: null } }));
  }
  await s.apply(`${path}/items`, 'me', custom('Null', 'items', { spec: { list: ['a', null] } }));
  await dismiss(s, 'nulls');
});
