import { environmentSchema } from '@gateway/contracts/values';
import type { Worker } from '@gateway/messaging';
import type { DueWorker } from '@gateway/persistence';
import { askAgain, AskedPlaces } from '#src/comparisons/ask-again.ts';
import { askForReturns } from '#src/comparisons/ask-for-returns.ts';
import { findAdjustedTwice } from '#src/comparisons/check-adjusted-exceptions.ts';
import { adjustmentsDue, checkAdjustments } from '#src/comparisons/check-adjustments.ts';
import { checkDeliveries, checkMissingDeliveries } from '#src/comparisons/check-deliveries.ts';
import { KeptComparisons } from '#src/days/kept-comparisons.ts';
import { closeDays, type DaysDependencies } from '#src/days/statement-days.ts';
import { importDue, resumeImports } from '#src/files/import-statement-file.ts';
import type { ReceivingDependencies } from '#src/files/receive-statement-file.ts';
import { EventReading } from '#src/comparisons/read-record-events.ts';
import { gatheredIntervalMs, waitForRest } from '#src/comparisons/gathered-transfers.ts';
import { giveLinesToTransfers, ownTransfersIntervalMs } from '#src/lines/own-transfers.ts';
import { enterStoredLines, linesNotEntered } from '#src/matching/items-arrived.ts';
import { sweep, sweepDue } from '#src/matching/sweep.ts';
import { PlaceMovedError } from '#src/sides/places.ts';
import { environmentsRead, readLedger, type SidesDependencies } from '#src/sides/read-ledger.ts';
import { beginReadingRecords, readRecordPage } from '#src/sides/read-records.ts';

/** One shard per environment, as the ledger has. */
const shards = environmentSchema.options.map((environment) => ({ environment, shard: 0 }));

/**
 * What is decided may be explained minutes later, and a page of hundreds takes little more than one of a few: at fifty
 * decisions a second this is one page, and what more there is follows at once.
 */
const ledgerIntervalMs = 8_000;
/** What differs is asked about after four seconds, and is an exception after thirty. */
const askAgainIntervalMs = 10_000;
const returnsIntervalMs = 20_000;
/** Of what was booked a minute ago. */
const deliveriesIntervalMs = 15_000;
const missingIntervalMs = 60_000;
const recordsIntervalMs = 60_000;
/** Between two pages of decisions, as of a ledger that is years old: merchants wait for the services that are asked. */
const catchUpPauseMs = 50;
const daysIntervalMs = 60_000;
const adjustedIntervalMs = 60_000;
/** Between two pages of records, so that reading all of them takes little of what the services have to do. */
const recordPagePauseMs = 100;
/** Before a page with an event that has no delivery is read once more: it may have happened a moment ago. */
const lateEventPauseMs = 60_000;
/** When all records are read, before the days of statements are closed. */
const recordsHourUtc = 6;

/** What the reconciler does when its time has come. */
export function dueWorkers(dependencies: SidesDependencies & ReceivingDependencies): DueWorker[] {
  return [
    {
      name: 'matches',
      firstDue: sweepDue,
      work: async () => sweep(dependencies, await environmentsRead(dependencies)),
    },
    { name: 'lines to match', firstDue: linesNotEntered, work: () => enterStoredLines(dependencies) },
    { name: 'adjustments', firstDue: adjustmentsDue, work: () => checkAdjustments(dependencies) },
    { name: 'statement files', firstDue: importDue, work: () => resumeImports(dependencies) },
  ];
}

/** What the reconciler reads and compares all the time. */
export function workers(dependencies: SidesDependencies & DaysDependencies): Worker[] {
  const { now } = dependencies;
  const places = new AskedPlaces();
  const perEnvironment = shards.flatMap((shard): Worker[] => {
    const { environment } = shard;
    const named = (what: string) => `${what} of ${environment}`;
    return [
      {
        name: named('ledger'),
        intervalMs: ledgerIntervalMs,
        work: alone(async () => (await readLedger(dependencies, shard)) && catchUpPauseMs),
      },
      {
        name: named('differences'),
        intervalMs: askAgainIntervalMs,
        work: async () => (await askAgain(dependencies, environment, places)) && catchUpPauseMs,
      },
      {
        name: named('exceptions'),
        intervalMs: missingIntervalMs,
        work: async () => (await askAgain(dependencies, environment, places, 'unexplained')) && catchUpPauseMs,
      },
      { name: named('refunds'), intervalMs: returnsIntervalMs, work: () => askForReturns(dependencies, environment) },
      {
        name: named('deliveries'),
        intervalMs: deliveriesIntervalMs,
        work: alone(async () => (await checkDeliveries(dependencies, environment)) && catchUpPauseMs),
      },
      {
        name: named('missing deliveries'),
        intervalMs: missingIntervalMs,
        work: async () => (await checkMissingDeliveries(dependencies, environment, places)) && catchUpPauseMs,
      },
    ];
  });
  const readRecords = async () => {
    await beginReadingRecords(dependencies, dueSince(now()));
    return (await readRecordPage(dependencies, await environmentsRead(dependencies))) ? recordPagePauseMs : false;
  };
  const events = new EventReading(dependencies);
  const readEvents = async () => {
    await events.begin(dueSince(now()));
    const next = await events.readPage();
    if (next === 'again') return lateEventPauseMs;
    return next === 'more' ? recordPagePauseMs : false;
  };
  const comparisons = new KeptComparisons();
  const closeDue = async () => {
    await closeDays(dependencies, comparisons);
    return false;
  };
  const giveLines = async () => {
    await giveLinesToTransfers(dependencies);
    return false;
  };
  return [
    ...perEnvironment,
    { name: 'adjusted exceptions', intervalMs: adjustedIntervalMs, work: () => findAdjustedTwice(dependencies) },
    { name: 'gathered transfers', intervalMs: gatheredIntervalMs, work: () => waitForRest(dependencies) },
    { name: 'own transfers', intervalMs: ownTransfersIntervalMs, work: giveLines },
    { name: 'records', intervalMs: recordsIntervalMs, work: alone(readRecords) },
    { name: 'events', intervalMs: recordsIntervalMs, work: alone(readEvents) },
    { name: 'statement days', intervalMs: daysIntervalMs, work: closeDue },
  ];
}

/** Several replicas may read the same: one of them enters it, and the others begin from there. */
function alone(work: () => Promise<boolean | number>): () => Promise<boolean | number> {
  return async () => {
    try {
      return await work();
    } catch (error) {
      if (error instanceof PlaceMovedError) return false;
      throw error;
    }
  };
}

/** The newest moment, at or before now, at which all records were to be read. */
function dueSince(now: Date): Date {
  const due = new Date(now);
  due.setUTCHours(recordsHourUtc, 0, 0, 0);
  if (due > now) due.setUTCDate(due.getUTCDate() - 1);
  return due;
}
