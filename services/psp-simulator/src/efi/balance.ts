import { bacenDialect, type BacenBank } from '#src/bacen/bank.ts';
import { amountText } from '#src/bacen/amount.ts';
import { balanceOf } from '#src/account/balance.ts';

/** `GET /v2/gn/saldo` */
export async function getBalance({ database }: BacenBank, query: { readonly bloqueios?: string }): Promise<object> {
  const { available, blocked } = await balanceOf(database, bacenDialect);
  const bloqueios = { judicial: '0.00', med: amountText(blocked), total: amountText(blocked) };
  return { saldo: amountText(available), ...(query.bloqueios === 'true' ? { bloqueios } : {}) };
}
