import { submitEvidence } from '@gateway/contracts/deposits';
import { answering, type RpcRoute } from '@gateway/messaging';
import { dispute, type OperationTable, type WhenAsked } from './changing-services.ts';
import { pdfOf } from './evidence-files.ts';
import type { GatewayUnderTest } from './start-gateway.ts';

/** Deposits that take the evidence of a dispute. */
export function takingEvidence(whenAsked: WhenAsked): RpcRoute[] {
  return [
    answering(submitEvidence, async () => {
      await whenAsked();
      return { dispute };
    }),
  ];
}

/** Deposits hand the evidence on; the gateway keeps the files. */
export const evidenceOperations: OperationTable = {
  'POST /ops/disputes/:id/evidence': () => ({
    ...{ path: `/ops/disputes/${dispute.id}/evidence`, body: { text: 'signed for by the payer' } },
    ...{ action: 'dispute.submit-evidence', before: { id: dispute.id }, after: { id: dispute.id } },
  }),
};
export const fileOperations: OperationTable = {
  'POST /ops/disputes/:id/files': async (gateway) => {
    await openAccountOfDispute(gateway);
    const part = 'content-disposition: form-data; name="file"; filename="receipt.pdf"\r\ncontent-type: application/pdf';
    return {
      path: `/ops/disputes/${dispute.id}/files`,
      headers: { 'content-type': 'multipart/form-data; boundary=part' },
      body: `--part\r\n${part}\r\n\r\n${pdfOf().toString('latin1')}\r\n--part--\r\n`,
      ...{ action: 'dispute.store-file', before: null, after: { name: 'receipt.pdf' } },
    };
  },
};

/** The account whose dispute deposits answer with is one of the gateway's. */
async function openAccountOfDispute(gateway: GatewayUnderTest): Promise<void> {
  const { id } = await gateway.newAccount();
  await gateway.database.query(
    `insert into account
     select (jsonb_populate_record(account, jsonb_build_object('id', $2::text))).* from account where id = $1
     on conflict do nothing`,
    [id, dispute.accountId],
  );
}
