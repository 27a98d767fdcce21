import { array, boolean, gated, int32, kind, named, object, optional, string } from '@capstan/api/model';
import type { Kind } from '@capstan/api/model';
import { describe, expect, it } from 'vitest';

import { generatedFiles } from './files.js';
import { Page } from './page.js';

const size = named('Size', object({ height: int32({ minimum: 1 }) }, { minProperties: 1 }));

function crate(name: string, group = 'example.com'): Kind {
  return kind({
    group,
    kind: name,
    plural: `${name.toLowerCase()}s`,
    shortNames: ['cr'],
    scope: 'Namespaced',
    meanings: { [name]: 'A box.', 'Size.height': 'How high | how wide.', [`${name}.spec.lid`]: 'Whether it has one.' },
    versions: [
      { name: 'v1', deprecated: true, schema: object({ spec: optional(object({ size: optional(size) })) }) },
      {
        name: 'v2',
        storage: true,
        subresources: { status: true },
        columns: [{ name: 'Size', type: 'integer', jsonPath: '.spec.sizes[0].height' }],
        schema: object({
          spec: object({
            colour: string({ enum: ['red', 'blue'], default: 'red' }),
            lid: gated('Lids', optional(boolean())),
            sizes: array(size, { maxItems: 3, listType: 'map', listMapKeys: ['height'] }),
          }),
        }),
      },
    ],
  });
}

describe('a reference page', () => {
  it('lists versions, columns, fields and shapes', () => {
    expect(new Page('example.com', [crate('Crate')]).text()).toBe(`# example.com

[Crate](#crate).

Written by \`npm run api:generate\`; [how to define a kind](../../guide/api-kinds.md).

## Crate

A box.

Namespaced, \`crates\`, short \`cr\`. [CRD](../../../api/crds/example.com/crates.yaml), [CRD with Lids](../../../api/crds/example.com/crates-lids.yaml).

### Crate v2

Stored, served, status subresource.

Columns: Size (\`.spec.sizes[0].height\`).

| field | type | required | default | bounds | meaning |
|---|---|---|---|---|---|
| \`spec\` | object | yes | | | What is wanted. |
| \`spec.colour\` | string | yes | \`"red"\` | one of \`"red"\`, \`"blue"\` | |
| \`spec.lid\` | boolean | | | only with Lids | Whether it has one. |
| \`spec.sizes\` | list of [Size](#size) | yes | | at most 3 elements; keyed by \`height\` | |

### Crate v1

Served, deprecated.

| field | type | required | default | bounds | meaning |
|---|---|---|---|---|---|
| \`spec\` | object | | | | What is wanted. |
| \`spec.size\` | [Size](#size) | | | at least 1 property | |

## Shared shapes

### Size

Bounds: at least 1 property.

| field | type | required | default | bounds | meaning |
|---|---|---|---|---|---|
| \`height\` | integer (int32) | yes | | at least 1 | How high \\| how wide. |
`);
  });

  it('is one of several where a group has several folders', () => {
    const folders = [
      { folder: 'infrastructure/red', kinds: [crate('RedCrate')] },
      { folder: 'infrastructure/blue', kinds: [crate('BlueCrate'), crate('Ship', 'sea.example.com')] },
    ];
    const pages = [...generatedFiles(folders).keys()].filter((path) => path.endsWith('.md'));
    expect(pages).toEqual([
      'docs/reference/api/example.com-red.md',
      'docs/reference/api/example.com-blue.md',
      'docs/reference/api/sea.example.com.md',
    ]);
  });
});
