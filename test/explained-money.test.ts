import { afterAll, beforeAll, expect, test } from 'vitest';
import { temporaryHome } from '@gateway/local-stack';
import { eventually } from '@gateway/test-kit';
import { unexplained } from './faults/checks/explained.ts';
import { Scene } from './faults/facts/scene.ts';
import { createDeposit } from './faults/load/create-deposit.ts';
import { Operator } from './faults/load/operator.ts';
import { startStage, type Stage } from './faults/stage/stage.ts';
import type { Json } from './support/merchant-client.ts';
import { moveDatabaseClock } from './support/move-database-clock.ts';
import { rowsOf } from './support/rows-of.ts';

// The reconciler in the whole product: what only many processes, a killed one or days can show.

/** Statements are read half a minute late, twice a minute. */
const readWithin = { timeoutMs: 180_000, everyMs: 500 };
/** A list of thirty hours. */
const caughtUpWithin = { timeoutMs: 600_000, everyMs: 1_000 };
const timeoutMs = 420_000;

let stage: Stage;
let scene: Scene;
let second: Operator;
/** Payouts by the days after which they come back. */
let paidOut: {
  readonly id: string;
  readonly reference: string;
  readonly provider: 'efi' | 'spei';
  readonly days: number;
}[];
const stopping = new AsyncDisposableStack();

beforeAll(async () => {
  const home = stopping.use(temporaryHome());
  stage = stopping.use(await startStage({ topology: 'single', home: home.path }));
  scene = await Scene.open(stage, 'explained');
  second = new Operator(stage.stack.opsUrl, stage.stack.dev.ops_tokens[1]!);
  await scene.paidCharge('woovi');
  paidOut = [
    { ...(await scene.payout('efi')), provider: 'efi', days: 9 },
    { ...(await scene.payout('efi')), provider: 'efi', days: 89 },
    { ...(await scene.payout('spei')), provider: 'spei', days: 89 },
  ];
  // Payments of another customer of the provider, of which no record is kept here.
  await scene.control('/flood', { dialect: 'woovi', payments: foreignPayments, over_sec: 1 });
}, timeoutMs);
afterAll(async () => stopping.disposeAsync());

const foreignPayments = 8;
const database = (service: string) => stage.stack.databaseUrls[`gateway_${service}`];
const linesAt = async (provider: string): Promise<Json[]> =>
  (await scene.operator.call('GET', `/ops/lines?provider=${provider}&limit=200`)).data;
const openExceptions = async (): Promise<Json[]> =>
  (await scene.operator.call('GET', '/ops/exceptions?status=OPEN&limit=200')).data;

test(
  'the parts of a payout that came back are told apart, and each of their deliveries is made again alone',
  async () => {
    const { id, reference } = await scene.payout('efi');
    const parts = [2_000, 3_000];
    for (const amount_cents of parts) await scene.control(`/transfers/${reference}/return`, { amount_cents });
    const path = `/v1/deliveries?data_id=${id}&event=payout.returned`;
    const deliveries: Json[] = await eventually(async () => {
      const { data } = await scene.read(path);
      expect(data.map(({ status }: Json) => status)).toEqual(parts.map(() => 'DELIVERED'));
      return data;
    }, readWithin);
    const received = () => stage.receiver.of('payout.returned', id).map(({ rawBody }) => rawBody.toString());
    const first = received();
    expect(new Set(first).size).toBe(parts.length);
    for (const [index, delivery] of deliveries.entries()) {
      const { body } = await scene.merchant.clients.live.post(`/v1/deliveries/${delivery.id}/redeliver`);
      expect(body.id).toBe(delivery.id);
      await eventually(() => expect(received()).toHaveLength(first.length + index + 1));
    }
    expect(received().sort()).toEqual([...first, ...first].sort());
    expect(await scene.entriesOf(id)).toEqual(['PAYOUT -5000', ...parts.map((part) => `PAYOUT_RETURN ${part}`)]);
  },
  timeoutMs,
);

