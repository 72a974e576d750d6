import type { Caller } from '@gateway/contracts/accounts';
import { getBalance, type KnownBalance } from '@gateway/contracts/ledger';
import { currencies, decimalNumber, type Currency, type DecimalNumber } from '@gateway/money';
import { callRpc } from '@gateway/messaging';
import type { Facade } from '#src/facade.ts';

/** The connector's view of the balance (spec 4.1, api.md 4): decimals in BRL, the last one in USDT. */
export interface ConnectorBalance {
  /** available + pending + blocked. */
  readonly accountBalance: DecimalNumber;
  /** Held because of disputes. */
  readonly precautionaryBlocking: DecimalNumber;
  readonly availableBalance: DecimalNumber;
  readonly availableBalanceUsdt: DecimalNumber;
}

export async function readBalance({ bus, rpcTimeoutMs }: Facade, caller: Caller): Promise<ConnectorBalance> {
  const request = { environment: caller.environment, accountId: caller.account.id };
  const { balances } = await callRpc(bus, getBalance, request, { timeoutMs: rpcTimeoutMs });
  const brl = bucketsOf(balances, 'BRL');
  const usdt = bucketsOf(balances, 'USDT');
  return {
    accountBalance: decimalNumber(brl.available + brl.pending + brl.blocked, currencies.BRL),
    precautionaryBlocking: decimalNumber(brl.blocked, currencies.BRL),
    availableBalance: decimalNumber(brl.available, currencies.BRL),
    availableBalanceUsdt: decimalNumber(usdt.available, currencies.USDT),
  };
}

/** A currency the account has never operated has no row; of now everything is known. */
function bucketsOf(balances: readonly KnownBalance[], currency: Currency) {
  const { available = 0, pending = 0, blocked = 0 } = balances.find((each) => each.currency === currency) ?? {};
  return { available: BigInt(available), pending: BigInt(pending ?? 0), blocked: BigInt(blocked ?? 0) };
}
