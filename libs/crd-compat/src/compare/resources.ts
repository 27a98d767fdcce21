/** The type fields and the metadata of resources: the root of an object, and resources embedded in it. */
import { type SchemaNode, parseSchema } from '@capstan/schema';
import { ANY, resourceNames, restOf } from '../drafts/any.js';
import { embeddedMember } from '../drafts/resource-members.js';
import type { Pair, SchemaComparison } from './schemas.js';
import { type Site, shownPath } from '../drafts/site.js';

/** What the server knows of the metadata of a root that its schema may restrict. */
const rootMetadata: ReadonlyMap<string, SchemaNode> = new Map([
  ['name', parseSchema({ type: 'string', minLength: 1, maxLength: 253 })],
  ['generateName', parseSchema({ type: 'string' })],
]);

function siteOf(place: { readonly site: Site }, ...names: readonly string[]): Site {
  return [...place.site, ...names.map((name) => ({ kind: 'property', name }) as const)];
}

/** The type fields of whole objects have one value each. */
function compareTypeFields(walk: SchemaComparison, { live, place }: Pair): void {
  for (const [name, value] of Object.entries(walk.identity)) {
    const given = live.properties?.get(name);
    if (given === undefined) continue;
    const wanted = parseSchema({ type: 'string', enum: [value] });
    const site = siteOf(place, name);
    for (const draft of walk.errorsOf({ required: wanted, live: given, place: { ...place, site, resource: false } })) {
      walk.add({ ...draft, trials: [{ kind: 'value', value }] });
    }
  }
}

/** Of the metadata of whole objects a schema can only restrict names. */
function compareNames(walk: SchemaComparison, { required, live, place }: Pair): void {
  const metadata = live.properties?.get('metadata');
  for (const [name, known] of rootMetadata) {
    const given = metadata?.properties?.get(name);
    const wanted = required.properties?.get('metadata')?.properties?.get(name) ?? known;
    if (given === undefined) continue;
    const site = siteOf(place, 'metadata', name);
    walk.compare({ required: wanted, live: given, place: { site, excluded: undefined, resource: false } });
  }
}

function compareEmbedded(walk: SchemaComparison, { required, live, place }: Pair): void {
  for (const name of resourceNames) {
    const wanted = embeddedMember(name, required.properties?.get(name));
    const given = embeddedMember(name, live.properties?.get(name));
    if (wanted === undefined || given === undefined) continue;
    const site = siteOf(place, name);
    walk.compare({
      required: wanted,
      live: given,
      place: { site, excluded: place.excluded?.get(name), resource: false },
    });
  }
}

/** Whether a node that is no resource keeps everything that the member of a resource may hold. */
function keeps(node: SchemaNode, name: string): boolean {
  const member = node.properties?.get(name) ?? restOf(node);
  if (member === undefined) return false;
  return name !== 'metadata' || restOf(member) === ANY;
}

/** A resource that is none any more: its metadata is pruned like any other object. */
function compareFormer(walk: SchemaComparison, { required, live, place }: Pair): void {
  const { site } = place;
  const at = shownPath(site);
  const lost = [...resourceNames].filter((name) => !keeps(live, name));
  if (lost.length > 0) {
    const message = `${at} loses ${lost.join(', ')}: it is no embedded resource any more`;
    const trials = [{ kind: 'sample', hint: { metadata: true } }] as const;
    // Metadata that is pruned like any other object keeps what its own schema describes.
    const extent = live.properties?.get('metadata')?.raw;
    walk.add({ rule: 'embedded-resource-removed', site, message, required: true, live: lost, extent, trials });
  } else {
    walk.add({ rule: 'embedded-resource-unchecked', site, message: `${at} need not be a resource any more` });
  }
  for (const name of resourceNames) {
    const wanted = embeddedMember(name, required.properties?.get(name));
    const given = live.properties?.get(name);
    if (wanted === undefined || given === undefined || lost.includes(name)) continue;
    const inner = { site: siteOf(place, name), excluded: place.excluded?.get(name), resource: false };
    for (const draft of walk.errorsOf({ required: wanted, live: given, place: inner })) walk.add(draft);
  }
}

/** Compares the keywords about the type fields and the metadata of a resource. */
export function compareResources(walk: SchemaComparison, pair: Pair): void {
  const { required, live, place } = pair;
  const isRoot = place.resource && !required.embeddedResource;
  if (isRoot) {
    compareTypeFields(walk, pair);
    compareNames(walk, pair);
  } else if (required.embeddedResource && live.embeddedResource) compareEmbedded(walk, pair);
  else if (required.embeddedResource) compareFormer(walk, pair);
  else if (live.embeddedResource) {
    const { site } = place;
    const trials = [{ kind: 'value', value: {} }, { kind: 'sample' }] as const;
    const message = `${shownPath(site)} must be a resource now`;
    walk.add({ rule: 'embedded-resource-added', site, message, trials });
  }
}