test(
  'a transfer of our own that two operators declare is booked once and explained by its line, before the line came or after',
  async () => {
    const top = { amount_cents: 700_000, reason: 'float for the weekend' };
    const { entry } = await scene.control('/accounts/woovi/own-transfers', { amount_cents: top.amount_cents });
    const common = { provider: 'woovi', currency: 'BRL' };
    const declare = async (members: object) => {
      const proposed = await scene.operator.call('POST', '/ops/own-transfers', { ...common, ...members });
      const path = `/ops/approvals/${proposed.approval.id}/approve`;
      await expect(
        fetch(`${stage.stack.opsUrl}${path}`, {
          method: 'POST',
          headers: { authorization: `Bearer ${stage.stack.dev.ops_tokens[0]}` },
        }),
      ).resolves.toMatchObject({ status: 409 });
      const { approval } = await second.call('POST', path);
      expect(approval).toMatchObject({ state: 'APPLIED', proposed_by: 'ana', approved_by: 'bruno' });
      return String(approval.outcome.command_id);
    };
    const commands = [await declare({ ...top, reference: `entry${entry}` })];
    await scene.control('/accounts/woovi/own-transfers', { amount_cents: -50_000 });
    const taken = await eventually(async () => {
      const line = (await linesAt('woovi')).find(({ amount_cents }) => amount_cents === -50_000);
      expect(line).toMatchObject({ kind: 'own_transfer', state: 'waiting' });
      return line;
    }, readWithin);
    commands.push(await declare({ amount_cents: -50_000, line_id: taken.line_key, reason: 'taken out again' }));
    await eventually(async () => {
      const ours = (await linesAt('woovi')).filter(({ kind }) => kind === 'own_transfer');
      expect(ours.map(({ amount_cents, state }) => [amount_cents, state])).toEqual(
        expect.arrayContaining([
          [700_000, 'matched'],
          [-50_000, 'matched'],
        ]),
      );
      expect(ours).toHaveLength(2);
    }, readWithin);
    const booked = await rowsOf<{ postings: unknown[] }>(
      database('ledger'),
      'select postings from result where command_id = any($1) order by sequence',
      [commands],
    );
    const between = (amount: number) => [
      ['provider:woovi', 'system', 'BRL', -amount],
      ['own-funds', 'system', 'BRL', amount],
    ];
    expect(booked.map(({ postings }) => postings)).toEqual([between(700_000), between(-50_000)]);
  },
  timeoutMs,
);

test(
  'whichever process is killed while lines are matched and exceptions approved, no match is lost and nothing is adjusted twice',
  async () => {
    await eventually(async () => {
      expect((await linesAt('woovi')).filter(({ amount_cents: amount }) => amount === 1)).toHaveLength(foreignPayments);
    }, readWithin);
    // Five minutes pass for them.
    const late = `update match set deadline_at = now() where state = 'waiting' and subject like 'line:payment:%'`;
    await rowsOf(database('reconciler'), late);
    const exceptions = await eventually(async () => {
      const open = await openExceptions();
      expect(open.map(({ reason }) => reason)).toEqual(Array(foreignPayments).fill('line_without_record'));
      return open;
    }, readWithin);
    const ids = exceptions.map(({ id }) => String(id));
    const { accountId: account_id } = scene.merchant;
    const adjust = { action: 'adjust', note: 'the payer is our merchant', account_id, amount_cents: 100 };
    const [foreign, ...adjusted] = ids;
    const notOurs = { action: 'foreign', note: 'of another customer' };
    await scene.charge('woovi');
    await scene.operator.call('POST', `/ops/exceptions/${foreign}/propose`, notOurs);
    for (const id of adjusted) await scene.operator.call('POST', `/ops/exceptions/${id}/propose`, adjust);
    let isOver = false;
    const paying = payUntil(() => isOver);
    const approving = approveAll(ids);
    for (const service of [...stage.services, 'psp-simulator']) {
      const restarts = stage.stack.restartCount(service);
      stage.stack.process(service).kill('SIGKILL');
      await eventually(() => expect(stage.stack.restartCount(service)).toBeGreaterThan(restarts), readWithin);
      await stage.ready();
    }
    isOver = true;
    const [paid] = await Promise.all([paying, approving]);
    expect(await unexplained(stage, new Date())).toEqual([]);
    // Of their own: how much was paid since depends on the machine, and a page has two hundred.
    const corrections: Json[] = (await scene.read('/v1/transactions?type=ADJUSTMENT&limit=200')).data;
    expect(corrections.map(({ ref_id: id, amount_cents: amount }) => [id, amount]).sort()).toEqual(
      adjusted.map((id) => [id.replace('exc_', 'adj_'), adjust.amount_cents]).sort(),
    );
    const lines = `select subject from line join match using (environment, provider, currency, subject)
      where match.state = 'matched' and p_items = 1 and subject = any($1)`;
    const subjects = paid.map((id) => `payment:${id}`);
    const matched = await rowsOf<{ subject: string }>(database('reconciler'), lines, [subjects]);
    expect(matched.map(({ subject }) => subject).sort()).toEqual(subjects.sort());
  },
  timeoutMs,
);

/** Charges at Woovi, one after another, each paid; their ids. */
async function payUntil(isOver: () => boolean): Promise<string[]> {
  const ids: string[] = [];
  while (!isOver()) {
    const id = await createDeposit(scene.merchant, 'live', `killed ${ids.length}`, 1_000 + ids.length, 'BRL');
    await scene.merchant.bank.payOnce(id.slice('dep_'.length));
    ids.push(id);
  }
  return ids;
}

