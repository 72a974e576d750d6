import { getDepositRecords, listDisputes } from '@gateway/contracts/deposits';
import { DomainError } from '@gateway/contracts/errors';
import {
  getBalance,
  getCheckpoint,
  getLedgerRecords,
  getReceipt,
  listEntries,
  type LedgerEntry,
} from '@gateway/contracts/ledger';
import { getPayoutRecords } from '@gateway/contracts/payouts';
import { answering, type RpcRoute } from '@gateway/messaging';
import { idLowerBound, idSequence, idTimeMs, newId, type Currency } from '@gateway/money';

interface Movement {
  readonly at: string;
  readonly type: LedgerEntry['type'];
  readonly refType: LedgerEntry['refType'];
  readonly refId?: string;
  readonly amount: number;
  readonly currency?: Currency;
}

/** The entries of accounts as the ledger would answer them, which a test writes as it needs them. */
export class StatementLedger {
  readonly entries: LedgerEntry[] = [];
  /** Pages are answered until so many were. */
  pagesMax = Infinity;
  pages = 0;
  /** Entries with this id and those behind it are in no checkpoint yet. */
  unsignedFrom = 'led_~';
  /** The id of an entry that no list has, though its balance was left. */
  unlisted = '';
  /** Every second answer about a balance of the past is another one than the first. */
  wavers = false;
  readonly #asked = new Map<number, number>();
  /** What is answered beyond them. */
  refusal: 'SERVICE_UNAVAILABLE' | 'INTERNAL_ERROR' = 'SERVICE_UNAVAILABLE';

  /** In the order of their times. */
  add(accountId: string, movements: readonly Movement[]): void {
    const next = idSequence('ledgerEntry');
    for (const { at, type, refType, refId = newId('deposit'), amount, currency = 'BRL' } of movements) {
      const place = { environment: 'test' as const, accountId, currency };
      const before = this.#balanceBefore(accountId, currency, 'led_~');
      const id = next(Date.parse(at));
      const createdAt = Math.floor(idTimeMs(id) / 1_000);
      this.entries.push({ ...place, id, type, amount, refType, refId, balanceAfter: before + amount, createdAt });
    }
  }

  #balanceBefore(accountId: string, currency: Currency, bound: string): number {
    return this.#of(accountId, currency).findLast(({ id }) => id < bound)?.balanceAfter ?? 0;
  }

  #of(accountId: string, currency?: Currency) {
    return this.entries.filter(
      (entry) => entry.accountId === accountId && (currency === undefined || entry.currency === currency),
    );
  }

  /** The records behind them have a reference and an end-to-end id that follow from their ids. */
  routes(): RpcRoute[] {
    const recordOf = (id: string) => ({ id, externalId: `ref-${id.slice(-6)}`, e2eId: `E${id}`, counterparty: null });
    return [
      answering(getBalance, async ({ accountId, at }) => {
        const bound = at === undefined ? 'led_~' : idLowerBound('ledgerEntry', (at + 1) * 1_000);
        const known = at === undefined ? { pending: 700, blocked: 300 } : { pending: null, blocked: null };
        const times = (this.#asked.get(at ?? 0) ?? 0) + 1;
        this.#asked.set(at ?? 0, times);
        const more = this.wavers && times % 2 === 0 ? 1 : 0;
        const used = [...new Set(this.#of(accountId).map(({ currency }) => currency))];
        const of = (currency: Currency) => ({
          currency,
          available: this.#balanceBefore(accountId, currency, bound) + more,
        });
        return { balances: used.map((currency) => ({ ...of(currency), ...known })) };
      }),
      answering(listEntries, async ({ accountId, currency, from = 0, to = 1e11, cursor = '', limit }) => {
        if (this.pages >= this.pagesMax) throw new DomainError(this.refusal, 'the ledger is away');
        this.pages += 1;
        const [low, high] = [idLowerBound('ledgerEntry', from * 1_000), idLowerBound('ledgerEntry', to * 1_000)];
        const listed = this.#of(accountId, currency).filter(({ id }) => id !== this.unlisted);
        const found = listed.filter(({ id }) => id >= low && id < high && id > cursor);
        const page = found.slice(0, limit);
        return { entries: page, nextCursor: found.length > limit ? page.at(-1)!.id : null };
      }),
      answering(getDepositRecords, async ({ ids }) => ({ records: ids.map(recordOf) })),
      answering(getPayoutRecords, async ({ ids }) => ({ records: ids.map(recordOf) })),
      answering(getLedgerRecords, async ({ accountId, ids }) => {
        const credited = this.#of(accountId).filter(({ type, refId }) => type === 'DEPOSIT_NET' && ids.includes(refId));
        const credits = credited.map(({ refId, amount }) => ({ depositId: refId, amount: amount + 150, fee: 150 }));
        return { records: [], credits };
      }),
      answering(getCheckpoint, async ({ environment, shard }) => ({ checkpoint: `${environment}.${shard}` })),
      answering(getReceipt, async ({ environment, entryId }) => {
        const proof = { link: '', index: 0, hashes: [], checkpoint: `${environment}.0 with ${entryId}` };
        return { receipt: entryId >= this.unsignedFrom ? null : proof };
      }),
      answering(listDisputes, async () => ({ disputes: [], nextCursor: null })),
    ];
  }
}
