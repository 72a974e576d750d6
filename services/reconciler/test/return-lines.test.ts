import { beforeEach, expect, test } from 'vitest';
import type { ReturnLine } from '@gateway/contracts/payouts';
import { newId } from '@gateway/money';
import { importStatementFile } from '#src/files/import-statement-file.ts';
import { ReturnLines } from '#src/lines/return-lines.ts';
import { approveResolution, proposeResolution } from '#src/matching/decide-exception.ts';
import { sweep } from '#src/matching/sweep.ts';
import { after, arrive, booked, compare, line, matchesOf, noon, openBooks, record } from './books.ts';
import { uploadFile } from './uploads.ts';

const database = await openBooks();

let now = noon;
let brought: ReturnLine[][] = [];
const reader = () =>
  new ReturnLines({ database, now: () => now, followLines: async (lines) => void brought.push([...lines]) });
beforeEach(async () => {
  await compare(database);
  brought = [];
  now = noon;
});

/** A payout of days ago came back, and its notification was lost: the statement of the day has it. */
const back = (kind: 'payout_return' | 'other', returnId: string) =>
  line(`efi:${returnId}`, 1_500, { kind, returnId, e2eId: 'E-of-the-payout' });

/** The payout itself, which has a line of its own for long. */
const paidOut = {
  lines: [line('efi:envio:p1', -5_000, { kind: 'payout', e2eId: 'E-of-the-payout', ourRef: 'p1' })],
  facts: [
    record('payout', 'pyt_1', -5_000, { e2eId: 'E-of-the-payout', ourRef: 'p1' }),
    booked('settle-payout:pyt_1', -5_000),
  ],
};

async function passMinutes(minutes: number): Promise<void> {
  now = after(minutes);
  await sweep({ database, now: () => now });
}

test.each(['payout_return', 'other'] as const)(
  'a line of kind %s that came in without a record is brought to payouts until what they credit explains it',
  async (kind) => {
    await arrive(database, paidOut);
    await arrive(database, { lines: [back(kind, 'D1')] });
    await passMinutes(6);
    expect(await database.query('select reason from exception')).toEqual([{ reason: 'line_without_record' }]);
    const lines = reader();
    await lines.round();
    const found = { provider: 'efi', currency: 'BRL', amount: 1_500, bookedAt: noon.toISOString() };
    expect(brought).toEqual([[{ ...found, returnId: 'D1', e2eId: 'E-of-the-payout', ref: null }]]);
    await arrive(database, {
      facts: [
        record('payout_return', 'pyt_1:D1', 1_500, { returnId: 'D1', e2eId: 'E-of-the-payout' }),
        booked('return-payout:pyt_1:D1', 1_500),
      ],
    });
    await lines.round();
    expect(brought).toHaveLength(1);
    expect((await matchesOf(database)).matches).toMatchObject([
      { state: 'matched', p: -5_000, r: -5_000, l: -5_000 },
      { state: 'matched', p: 1_500, r: 1_500, l: 1_500 },
    ]);
  },
);

test('what went out, what names no payout, and what people propose something about is not brought', async () => {
  const bare = { kind: 'other', e2eId: null } as const;
  await arrive(database, {
    lines: [
      { ...back('other', 'D1'), amount: -1_500 },
      { ...back('other', 'D2'), ...bare },
      back('other', 'D3'),
      line('efi:fee', 30, { kind: 'payment', returnId: 'D4', e2eId: 'E4' }),
    ],
  });
  await passMinutes(6);
  await database.query(`update exception set state = 'PROPOSED' where subject like '%D3'`);
  await reader().round();
  expect(brought).toEqual([]);
});

test('a line is brought again each hour while it stays unexplained, and no more than that', async () => {
  await arrive(database, { lines: [back('other', 'D1')] });
  await passMinutes(6);
  const lines = reader();
  now = after(30);
  for (let minute = 0; minute < 120; minute += 1) await lines.round();
  expect(brought).toHaveLength(2);
});

test('a return of which only a file has a line is an exception of its whole amount, names the payout to payouts, and ends as two people decide', async () => {
  await database.query('truncate statement_file, statement_file_chunk');
  await database.query('delete from statement_source');
  const [returnId, payout] = [`D12345678202611201200${'a'.repeat(11)}`, newId('payout').slice('pyt_'.length)];
  const file = Buffer.from(
    `<?xml version="1.0"?><OFX><CURDEF>BRL</CURDEF><ACCTID>1</ACCTID>
    <STMTTRN><TRNTYPE>CREDIT</TRNTYPE><DTPOSTED>20261120120000[-3:BRT]</DTPOSTED><TRNAMT>50,00</TRNAMT><FITID>7</FITID>
    <REFNUM>${returnId}</REFNUM><MEMO>DEVOLUCAO ${payout}</MEMO></STMTTRN></OFX>`,
  );
  const receiving = { database, providers: new Set(['efi']), now: () => now };
  await importStatementFile(receiving, await uploadFile(receiving, file));
  await passMinutes(6);
  const [opened] = await database.query<{ id: string; reason: string; amount: number; state: string }>(
    'select id, reason, amount, state from exception',
  );
  expect(opened).toMatchObject({ reason: 'line_without_record', amount: 5_000, state: 'OPEN' });
  await reader().round();
  expect(brought).toMatchObject([[{ returnId, ref: payout, amount: 5_000 }]]);
  const decided = (operator: string) => ({ id: opened!.id, operator, now: after(10) });
  const adjust = { action: 'adjust', note: 'the bank has sent it back, and does not answer for it' };
  await database.transaction((tx) => proposeResolution(tx, decided('ana'), adjust));
  expect(await database.transaction((tx) => approveResolution(tx, decided('ana')))).toBeUndefined();
  await database.transaction((tx) => approveResolution(tx, decided('bia')));
  expect((await matchesOf(database)).matches).toMatchObject([{ state: 'resolved', p: 5_000 }]);
});
