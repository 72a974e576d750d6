import fc from 'fast-check';
import { expect, test } from 'vitest';
import { csvMappingSchema } from '@gateway/contracts/reconciler';
import { type ReadMovement, type ReadSummary, readStatementFile, type StatementFile } from '#src/read/index.ts';
import { camt053Format, type WrittenMovement } from '#src/write/index.ts';
import { header } from './five-movements.ts';
import { fileOf, formats as written } from './write-files.ts';

const formats = { ...written, 'camt053 in 02': camt053Format({ version: '02' }) };
const settings = { zone: header.period.zone, currency: header.currency } as const;
const mapping = csvMappingSchema.parse({
  date: { column: 'booked_at', format: 'ISO', zone: settings.zone },
  amount: { column: 'net', decimal: '.' },
  id: 'entry_id',
  type: 'type',
  text: 'external_id',
  e2e: { column: 'e2e_id' },
  balance: 'balance_after',
});

const readers: Readonly<Record<keyof typeof formats, StatementFile>> = {
  csv: { format: 'csv', mapping },
  ofx: { format: 'ofx', ...settings },
  ofx102: { format: 'ofx', ...settings },
  camt053: { format: 'camt053', ...settings },
  'camt053 in 02': { format: 'camt053', ...settings },
  cnab240: { format: 'cnab240', ...settings },
};

/** One member of a movement, as it comes back from each format; those that have no place for it are left out. */
const kept: Readonly<Record<keyof typeof formats, readonly (keyof WrittenMovement)[]>> = {
  csv: ['net', 'e2eId', 'entryId', 'bookedAtMs', 'type', 'balanceAfter'],
  ofx: ['net', 'e2eId', 'entryId', 'bookedAtMs'],
  ofx102: ['net', 'e2eId', 'entryId', 'bookedAtMs'],
  camt053: ['net', 'e2eId', 'entryId', 'bookedAtMs', 'type', 'recordId', 'gross', 'fee'],
  'camt053 in 02': ['net', 'e2eId', 'entryId', 'bookedAtMs', 'type', 'recordId', 'gross', 'fee'],
  cnab240: ['net', 'e2eId'],
};

const texts = fc.string({ unit: 'binary', maxLength: 40 }).filter((text) => !text.includes('\0'));
const facts = fc.record({
  type: fc.constantFrom('DEPOSIT_NET' as const, 'PAYOUT' as const, 'PAYOUT_FEE' as const, 'MED_BLOCK' as const),
  atMs: fc.integer({ min: header.period.fromMs, max: header.period.toMs - 1 }),
  gross: fc.integer({ min: -1_000_000_000_000, max: 1_000_000_000_000 }),
  fee: fc.integer({ min: 0, max: 100_000 }),
  externalId: fc.option(texts),
  e2e: fc.stringMatching(/^[a-zA-Z0-9]{11}$/),
});

function statementOf(made: readonly (typeof facts extends fc.Arbitrary<infer Fact> ? Fact : never)[]) {
  let balance = header.opening;
  const movements = made
    .filter(({ gross, fee }) => gross !== 0 && gross !== fee)
    .map(({ type, atMs, gross, fee, externalId, e2e }, at): WrittenMovement => {
      balance += gross - fee;
      return {
        entryId: `led_${String(at).padStart(26, '0')}`,
        bookedAtMs: atMs,
        type,
        recordId: 'dep_01kb0000000000000000000001',
        externalId,
        e2eId: `E12345678202611201200${e2e}`,
        // A fee larger than the amount turns the direction, which camt.053 has no way to write.
        gross: Math.sign(gross) === Math.sign(gross - fee) ? gross : null,
        fee: Math.sign(gross) === Math.sign(gross - fee) ? fee : null,
        net: gross - fee,
        balanceAfter: balance,
        counterparty: null,
      };
    });
  return { header: { ...header, closing: balance }, movements };
}

async function readBack(file: StatementFile, text: string): Promise<[ReadMovement[], ReadSummary]> {
  const movements: ReadMovement[] = [];
  const bytes = Buffer.from(text);
  const pieces = async function* () {
    for (let at = 0; at < bytes.length; at += 1_000) yield bytes.subarray(at, at + 1_000);
  };
  const summary = await readStatementFile(pieces(), file, (some) => void movements.push(...some));
  return [movements, summary];
}

const picked = (movement: WrittenMovement | ReadMovement, members: readonly (keyof WrittenMovement)[]) =>
  Object.fromEntries(members.map((member) => [member, movement[member]]));

test.each(Object.keys(formats) as (keyof typeof formats)[])('what is written as %s is read back', async (name) => {
  await fc.assert(
    fc.asyncProperty(fc.array(facts, { maxLength: 8 }), async (made) => {
      const statement = statementOf(made);
      const file = fileOf(formats[name], statement.header, statement.movements, 3);
      const [read, summary] = await readBack(readers[name], file);
      const members = kept[name];
      expect(read.map((movement) => picked(movement, members))).toEqual(
        statement.movements.map((movement) => picked(movement, members)),
      );
      if (name !== 'csv') expect(summary.closing).toBe(statement.header.closing);
      if (name !== 'csv') expect(summary).toMatchObject({ fromDay: '2026-11-20', toDay: '2026-11-20' });
    }),
  );
});
