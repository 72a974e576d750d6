import { afterAll, beforeAll, expect, test } from 'vitest';
import { deadLetterRpcs } from '@gateway/contracts/broker';
import { ledgerCommand } from '@gateway/contracts/ledger';
import { newId } from '@gateway/money';
import { callRpc, deadLetterRoutes, headersFrom, serveRpc } from '@gateway/messaging';
import { eventually, poisonMessages, silentLogger } from '@gateway/test-kit';
import { creditDeposit, debitPayout } from './support/commands.ts';
import { startLedger, type LedgerFixture } from './support/ledger-fixture.ts';

const subject = 'command.ledger.test.0.debit-payout.v1';
const stack = new AsyncDisposableStack();
let ledger: LedgerFixture;
beforeAll(async () => {
  ledger = stack.use(await startLedger());
  stack.use(await serveRpc(ledger.bus, deadLetterRoutes(ledger.database, 'ledger'), silentLogger));
});
afterAll(async () => await stack.disposeAsync());

const lease = async () =>
  (await ledger.database.query<{ epoch: number }>(`select epoch from shard where environment = 'test'`))[0]?.epoch;
const letters = async () =>
  (await ledger.database.query<{ number: number }>('select count(*)::int as number from dead_letter'))[0]?.number ?? 0;

test.each(poisonMessages())(
  '$name stops no writer: it is set aside, and the next command is decided',
  async ({ body, headers }) => {
    await ledger.ask(creditDeposit(newId('account')));
    const [before, epoch] = [await letters(), await lease()];
    ledger.bus.connection.publish(subject, body, headers ? { headers } : {});
    expect(await ledger.ask(creditDeposit(newId('account')))).toMatchObject({ outcome: 'applied' });
    expect([await letters(), await lease()]).toEqual([before + 1, epoch]);
  },
);

test.each([
  ['a NUL', 'a\0b'],
  ['half a surrogate pair', '\ud800'],
  ['half a megabyte', 'x'.repeat(500_000)],
  ['a number beyond numbers', Number.MAX_VALUE],
  ['a prototype', { ['__proto__']: { amount: 1 } }],
])('%s in any member of a command stops no writer', async (_what, value) => {
  const command = debitPayout(newId('account'));
  await ledger.ask(creditDeposit(newId('account')));
  const [before, epoch] = [await letters(), await lease()];
  for (const member of Object.keys(command)) {
    ledger.bus.connection.publish(subject, JSON.stringify({ ...command, [member]: value }));
  }
  expect(await ledger.ask(creditDeposit(newId('account')))).toMatchObject({ outcome: 'applied' });
  expect([await letters(), await lease()]).toEqual([before + Object.keys(command).length, epoch]);
});

test.each(['\0', 'debit-payout.\0', '\ud800', '__proto__', 'x'.repeat(10_000)])(
  'a subject that ends with %j stops no writer',
  async (token) => {
    await ledger.ask(creditDeposit(newId('account')));
    const epoch = await lease();
    ledger.bus.connection.publish(`command.ledger.test.0.${token}.v1`, JSON.stringify(creditDeposit(newId('account'))));
    expect(await ledger.ask(creditDeposit(newId('account')))).toMatchObject({ outcome: 'applied' });
    expect(await lease()).toEqual(epoch);
  },
);

test('a command that was set aside is put on the stream again byte for byte', async () => {
  const body = Buffer.from([0xff, 0x00, 0xed, 0xa0, 0x80]);
  const headers = headersFrom({ 'X-Poison': 'a\0b' });
  ledger.bus.connection.publish(subject, body, { headers });
  await ledger.ask(creditDeposit(newId('account')));
  const rpcs = deadLetterRpcs('ledger');
  const [letter] = (await callRpc(ledger.bus, rpcs.list, { limit: 1 })).deadLetters;
  await callRpc(ledger.bus, rpcs.retry, { id: letter!.id, operator: 'ana' });
  const stream = 'COMMANDS_LEDGER_TEST_0';
  const last = await ledger.bus.manager.streams.getMessage(stream, { last_by_subj: subject });
  expect(Buffer.from(last!.data)).toEqual(body);
  expect(last!.header.get('X-Poison')).toBe('a\0b');
});

test('a command whose rows PostgreSQL refuses for no fault of the command is passed in the third lease', async () => {
  await ledger.database.query(
    `create unique index one_of_this_amount on reference (amount) where kind = 'deposit' and amount = 12345`,
  );
  await ledger.ask(creditDeposit(newId('account'), { amount: 12_345 }));
  const epoch = await lease();
  const poison = creditDeposit(newId('account'), { amount: 12_345 });
  ledger.bus.connection.publish(ledgerCommand.subjectFor(poison), JSON.stringify(poison));
  expect(await ledger.ask(creditDeposit(newId('account')))).toMatchObject({ outcome: 'applied' });
  expect(await lease()).toBe((epoch ?? 0) + 2);
  const [letter] = await ledger.database.query<{ payload: Buffer; bytes: number }>(
    'select payload, whole_bytes as bytes from dead_letter order by id desc limit 1',
  );
  expect(letter?.payload.length).toBe(256);
  expect(letter?.bytes).toBeGreaterThan(256);
  await eventually(async () => expect(await lease()).toBe((epoch ?? 0) + 2));
});
