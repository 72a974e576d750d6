import { expect, test } from 'vitest';
import { newId } from '@gateway/money';
import { createTestBus, createTestDatabase, eventually, testNatsUrl } from '@gateway/test-kit';
import { migrations } from '#src/migrations/migrations.ts';
import { reconcile } from '#src/reconciliation/reconcile.ts';
import { creditDeposit } from './support/commands.ts';
import { LedgerProcess } from './support/ledger-process.ts';
import { SteadySender } from './support/steady-sender.ts';

const kills = 9;
const commandCount = 9_000;
const perSecond = 800;

test(
  'nine kills under load: every command decided once, in the order sent per account',
  { timeout: 600_000 },
  async () => {
    await using db = await createTestDatabase('ledger', { migrations });
    await using bus = await createTestBus();
    const start = () => LedgerProcess.start(db.url, testNatsUrl());
    let writer = await (await start()).untilReady();

    const accounts = Array.from({ length: 5 }, () => newId('account'));
    const commands = Array.from({ length: commandCount }, (_, index) => creditDeposit(accounts[index % 5] ?? ''));
    const sender = new SteadySender(bus.connection);
    const sending = sender.sendAll(commands, perSecond);
    for (let kill = 0; kill < kills; kill++) {
      const before = sender.answers.size;
      await eventually(() => expect(sender.answers.size).toBeGreaterThan(Math.min(before + 100, commandCount - 1)), {
        timeoutMs: 120_000,
      });
      await writer.kill();
      writer = await start();
    }
    await sending;
    await writer.kill();

    const results = await db.database.query<{ command_id: string; account: string; outcome: string }>(
      `select command_id, request ->> 'accountId' as account, outcome from result order by sequence`,
    );
    expect(results).toHaveLength(commandCount);
    for (const account of accounts) {
      const decided = results.filter((result) => result.account === account).map((result) => result.command_id);
      expect(decided).toEqual(commands.filter((command) => command.accountId === account).map((command) => command.id));
    }
    for (const answers of sender.answers.values()) {
      for (const answer of answers) expect(answer.outcome).toBe('applied');
    }
    const checks = await reconcile(db.database.pool);
    expect(checks.filter((check) => check.status !== 'OK')).toEqual([]);
  },
);
