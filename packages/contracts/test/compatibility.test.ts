import { readdir, readFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { depositSchema } from '#src/deposits/deposit.ts';
import { ledgerCommandSchema } from '#src/ledger/command.ts';
import { allMessageSchemas } from './contract-schemas.ts';
import { withUnknownMembers } from './unknown-members.ts';

/**
 * `fixtures/<subject>.json`, or `fixtures/<subject>@<variant>.json`: a message as a sender of that version writes it, by
 * part; a ledger command's variant is its kind, or `<kind>+<what it shows>`. A new contract needs a new file. A file of a released version is never edited: senders of that version exist,
 * and rows and messages of theirs are still to be read.
 */
const folder = new URL('fixtures/', import.meta.url);

type Message = Readonly<Record<string, unknown>>;
interface Golden {
  readonly file: string;
  readonly name: string;
  readonly variant: string | undefined;
  readonly parts: Message;
}

const schemas = await allMessageSchemas();
const goldens = await Promise.all((await readdir(folder)).map(readGolden));
const cases = goldens.flatMap(({ file, name, parts }) =>
  Object.entries(parts).map(([part, message]) => ({ file, part, message, schema: schemaFor(name, part) })),
);

async function readGolden(file: string): Promise<Golden> {
  const parts = JSON.parse(await readFile(new URL(file, folder), 'utf8')) as Message;
  const [name = '', variant] = file.replace(/\.json$/, '').split('@');
  return { file, name, variant, parts };
}

function schemaFor(name: string, part: string): z.ZodType | undefined {
  return schemas.find((each) => each.name === name)?.parts[part];
}

describe('every message has a golden example', () => {
  test.each(schemas)('$name', ({ name, parts }) => {
    const examples = goldens.filter((golden) => golden.name === name);
    expect(examples, `write packages/contracts/test/fixtures/${name}.json`).not.toEqual([]);
    for (const example of examples) expect(Object.keys(example.parts).sort()).toEqual(Object.keys(parts).sort());
  });

  test('and every kind of ledger command has one', () => {
    const kinds = ledgerCommandSchema.options.map((option) => [...option.shape.kind.values][0]);
    const examples = goldens.filter((golden) => golden.name === 'command.ledger.v1');
    const exampleKinds = examples.map(({ variant }) => variant?.split('+')[0]);
    expect([...new Set(exampleKinds)].sort()).toEqual(kinds.sort());
    examples.forEach(({ parts }, index) => expect(parts['payload']).toMatchObject({ kind: exampleKinds[index] }));
  });

  test('and no example is of a message that is gone: old ones are still on their way', () => {
    const names = new Set(schemas.map(({ name }) => name));
    expect(goldens.filter(({ name }) => !names.has(name)).map(({ file }) => file)).toEqual([]);
  });
});

describe('today reads what an older sender wrote', () => {
  test.each(cases)('$file $part, losing nothing of it', ({ schema, message }) => {
    expect(schema!.parse(message)).toMatchObject(message as object);
  });
});

describe('today reads what a newer sender will write', () => {
  test.each(cases)('$file $part, whatever members it has added', ({ schema, message }) => {
    const extended = withUnknownMembers(schema!, message);
    expect(extended).not.toEqual(message);
    expect(schema!.parse(extended)).toEqual(schema!.parse(message));
  });
});

describe('a change that would break older senders is noticed', () => {
  const { deposit } = goldens.find(({ name }) => name === 'event.deposits.deposit.paid.v1')!.parts['payload'] as {
    readonly deposit: object;
  };

  test.each<[string, z.ZodType]>([
    ['a new required member', depositSchema.extend({ addedLater: z.string() })],
    ['another type', depositSchema.extend({ amount: z.string() })],
    ['a value that no longer exists', depositSchema.extend({ status: z.enum(['PENDING', 'SETTLED']) })],
    ['null no longer allowed', depositSchema.extend({ redirectUrl: z.string() })],
  ])('%s does not decode', (_name, changed) => {
    expect(depositSchema.safeParse(deposit).success).toBe(true);
    expect(changed.safeParse(deposit).success).toBe(false);
  });

  test('a member that is no longer read is missing from what is decoded', () => {
    const changed = depositSchema.omit({ e2eId: true });
    expect(changed.parse(deposit)).not.toMatchObject(deposit);
  });
});
