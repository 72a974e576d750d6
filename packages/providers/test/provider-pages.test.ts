import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { providersConfigSchema, providersFromConfig, providersVariableSchema } from '#src/index.ts';
import { venuesVariableSchema } from '#src/venues/index.ts';
import { newRsaKey } from './scripted-providers.ts';

const pages = join(import.meta.dirname, '../../../docs/providers');
/** Pages of exchanges: they move no payments, and have a configuration of their own. */
const venuePages = ['docs/providers/bitso.md'].map((path) => basename(path));
const names = readdirSync(pages).filter(
  (name) => name.endsWith('.md') && name !== 'README.md' && !venuePages.includes(name),
);
const secrets = mkdtempSync(join(tmpdir(), 'provider-secrets-'));
afterAll(() => rmSync(secrets, { recursive: true, force: true }));

function textOf(name: string): string {
  return readFileSync(join(pages, name), 'utf8');
}

/** The example of a page, its files in a directory of this test. */
function exampleOf(name: string): string {
  const blocks = [...textOf(name).matchAll(/^```json\n([\s\S]*?)^```$/gm)].map(([, block = '']) => block);
  expect(blocks, name).toHaveLength(1);
  return (blocks[0] ?? '').replace(/\/run\/provider-secrets\/([\w.-]+)/g, (_path, file: string) => {
    const isKey = file.includes('jws');
    writeFileSync(join(secrets, file), isKey ? newRsaKey() : `content-of-${basename(file).replaceAll('.', '-')}\n`);
    return join(secrets, file);
  });
}

const kinds = z.toJSONSchema(providersConfigSchema, { io: 'input', unrepresentable: 'any' }) as {
  items: { oneOf: { properties: Record<string, { const?: string }> }[] };
};

describe('pages of providers', () => {
  test('there is one for each kind, and each is in the table', () => {
    const described = names.flatMap((name) => parsed(name).map(({ kind }) => kind));
    expect(described.toSorted()).toEqual(
      kinds.items.oneOf.map(({ properties }) => properties['kind']?.const).toSorted(),
    );
    for (const name of names) expect(textOf('README.md')).toContain(`[${name}](${name})`);
  });

  test.each(names)('the example of %s is what a service accepts, its secrets from files', async (name) => {
    const configs = parsed(name);
    await using providers = providersFromConfig(configs, { now: () => new Date() });
    expect([...providers]).toHaveLength(configs.length);
    expect(exampleOf(name)).not.toMatch(/content-of-/);
    expect(JSON.stringify(configs)).toContain('content-of-');
  });

  test.each(names)('%s names every member of its configuration', (name) => {
    const [config] = parsed(name);
    const schema = kinds.items.oneOf.find(({ properties }) => properties['kind']?.const === config?.kind);
    const members = Object.keys(schema?.properties ?? {});
    expect(members.filter((member) => !textOf(name).includes(member))).toEqual([]);
  });
});

describe('pages of exchanges', () => {
  test.each(venuePages)('the example of %s is what the ledger accepts, and each member is in it', (name) => {
    const [config, ...others] = venuesVariableSchema.parse(exampleOf(name));
    expect(others).toEqual([]);
    expect(JSON.stringify(config)).toContain('content-of-');
    expect(Object.keys(config ?? {}).filter((member) => !textOf(name).includes(`"${member}"`))).toEqual([]);
    expect(textOf('README.md')).toContain(`[${name}](${name})`);
  });
});

function parsed(name: string) {
  return providersVariableSchema.parse(exampleOf(name));
}

test.each([
  ['is not there', '/nowhere/secret', 'ENOENT'],
  ['is empty', 'empty', 'it is empty'],
  ['is longer than a secret is', 'long', 'it has more than 65536 bytes'],
])('a file that %s is refused by its path', (_name, file, reason) => {
  if (!file.startsWith('/')) writeFileSync(join(secrets, file), file === 'long' ? 'x'.repeat(70_000) : '');
  const path = join(file.startsWith('/') ? '' : secrets, file);
  const config = [{ kind: 'woovi', id: 'woovi', baseUrl: 'https://api.woovi.com', appId: { file: path } }];
  const result = providersVariableSchema.safeParse(JSON.stringify(config));
  expect(result.error?.issues).toEqual([
    expect.objectContaining({ path: [0, 'appId'], message: `the file ${path} cannot be read: ${reason}` }),
  ]);
});

test('a PKCS #12 is read as it is, and text without the line break at its end', () => {
  const binary = Buffer.from([0x30, 0x82, 0x00, 0xff, 0x0a]);
  writeFileSync(join(secrets, 'own.p12'), binary);
  const example = JSON.parse(exampleOf(names.find((name) => name.startsWith('efi')) ?? '')) as [
    { tls: object; clientSecret: { file: string } },
  ];
  writeFileSync(example[0].clientSecret.file, 'the secret\r\n');
  example[0].tls = { pkcs12: { file: join(secrets, 'own.p12') } };
  const [config] = providersVariableSchema.parse(JSON.stringify(example));
  expect(config).toMatchObject({ clientSecret: 'the secret', tls: { pkcs12: binary.toString('base64') } });
});
