import { parseFieldList } from '@capstan/convert';
import { describe, expect, it } from 'vitest';

import * as published from '@capstan/api/machine/provider-specs';
import { parseGoFile } from '../../builtin-types/go-source.js';
import { draftGroups } from '../draft/sources.js';
import { compareLists } from './compare.js';
import { providerFile, providerIndex } from './draft.js';
import { fieldsOfStruct } from './go-fields.js';
import type { PackageReader } from './go-fields.js';
import { providerSources } from './sources.js';

const SPEC = `package v1

import (
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/intstr"
)

// A sentence.
type CrateSpec struct {
	metav1.TypeMeta   \`json:",inline"\`
	metav1.ObjectMeta \`json:"metadata,omitempty"\`

	Shared \`json:",inline"\`

	// +optional
	Colour *Colour \`json:"colour,omitempty"\`
	Handles []Handle \`json:"handles"\`
	Names map[string][]string \`json:"names,omitempty"\`
	Secret *corev1.LocalObjectReference \`json:"secret,omitempty"\`
	Groups *[]string \`json:"groups,omitempty"\`
	Hidden string \`json:"-"\`
	Seal Seal \`json:"seal"\`
}

type Colour string
type Seal struct{}

type Handle struct {
	Size *resource.Quantity \`json:"size"\`
	Wait metav1.Duration \`json:"wait"\`
	Since metav1.Time \`json:"since"\`
	Raw *runtime.RawExtension \`json:"raw"\`
	Processors intstr.IntOrString \`json:"processors"\`
	Count int \`json:"count"\`
	Weight float64 \`json:"weight"\`
}

type Shared struct {
	Depth int32 \`json:"depth"\`
	Key []byte \`json:"key"\`
}

type Box struct {
	Inner []Box \`json:"inner"\`
}

type Sloppy struct {
	Named string \`json:"named"\`
	Bare string
}

type Odd struct {
	Callback func() \`json:"callback"\`
	Far elsewhere.Thing \`json:"far"\`
}
`;

const CORE = `package v1

type LocalObjectReference struct {
	Name string \`json:"name,omitempty"\`
}
`;

const packages: Readonly<Record<string, string>> = { 'example.com/api/v1': SPEC, 'k8s.io/api/core/v1': CORE };

const read: PackageReader = (importPath) => {
  const text = packages[importPath];
  return text === undefined
    ? Promise.reject(new Error(`no package ${importPath}`))
    : Promise.resolve({ importPath, files: [parseGoFile(text)] });
};

describe('the fields of a Go struct', () => {
  it('are listed as in JSON, each with its type', async () => {
    expect(await fieldsOfStruct(read, 'example.com/api/v1', 'CrateSpec')).toEqual([
      'metadata any',
      'depth int32',
      'key string',
      'colour string',
      'handles[].size string',
      'handles[].wait duration',
      'handles[].since time',
      'handles[].raw any',
      'handles[].processors intOrString',
      'handles[].count int64',
      'handles[].weight number',
      'names{}[] string',
      'secret.name string',
      'groups[] string',
      'seal any',
    ]);
  });

  it.each([
    ['Box', 'inner[]: Box holds itself'],
    ['Sloppy', 'Sloppy has fields without a JSON name: Bare string'],
    ['Odd', 'Odd has fields without a JSON name: Callback func() `json:"callback"`'],
    ['Missing', 'example.com/api/v1 declares no Missing with fields'],
  ])('of %s are not listed, as none may be left out', async (name, message) => {
    await expect(fieldsOfStruct(read, 'example.com/api/v1', name)).rejects.toThrow(message);
  });
});

describe('the field lists of provider specs', () => {
  const lists: Readonly<Record<string, readonly string[]>> = { ...published };

  it('are those of the sources', () => {
    const names = providerSources.flatMap((source) => source.structs.map((each) => each.constant));
    expect(Object.keys(lists).toSorted()).toEqual(names.toSorted());
  });

  it.each(Object.entries(lists))('%s can be read, and names no field twice', (_name, fields) => {
    const paths = parseFieldList(fields).map((leaf) => leaf.path);
    expect(new Set(paths).size).toBe(paths.length);
  });

  it('come from the module that the machine kinds come from', () => {
    const kinds = draftGroups.find((group) => group.folder === 'machine');
    const modules = new Set(providerSources.map((source) => source.module));
    expect([...modules].filter((each) => each.startsWith('github.com/openshift/api@'))).toEqual([kinds?.module]);
  });

  it('differ from a struct by a field that is new, gone, or of another type', () => {
    expect(compareLists('a', ['x string', 'y int32', 'z bool'], ['x string', 'y int64', 'w any'])).toEqual({
      name: 'a',
      lacking: ['y int64', 'w any'],
      gone: ['y int32', 'z bool'],
    });
  });

  it('are written as files with an index', () => {
    const source = {
      platform: 'crate',
      module: 'example.com/api@v1.0.0',
      structs: [
        { constant: 'crateSpecFields', meaning: 'Of a crate.', directory: 'v1', type: 'CrateSpec' },
        { constant: 'crateStatusFields', meaning: 'Of its status.', directory: 'v1', type: 'CrateStatus' },
      ],
    };
    const lists = new Map([
      ['crateSpecFields', ['depth int32', 'key string']],
      ['crateStatusFields', ['metadata any']],
    ]);
    expect(providerFile({ source, lists }))
      .toBe(`// Drafted by tools/src/api-kinds/provider-specs from example.com/api@v1.0.0; not edited by hand.

/** Of a crate. */
export const crateSpecFields: readonly string[] = [
  'depth int32',
  'key string',
];

/** Of its status. */
export const crateStatusFields: readonly string[] = ['metadata any'];
`);
    expect(providerIndex([source])).toMatch(/\nexport \{ crateSpecFields, crateStatusFields \} from '.\/crate.js';\n$/);
  });
});