/** By another operator than the one who proposed, again and again until each is resolved. */
async function approveAll(ids: readonly string[]): Promise<void> {
  for (const id of ids) {
    await eventually(async () => {
      const { exception: read } = await scene.operator.call('GET', `/ops/exceptions/${id}`);
      await fetch(`${stage.stack.opsUrl}/ops/exceptions/${id}/approve`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${stage.stack.dev.ops_tokens[1]}`,
          'content-type': 'application/json',
        },
        body: JSON.stringify({ approval_id: read.proposal?.approval_id }),
      });
      expect((await scene.operator.call('GET', `/ops/exceptions/${id}`)).exception.status).toBe('RESOLVED');
    }, readWithin);
  }
}

const awayMs = 30 * 3_600_000;

/** Only statements have what came back: its notifications are lost, and lists have the days of the payments. */
async function comeBackUnnoticed(): Promise<void> {
  for (const { reference, provider, days } of paidOut) {
    await scene.control('/faults', { dialect: provider, operation: 'notification', fault: 'lost' });
    await scene.control(`/transfers/${reference}/age`, { days });
    await scene.control(`/transfers/${reference}/return`);
  }
}

/** Five minutes pass for the lines that no record explains yet. */
async function untilCredited(): Promise<void> {
  await eventually(async () => {
    await rowsOf(
      database('reconciler'),
      `update match set deadline_at = now() where state = 'waiting' and p_amount = 5000 and r_items = 0 and l_items = 0`,
    );
    for (const { id } of paidOut) expect(await scene.entriesOf(id)).toEqual(['PAYOUT -5000', 'PAYOUT_RETURN 5000']);
  }, caughtUpWithin);
}

test(
  'a reconciler that was away for a day catches up, names a delivery that was deleted, has payouts credited of which statements alone say that they came back, after 9 and 89 days, and closes the day',
  async () => {
    await stage.stack.process('reconciler').stop();
    const paid = [await scene.paidCharge('woovi'), await scene.paidCharge('efi')];
    await scene.payout('spei');
    await comeBackUnnoticed();
    const { id } = paid[0]!;
    await eventually(() => expect(stage.receiver.of('deposit.paid', id)).toHaveLength(1));
    const deleted = `delete from delivery where data_id = $1 and event = 'deposit.paid' returning id`;
    expect(await rowsOf(database('webhooks'), deleted, [id])).toHaveLength(1);
    await scene.control('/clock', { advance_ms: awayMs });
    await stage.stack.process('deposits').stop();
    // A day and six hours of its lists, and the report of Efí behind them, are hundreds of calls.
    stage.stack.process('reconciler').definition.env['STATEMENT_CALLS_PER_MINUTE'] = '6000';
    for (const service of ['reconciler', 'deposits']) {
      stage.shiftClock(service, awayMs);
      await moveDatabaseClock(database(service), awayMs);
      await stage.stack.process(service).start();
    }
    await stage.ready();
    for (const late of paidOut) expect(await scene.entriesOf(late.id)).toEqual(['PAYOUT -5000']);
    await untilCredited();
    const today = new Date().toLocaleDateString('en-CA', { timeZone: 'America/Sao_Paulo' });
    await eventually(async () => {
      expect((await openExceptions()).map(({ reason, subject }) => [reason, subject])).toEqual([
        ['event_without_delivery', `event:deposit.paid:${id}`],
      ]);
      const { data } = await scene.operator.call('GET', '/ops/statement-days?limit=200');
      const closed = data.filter(({ day, status }: Json) => day === today && status === 'CLOSED');
      expect(closed.map(({ provider }: Json) => provider).sort()).toEqual(['bacen', 'efi', 'spei', 'woovi']);
    }, caughtUpWithin);
    const unmatched = `select subject from line join match using (environment, provider, currency, subject)
      where match.state not in ('matched', 'resolved')`;
    await eventually(async () => expect(await rowsOf(database('reconciler'), unmatched)).toEqual([]), readWithin);
    const subjects = paid.map((each) => `payment:${each.id}`);
    const own = await rowsOf<{ subject: string }>(
      database('reconciler'),
      'select subject from line where subject = any($1)',
      [subjects],
    );
    expect(own.map(({ subject }) => subject).sort()).toEqual(subjects.sort());
  },
  3 * timeoutMs,
);

test(
  'money at a provider that has not been compared for an hour, or that is configured no longer, is a finding',
  async () => {
    const { stack } = stage;
    const findings = async (): Promise<string[]> => {
      const { checks } = await scene.operator.call('POST', '/ops/reconciliations');
      const { findings: all } = checks.find(({ name }: Json) => name === 'provider_balances_agree');
      return all.filter((finding: string) => finding.startsWith('spei'));
    };
    expect(await findings()).toEqual([]);
    await stack.process('deposits').stop();
    const hourAgo = `update provider_balance set compared_at = now() - interval '61 minutes' where provider = 'spei'`;
    await rowsOf(database('ledger'), hourAgo);
    expect(await findings()).toEqual([expect.stringMatching(/^spei MXN: could not be compared since 20/)]);
    for (const name of ['psp-simulator', 'payouts', 'reconciler']) await stack.process(name).stop();
    stack.process('psp-simulator').definition.env['ACCOUNTS'] = 'bacen,efi,woovi';
    for (const name of ['psp-simulator', 'deposits', 'payouts', 'reconciler']) await stack.process(name).start();
    await stage.ready();
    await rowsOf(database('ledger'), `update provider set told_at = now() - interval '61 minutes'`);
    await eventually(async () => {
      expect(await findings()).toEqual([
        expect.stringMatching(/^spei MXN: \d+ is booked there, and nobody compares it/),
      ]);
    }, readWithin);
  },
  timeoutMs,
);
