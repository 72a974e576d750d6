import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stringify } from 'yaml';
import { expect, test } from 'vitest';
import { promtool } from './prometheus.ts';

const alertsFile = join(import.meta.dirname, '../../deploy/prometheus/alerts.yml');

interface Course {
  readonly what: string;
  readonly alert: string;
  readonly series: string;
  /** A value a minute, in the notation of promtool. */
  readonly values: string;
  /** What else the expression needs. */
  readonly beside?: readonly { readonly series: string; readonly values: string }[];
  /** In minutes from the beginning. */
  readonly silentAt: number;
  readonly firesAt: number;
}

const growing = '0+60x90';
const onceAfterAMinute = '0 1x90';
const list = '{provider="efi",feed="payments"}';
const explained = '{environment="live",kind="payment"}';
const inTime = explained.replace('}', ',le="300"}');
const live = (record: string) => `{environment="live",record="${record}"}`;

const clocks: readonly Course[] = ['process', 'postgresql', 'unknown', 'head'].map((problem) => ({
  what: `a clock of which nothing is decided (${problem})`,
  alert: 'LedgerClocksDisagree',
  series: `gateway_ledger_clock_refusals_total{shard="live.0",problem="${problem}"}`,
  ...{ values: onceAfterAMinute, silentAt: 0, firesAt: 2 },
}));

