import type { Claim, Fate, Side } from '@capstan/convert';
import { apiVersionOf, providerMap } from '@capstan/convert/machine-api';
import type { Equivalence, MachinePlatform } from '@capstan/convert/machine-api';
import { expect, it } from 'vitest';
import { conversionPlatforms } from '../platforms.js';

const prefixes: Readonly<Record<Side, string>> = { left: 'spec.providerSpec.value.', right: 'infrastructure.spec.' };

/** Fields of one side with one fate, as the record of the platform names them. */
function fieldsOf(claims: readonly Claim[], side: Side, fate: Fate): string[] {
  return claims
    .filter((claim) => claim.fate === fate && claim.path.startsWith(prefixes[side]))
    .map(({ path }) => `\`${path.slice(prefixes[side].length)}\``)
    .toSorted();
}

function fateLine(words: string, fields: readonly string[]): string[] {
  return fields.length === 0 ? [] : [`- **${words}**: ${fields.join(', ')}`];
}

function sideSection(platform: MachinePlatform, side: Side): string {
  const claims = providerMap(platform).claims[side];
  const title = side === 'left' ? `\`${platform.providerSpec.kind}\`` : `\`${platform.machine.kind.kind}\``;
  return [
    `Of ${title}:\n`,
    ...fateLine('refused when set', fieldsOf(claims, side, 'unsupported')),
    ...fateLine('left out with a warning', fieldsOf(claims, side, 'warned')),
    ...fateLine('follows from elsewhere, and must agree', fieldsOf(claims, side, 'derived')),
    ...fateLine('always the same', fieldsOf(claims, side, 'constant')),
    '',
  ].join('\n');
}

function equivalenceTable(equivalences: readonly Equivalence[]): string {
  if (equivalences.length === 0) return '';
  const rows = equivalences.map(
    ({ path, reason, side }) =>
      `| ${side === 'machine-api' ? 'Machine API' : 'Cluster API'} | \`${path}\` | ${reason} |`,
  );
  return [
    'Comes back in another form that means the same:\n',
    '| in | field | why |',
    '|---|---|---|',
    ...rows,
    '',
  ].join('\n');
}

function platformSection(platform: MachinePlatform): string {
  const { kind, version } = platform.machine;
  return [
    `## ${platform.type}\n`,
    `${platform.providerSpec.apiVersions.map((each) => `\`${each}\``).join(', ')} ${platform.providerSpec.kind}; ` +
      `\`${apiVersionOf({ kind, version })}\` ${kind.kind}, ${platform.template.kind.kind}, ${platform.cluster.kind.kind}.\n`,
    sideSection(platform, 'left'),
    sideSection(platform, 'right'),
    equivalenceTable(platform.equivalences),
  ].join('\n');
}

it('The reference page of machine fields matches the conversion rules (--update rewrites it)', async () => {
  const all = [...(await conversionPlatforms())].toSorted((a, b) => (a.type < b.type ? -1 : 1));
  const page = [
    '# Fields of machines that are not simply copied\n',
    'What becomes of fields when machines go between Machine API and Cluster API, platform by platform; all others are',
    'there on both sides. A field may be refused for some of its values alone, with a message that names the reason: that is not',
    'in this list. A test compares this page with the rules.\n',
    ...all.map((platform) =>
      'refused' in platform ? `## ${platform.type}\n\nRefused: ${platform.refused}\n` : platformSection(platform),
    ),
  ].join('\n');
  await expect(`${page.trimEnd()}\n`).toMatchFileSnapshot('../../../../docs/reference/machine-fields.md');
});
