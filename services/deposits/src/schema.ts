import { DepositEntity } from '#src/deposit/deposit-entity.ts';
import { DisputeEntity, EvidenceEntity } from '#src/dispute/dispute-entity.ts';
import { migrations } from '#src/migrations/migrations.ts';
import { OrphanReceiptEntity } from '#src/orphan-receipts/orphan-receipt.ts';
import { PaymentEntity, TransferEntity } from '#src/payment/payment-entity.ts';
import { RefundEntity } from '#src/refund/refund-entity.ts';

/**
 * Prepared statements keep the plan they were given while their tables were young. Each of them finds its rows one by one
 * through an index, and must not begin with the whole table because that was small then.
 */
const sessionSettings = { enable_seqscan: 'off', enable_hashjoin: 'off', enable_mergejoin: 'off' } as const;

/** The tables of this service, and the connections it works on them with. */
export const schema = {
  poolMax: 16,
  sessionSettings,
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
