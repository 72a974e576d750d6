import {
  coverByHand as coverByHandRpc,
  createConversion as createConversionRpc,
  createQuote as createQuoteRpc,
  getConversion,
  getConversionSwitch,
  getOperatorConversion,
  getQuote,
  listConversions,
  listOperatorConversions,
  listTreasuryOrders,
  listUncovered,
  setConversionSwitch,
} from '@gateway/contracts/conversions';
import {
  getAnchor,
  getBalance,
  getCheckpoint,
  getConsistency,
  getDisputeHolding,
  getLedgerRecords,
  getLostRange,
  getPending,
  getProviderAccounts,
  getReceipt,
  getTile,
  listAnchors,
  listCheckpointKeys,
  listEntries,
  listFindings,
  listLedgerWriters,
  listLinks,
  getReconciliation,
  listReconciliations,
  listVenues,
  noteFinding,
  openIncarnation,
  recordProviderBalances,
  releasePendingDeposits,
  rotateCheckpointKey,
  runReconciliation,
  showEntries as showEntriesRpc,
  signOffReconciliation,
  updateVenue,
} from '@gateway/contracts/ledger';
import { listLedgerRecordEvents } from '@gateway/contracts/webhooks';
import { answering, type Bus, type RpcRoute } from '@gateway/messaging';
import { readRecordEvents } from '@gateway/persistence';
import { readAnchor, readAnchors } from '#src/anchors/read-anchors.ts';
import { readLinks } from '#src/chain/list-links.ts';
import { createConversion } from '#src/conversions/create-conversion.ts';
import { createQuote } from '#src/conversions/create-quote.ts';
import type { ConversionDependencies } from '#src/conversions/dependencies.ts';
import {
  conversionEvents,
  readConversion,
  readConversions,
  readOperatorConversion,
  readOperatorConversions,
} from '#src/conversions/read-conversions.ts';
import { readQuote } from '#src/conversions/read-quote.ts';
import type { StoredSwitch } from '#src/conversions/stored-switch.ts';
import { readDisputeHolding } from '#src/holdings/dispute-holding.ts';
import { releaseAllPending } from '#src/holdings/release-due-deposits.ts';
import type { CheckpointKeys } from '#src/proof/checkpoint-keys.ts';
import { listKeys, readCheckpoint, readConsistency, readReceipt, readTile } from '#src/proof/read-proof.ts';
import { readFindings, writeNote } from '#src/reconciliation/keep-findings.ts';
import { readProviderAccounts, storeProviderBalances } from '#src/reconciliation/provider-accounts.ts';
import { readReconciliation, readReconciliations } from '#src/reconciliation/read-reconciliations.ts';
import { reconcileNow } from '#src/reconciliation/run-reconciliation.ts';
import { signOff } from '#src/reconciliation/sign-off.ts';
import { BalanceReader } from '#src/statement/get-balance.ts';
import { readEntries, showEntries } from '#src/statement/list-entries.ts';
import { readLedgerRecords, readPending } from '#src/statement/statement-records.ts';
import type { TreasuryVenue } from '#src/treasury/dependencies.ts';
import { readOrders } from '#src/treasury/list-orders.ts';
import { coverByHand, readUncovered } from '#src/treasury/uncovered.ts';
import { changeVenue, readVenues } from '#src/treasury/venues.ts';
import { approveIncarnation, readLostRange } from '#src/witnesses/lost-range.ts';
import type { Witness } from '#src/witnesses/witness.ts';
import { readWriters } from '#src/writer/writer-sessions.ts';

interface RpcParts {
  readonly bus: Pick<Bus, 'manager'>;
  readonly venues: readonly TreasuryVenue[];
  readonly conversionSwitch: StoredSwitch;
  readonly keys: CheckpointKeys;
  readonly witnesses: readonly Witness[];
}

/** The requests that the ledger answers. None of them writes a balance; only commands do. */
export function rpcRoutes(
  dependencies: ConversionDependencies,
  { bus, venues, conversionSwitch, keys, witnesses }: RpcParts,
): RpcRoute[] {
  const { database, askLedger } = dependencies;
  const balances = new BalanceReader(database);
  return [
    answering(getBalance, async (request) => ({ balances: await balances.read(request) })),
    answering(listEntries, async (request) => await readEntries(database, request)),
    answering(listLinks, async (request) => await readLinks(database, request)),
    answering(showEntriesRpc, async (request) => await showEntries(database, request)),
    answering(getLedgerRecords, async (request) => await readLedgerRecords(database, request)),
    answering(getPending, async (request) => await readPending(database, request)),
    answering(getDisputeHolding, async (request) => await readDisputeHolding(database, request)),
    answering(releasePendingDeposits, async (request) => {
      await releaseAllPending(database, askLedger, request.environment, request.accountId);
      return { balances: await balances.readNow(request) };
    }),
    answering(createQuoteRpc, async (request) => await createQuote(dependencies, request)),
    answering(getQuote, async (request) => ({ quote: await readQuote(dependencies, request) })),
    answering(createConversionRpc, async (request) => await createConversion(dependencies, request)),
    answering(getConversion, async (request) => ({ conversion: await readConversion(database, request) })),
    answering(getOperatorConversion, async (request) => ({
      conversion: await readOperatorConversion(database, request),
    })),
    answering(listOperatorConversions, async (request) => await readOperatorConversions(database, request)),
    answering(listLedgerRecordEvents, (page) => readRecordEvents(database, conversionEvents, page)),
    answering(listConversions, async (request) => await readConversions(database, request)),
    answering(getConversionSwitch, async () => ({ switch: await conversionSwitch.read() })),
    answering(setConversionSwitch, async (request) => await conversionSwitch.set(request)),
    answering(runReconciliation, async () => await reconcileNow({ ...dependencies, keys })),
    answering(getProviderAccounts, async () => await readProviderAccounts(database)),
    answering(recordProviderBalances, async (request) => await storeProviderBalances(database, request)),
    answering(listUncovered, async () => await readUncovered(database)),
    answering(coverByHandRpc, async (request) => await coverByHand(database, request)),
    answering(listTreasuryOrders, async (request) => await readOrders(database, request)),
    answering(listVenues, async () => await readVenues(database, venues)),
    answering(updateVenue, async (request) => await changeVenue(database, venues, request)),
    answering(getReceipt, async (request) => await readReceipt(database, request)),
    answering(getCheckpoint, async (request) => await readCheckpoint(database, request)),
    answering(getTile, async (request) => await readTile(database, request)),
    answering(getConsistency, async (request) => await readConsistency(database, request)),
    answering(listAnchors, async (request) => await readAnchors(database, request)),
    answering(getAnchor, async (request) => await readAnchor(database, request)),
    answering(listCheckpointKeys, async () => await listKeys(keys)),
    answering(rotateCheckpointKey, async ({ replaces }) => {
      await keys.rotate(new Date(dependencies.now()), replaces);
      return await listKeys(keys);
    }),
    answering(getLostRange, async (request) => ({ range: await readLostRange({ database, witnesses }, request) })),
    answering(openIncarnation, async (request) => await approveIncarnation({ database }, request)),
    answering(getReconciliation, async (request) => await readReconciliation(database, request)),
    answering(listFindings, async (request) => await readFindings(database, request)),
    answering(noteFinding, async (request) => await writeNote(dependencies, request)),
    answering(signOffReconciliation, async (request) => await signOff(dependencies, request)),
    answering(listLedgerWriters, async () => ({ writers: await readWriters(database, bus) })),
    answering(listReconciliations, async (request) => await readReconciliations(database, request)),
  ];
}
