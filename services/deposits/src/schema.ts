import { indexedSessions } from '@gateway/persistence';
import { DepositEntity } from '#src/deposit/deposit-entity.ts';
import { DisputeEntity, EvidenceEntity } from '#src/dispute/dispute-entity.ts';
import { migrations } from '#src/migrations/migrations.ts';
import { OrphanReceiptEntity } from '#src/orphan-receipts/orphan-receipt.ts';
import { PaymentEntity, TransferEntity } from '#src/payment/payment-entity.ts';
import { RefundEntity } from '#src/refund/refund-entity.ts';

/** The tables of this service, and the connections it works on them with. */
export const schema = {
  poolMax: 16,
  sessionSettings: indexedSessions,
  migrations,
  entities: [
    DepositEntity,
    TransferEntity,
    PaymentEntity,
    OrphanReceiptEntity,
    RefundEntity,
    DisputeEntity,
    EvidenceEntity,
  ],
};
