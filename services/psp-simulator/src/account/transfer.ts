import type { TransferPlan } from '#src/faults/magic.ts';

export type TransferStatus = 'CREATED' | 'PROCESSING' | 'PAID' | 'FAILED';

/** Money sent to a recipient's key. */
export interface Transfer {
  readonly id: number;
  readonly dialect: string;
  readonly reference: string;
  readonly amount: number;
  readonly destinationKey: string;
  readonly e2eId: string;
  readonly status: TransferStatus;
  readonly plan: TransferPlan;
  /** SPI code. */
  readonly failureCode: string | null;
  /** What its dialect shows again. */
  readonly details: Record<string, unknown>;
  readonly requestedAt: Date;
  readonly settledAt: Date | null;
}

export interface TransferReturn {
  readonly returnId: string;
  readonly amount: number;
  readonly returnedAt: Date;
}

export const transferColumns = `t.id, t.dialect, t.reference, t.amount, t.destination_key as "destinationKey", t.e2e_id as "e2eId",
  t.status, t.plan, t.failure_code as "failureCode", t.details, t.requested_at as "requestedAt", t.settled_at as "settledAt"`;

/** Codes of pacs.002 the simulator fails with, in the words of the Banco Central's catalogue. */
export const failureTexts: Readonly<Record<string, string>> = {
  AC03: 'Número da agência e/ou conta transacional do usuário recebedor inexistente ou inválido',
};
