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
  /** In minutes from the beginning. */
  readonly silentAt: number;
  readonly firesAt: number;
}

const growing = '0+60x90';
const onceAfterAMinute = '0 1x90';
const list = '{provider="efi",feed="payments"}';
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
  ...clocks,
];

/** What promtool says of the alert at two moments of a course of its metric. */
function evaluated({ alert, series, values, silentAt, firesAt }: Course) {
  const directory = mkdtempSync(join(tmpdir(), 'gateway-alerts-'));
  const expr = `count(ALERTS{alertname="${alert}",alertstate="firing"})`;
  const at = (minutes: number, exp_samples: readonly object[]) => ({ expr, eval_time: `${minutes}m`, exp_samples });
  const file = join(directory, 'tests.yml');
  const course = {
    interval: '1m',
    input_series: [{ series, values }],
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
