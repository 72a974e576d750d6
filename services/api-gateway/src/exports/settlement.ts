import type { RequestOf } from '@gateway/contracts/messages';
import { getBalance, ledgerEntryTypeSchema } from '@gateway/contracts/ledger';
import { listDisputes } from '@gateway/contracts/deposits';
import { callRpc, type Askable } from '@gateway/messaging';
import { ZoneClock } from '@gateway/public-api';
import { signedDecimal, type WrittenMovement } from '@gateway/statement-files/write';
import type { ExportEntity } from '#src/exports/export.ts';
import type { Progress, SumsByDay, TypeSums } from '#src/exports/progress.ts';
import type { ExportSources } from '#src/exports/read-movements.ts';

const noSums: TypeSums = { count: 0, gross: 0, fee: 0, net: 0, isExact: true };
const pageDisputes = 200;
const msPerDay = 86_400_000;

/** The sums of each day and type, with a page of movements. */
export function sumsAfter(before: SumsByDay, movements: readonly WrittenMovement[], zone: string): SumsByDay {
  const clock = new ZoneClock(zone);
  const days: Record<string, SumsByDay[string]> = { ...before };
  for (const { bookedAtMs, type, gross, fee, net } of movements) {
    const day = clock.dateOf(bookedAtMs);
    const sums = days[day]?.[type] ?? noSums;
    const added = {
      count: sums.count + 1,
      gross: sums.gross + (gross ?? 0),
      fee: sums.fee + (fee ?? 0),
      net: sums.net + net,
      isExact: sums.isExact && gross !== null,
    };
    days[day] = { ...days[day], [type]: added };
  }
  return days;
}

/**
 * The report as CSV: for each day the opening balance, a line per type, and the closing balance; at the end what is
 * beside the available balance at the moment of the report, since it has no entries.
 */
export async function settlementText({ bus }: ExportSources, row: ExportEntity, progress: Progress): Promise<string> {
  const { currency } = row;
  const decimal = (amount: number) => signedDecimal(amount, currency);
  const lines = ['local_date,line,count,currency,gross,fee,net,balance'];
  let balance = progress.opening ?? 0;
  for (const day of daysOf(row)) {
    lines.push(`${day},OPENING,,${currency},,,,${decimal(balance)}`);
    for (const type of ledgerEntryTypeSchema.options) {
      const sums = progress.sums[day]?.[type];
      if (!sums) continue;
      balance += sums.net;
      const parts = sums.isExact ? `${decimal(sums.gross)},${decimal(sums.fee)}` : ',';
      lines.push(`${day},${type},${sums.count},${currency},${parts},${decimal(sums.net)},`);
    }
    lines.push(`${day},CLOSING,,${currency},,,,${decimal(balance)}`);
  }
  const { pending, blocked, shortfall } = await readBeside(bus, row);
  lines.push(`,PENDING,,${currency},,,,${pending === null ? '' : decimal(pending)}`);
  lines.push(`,BLOCKED,,${currency},,,,${blocked === null ? '' : decimal(blocked)}`);
  lines.push(`,SHORTFALL,,${currency},,,,${decimal(shortfall)}`);
  return `${lines.join('\r\n')}\r\n`;
}

function daysOf({ fromDate, toDate }: ExportEntity): string[] {
  const days = [];
  for (let atMs = Date.parse(fromDate); atMs <= Date.parse(toDate); atMs += msPerDay) {
    days.push(new Date(atMs).toISOString().slice(0, 10));
  }
  return days;
}

/** What waits, what is blocked, and what open disputes still take from later credits. */
async function readBeside(bus: Askable, { environment, accountId, currency }: ExportEntity) {
  const owner = { environment, accountId };
  const { balances } = await callRpc(bus, getBalance, owner);
  const { pending = 0, blocked = 0 } = balances.find((balance) => balance.currency === currency) ?? {};
  let shortfall = 0;
  for (const status of ['OPEN', 'UNDER_ANALYSIS'] as const) {
    let cursor: string | undefined;
    do {
      const request: RequestOf<typeof listDisputes> = { ...owner, status, cursor, limit: pageDisputes };
      const { disputes, nextCursor } = await callRpc(bus, listDisputes, request);
      const short = disputes.filter((dispute) => dispute.currency === currency);
      for (const { amount, blocked: held, returned } of short) shortfall += amount - held - returned;
      cursor = nextCursor ?? undefined;
    } while (cursor !== undefined);
  }
  return { pending, blocked, shortfall };
}
