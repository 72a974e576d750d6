import { getOperatorDispute, submitEvidence } from '@gateway/contracts/deposits';
import { DomainError } from '@gateway/contracts/errors';
import { type Askable, callRpc } from '@gateway/messaging';
import {
  evidenceRequestSchema,
  fileResourceSchema,
  operatorDisputeResourceSchema,
  presentOperatorDispute,
} from '@gateway/public-api';
import { auditAcross } from '#src/approvals/audit.ts';
import { fileAnswer, fileMedia } from '#src/files/file-answer.ts';
import { receiveFile, uploadBytesMax } from '#src/files/receive-file.ts';
import { attachFiles, contentOf, storeFile } from '#src/files/stored-files.ts';
import { actOf, idIn, operatorEndpoint, type OperatorCall } from '#src/operator/operator-endpoint.ts';

/** Evidence that operators submit for a merchant, and the files of evidence, which some hand over by hand. */
export const disputeEvidenceEndpoints = [
  operatorEndpoint({
    method: 'POST',
    path: '/ops/disputes/:id/files',
    operation: 'createDisputeFile',
    permission: 'operations:write',
    summary: 'Store a file for the evidence of a dispute, in the account of its merchant',
    description:
      'The body is a form (`multipart/form-data`) with one member, `file`: a PDF, PNG or JPEG file of up to 5 MiB, by its ' +
      'content, as merchants store them. Evidence that names it is submitted by `POST /ops/disputes/{id}/evidence`.',
    upload: { bytesMax: uploadBytesMax, form: true },
    answers: { 201: fileResourceSchema },
    refusals: ['LIMIT_REACHED'],
    handle: async (call, { bus, database }) => {
      const dispute = await disputeIn(call, bus);
      const received = await receiveFile(call.upload, { contentType: call.uploadType, holder: dispute.accountId });
      const change = { action: 'dispute.store-file', target: dispute.id, accountId: dispute.accountId } as const;
      const { after } = await auditAcross(database, actOf(call), change, async () => {
        return { before: null, after: await storeFile(database, dispute, received, new Date()) };
      });
      return { status: 201, body: after };
    },
  }),
  operatorEndpoint({
    method: 'GET',
    path: '/ops/disputes/:id/files/:fileId',
    operation: 'getDisputeFile',
    permission: 'pii:reveal',
    summary: 'Read the content of a file of the evidence of a dispute',
    description:
      'Answers with the bytes as they were stored, for a provider that takes no files over its interface. A person says ' +
      'why in `X-Reveal`; the read and its reason are in the audit trail before the answer.',
    answers: { 200: null },
    otherMedia: fileMedia,
    reads: 'dispute.read-file',
    handle: async (call, { bus, database }) => {
      if (call.person !== null && call.person.reveal === undefined) {
        throw new DomainError('PERMISSION_DENIED', 'a file is read with a reason: send it in X-Reveal');
      }
      const dispute = await disputeIn(call, bus);
      const { fileId = '' } = call.params;
      return fileAnswer(fileId, await contentOf(database, dispute, fileId));
    },
  }),
  operatorEndpoint({
    method: 'POST',
    path: '/ops/disputes/:id/evidence',
    operation: 'submitDisputeEvidence',
    permission: 'operations:write',
    summary: 'Submit evidence against a dispute for its merchant',
    description:
      'Hands evidence to the provider as the call of the merchant does, who sees it in the dispute; the dispute becomes ' +
      'UNDER_ANALYSIS and `med.under_analysis` is sent.',
    body: evidenceRequestSchema,
    example: { text: 'Delivered on 12 May, signed for by the payer.' },
    answers: { 200: operatorDisputeResourceSchema },
    refusals: ['INVALID_STATE'],
    handle: async (call, { bus, database }) => {
      const { environment, accountId, id } = await disputeIn(call, bus);
      const { text, urls, files } = call.body;
      const change = { action: 'dispute.submit-evidence', target: id, accountId } as const;
      const { after } = await auditAcross(database, actOf(call), change, async () => {
        const of = { environment, accountId, id };
        const before = presentOperatorDispute((await callRpc(bus, getOperatorDispute, { id })).dispute);
        const attached = await attachFiles(database, of, files ?? []);
        await callRpc(bus, submitEvidence, { ...of, text, urls: urls ?? [], files: attached });
        const { dispute } = await callRpc(bus, getOperatorDispute, { id });
        return { before, after: presentOperatorDispute(dispute) };
      });
      return { status: 200, body: after };
    },
  }),
];

/** @throws NotFoundError */
async function disputeIn(call: OperatorCall, bus: Askable) {
  return (await callRpc(bus, getOperatorDispute, { id: idIn(call, 'dispute') })).dispute;
}