const courses: readonly Course[] = [
  {
    what: 'a list that cannot be read, after ten minutes',
    alert: 'FeedStopped',
    series: `gateway_feed_failing_seconds${list}`,
    ...{ values: growing, silentAt: 10, firesAt: 12 },
  },
  {
    what: 'an item that cannot be read, after ten minutes',
    alert: 'ItemUnread',
    series: `gateway_feed_items_unread${list}`,
    ...{ values: onceAfterAMinute, silentAt: 10, firesAt: 12 },
  },
  {
    what: 'a page that cannot be parsed, after ten minutes',
    alert: 'ItemUnread',
    series: `gateway_feed_gaps${list}`,
    ...{ values: onceAfterAMinute, silentAt: 10, firesAt: 12 },
  },
  ...['refund', 'orphan_receipt'].map((record) => ({
    what: `the return of money that does not come to its end (${record}), after an hour`,
    alert: 'ReturnsStuck',
    series: `gateway_returns_oldest_open_seconds${live(record)}`,
    ...{ values: growing, silentAt: 60, firesAt: 63 },
  })),
  {
    what: 'a step of a dispute that is not carried out, within the hour',
    alert: 'DisputesStuck',
    series: `gateway_returns_oldest_open_seconds${live('dispute')}`,
    ...{ values: growing, silentAt: 30, firesAt: 60 },
  },
  {
    what: 'a refund that was done after it had failed, at once',
    alert: 'ProviderContradictsItself',
    series: `gateway_provider_contradictions_total${live('refund')}`,
    ...{ values: onceAfterAMinute, silentAt: 0, firesAt: 2 },
  },
  {
    what: 'what only the key of the platform has signed',
    alert: 'NotificationsNotSignedForUs',
    series: 'gateway_provider_events_total{provider="woovi",grade="platform"}',
    ...{ values: onceAfterAMinute, silentAt: 0, firesAt: 12 },
  },
  {
    what: 'a message that was set aside, at once',
    alert: 'MessagesSetAside',
    series: 'gateway_consumer_messages_total{consumer="deposits-events",outcome="set-aside"}',
    ...{ values: onceAfterAMinute, silentAt: 0, firesAt: 2 },
  },
  {
    what: 'a command that was set aside, at once',
    alert: 'LedgerSetsAside',
    series: 'gateway_ledger_commands_set_aside_total{shard="live.0"}',
    ...{ values: onceAfterAMinute, silentAt: 0, firesAt: 2 },
  },
  {
    what: 'a ledger that has lost what others have seen, at once',
    alert: 'LedgerBehindItsWitnesses',
    series: 'gateway_ledger_behind_witnesses{shard="live.0"}',
    ...{ values: onceAfterAMinute, silentAt: 0, firesAt: 2 },
  },
  {
    what: 'a ledger that decides without any witness, at once',
    alert: 'LedgerUnwitnessed',
    series: 'gateway_ledger_unwitnessed_total{shard="live.0"}',
    ...{ values: onceAfterAMinute, silentAt: 0, firesAt: 2 },
  },
  {
    what: 'a provider that the ledger was not told of, at once',
    alert: 'LedgerUnknownProvider',
    series: 'gateway_ledger_unknown_providers_total{shard="live.0"}',
    ...{ values: onceAfterAMinute, silentAt: 0, firesAt: 2 },
  },
  {
    what: 'a reference that does not follow from the chain, at once',
    alert: 'ReferenceDiffers',
    series: 'gateway_ledger_check_ok{environment="live",check="references_follow"}',
    ...{ values: '1 0x90', silentAt: 0, firesAt: 2 },
  },
  {
    what: 'money that is not explained in time, at once',
    alert: 'MoneyUnexplained',
    series: 'gateway_recon_unexplained_minor{provider="efi",currency="BRL",side="L",sign="minus"}',
    ...{ values: onceAfterAMinute, silentAt: 0, firesAt: 2 },
  },
  ...['LedgerWithoutRecord', 'RecordWithoutLedger'].map((alert) => ({
    ...{ what: `what the other side does not have, at once (${alert})`, alert },
    series: `gateway_recon_exceptions_open{environment="live",reason="${alert.replaceAll(/\B[A-Z]/g, '_$&').toLowerCase()}"}`,
    ...{ values: onceAfterAMinute, silentAt: 0, firesAt: 2 },
  })),
  {
    what: 'a provider that is not compared',
    alert: 'ProviderNotCompared',
    series: 'gateway_ledger_providers_not_compared{environment="live"}',
    ...{ values: onceAfterAMinute, silentAt: 5, firesAt: 8 },
  },
  {
    what: 'what was explained and is no longer, at once',
    alert: 'MatchFellBack',
    series: 'gateway_recon_fallen_back_total{environment="live",kind="payment"}',
    ...{ values: onceAfterAMinute, silentAt: 0, firesAt: 2 },
  },
  {
    what: 'a day that is open at noon, eight hours after it should have been closed',
    alert: 'DayNotClosed',
    series: 'gateway_recon_day_open_seconds{provider="efi",currency="BRL"}',
    ...{ values: '0+600x90', silentAt: 47, firesAt: 50 },
  },
  {
    what: 'the file of a day that has not come when it is due',
    alert: 'StatementMissing',
    series: 'gateway_statement_file_overdue_seconds{provider="efi",currency="BRL"}',
    ...{ values: growing, silentAt: 5, firesAt: 8 },
  },
  {
    what: 'a place outside that takes no checkpoint for six hours',
    alert: 'AnchorLate',
    series: 'gateway_anchor_oldest_seconds{target="timestamp"}',
    ...{ values: '0+600x90', silentAt: 36, firesAt: 43 },
  },
  ...clocks,
  {
    what: 'a clock of the broker that is an hour off, although all goes on, after five minutes',
    alert: 'ClockDrifts',
    series: 'gateway_ledger_clock_offset_seconds{shard="live.0",against="broker"}',
    ...{ values: '0 -3600x90', silentAt: 5, firesAt: 7 },
  },
  {
    what: 'what is explained too late, below the goal of 99.99 %',
    alert: 'ExplainedLate',
    series: `gateway_recon_explained_seconds_bucket${inTime}`,
    beside: [
      { series: `gateway_recon_explained_seconds_count${explained}`, values: '0+1000x20 20010+1000x70' },
      // A day is left for fees: they are late from the beginning on, and not counted.
      { series: 'gateway_recon_explained_seconds_count{environment="live",kind="provider_fee"}', values: '0+1000x90' },
    ],
    ...{ values: '0+1000x20 20000+1000x70', silentAt: 20, firesAt: 40 },
  },
];

/** What promtool says of the alert at two moments of a course of its metric. */
function evaluated({ alert, series, values, silentAt, firesAt, beside = [] }: Course) {
  const directory = mkdtempSync(join(tmpdir(), 'gateway-alerts-'));
  const expr = `count(ALERTS{alertname="${alert}",alertstate="firing"})`;
  const at = (minutes: number, exp_samples: readonly object[]) => ({ expr, eval_time: `${minutes}m`, exp_samples });
  const file = join(directory, 'tests.yml');
  const course = {
    interval: '1m',
    input_series: [{ series, values }, ...beside],
    promql_expr_test: [at(silentAt, []), at(firesAt, [{ labels: '{}', value: 1 }])],
  };
  writeFileSync(file, stringify({ rule_files: [alertsFile], evaluation_interval: '1m', tests: [course] }));
  try {
    return promtool('test', 'rules', file);
  } finally {
    rmSync(directory, { recursive: true });
  }
}

test.each(courses)('operators are alerted of $what', (course) => {
  expect(evaluated(course)).toMatchObject({ ok: true });
});
