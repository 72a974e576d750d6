import type { Bank } from '#src/bank/bank.ts';

/** What the operations of the BACEN and Efí dialect work with. */
export interface BacenBank extends Bank {
  readonly client: { readonly id: string; readonly secret: string };
}

/** Under which charges and transfers of this dialect are kept. */
export const bacenDialect = 'bacen';
