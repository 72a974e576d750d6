import { NotFoundError } from '@gateway/contracts/errors';
import { getCheckpoint, getConsistency, listCheckpointKeys } from '@gateway/contracts/ledger';
import { callRpc } from '@gateway/messaging';
import { parseCheckpoint } from '@gateway/proof';
import { consistencyQuerySchema, presentSecondKey, proofKeysSchema, receiptPendingSchema } from '@gateway/public-api';
import { idIn, merchantEndpoint, ownerOf } from '#src/merchant/merchant-endpoint.ts';
import { answerReceipt, receiptMedia, textAnswer } from '#src/statements/receipt-answer.ts';

/** Of each environment, until merchants are spread over several. */
const shard = 0;

export const proofEndpoints = [
  merchantEndpoint({
    method: 'GET',
    path: '/v1/transactions/:id/receipt',
    operation: 'getTransactionReceipt',
    summary: 'Read the receipt of a ledger entry, which anybody can verify without us',
    description:
      'Answers with a file of text (C2SP tlog-proof): the entry as the ledger booked it, and the proof that it is in the ' +
      'ledger that we have signed. The programs in `examples/verify-receipt` verify it offline. Until the next ' +
      'checkpoint, for at most a minute, it answers 202 with `Retry-After`.',
    answers: { 200: null, 202: receiptPendingSchema },
    otherMedia: receiptMedia,
    handle: async (call, { bus }) => await answerReceipt(bus, ownerOf(call), idIn(call, 'ledgerEntry')),
  }),
  merchantEndpoint({
    method: 'GET',
    path: '/v1/proof/keys',
    operation: 'listProofKeys',
    summary: 'List the public keys with which receipts are verified',
    description:
      'Answers with the keys of the environment of the call, the oldest first. Compare the first one with what you were ' +
      'given on paper at onboarding, and keep it: a key that comes with the receipts shows nothing. Each later key is ' +
      'endorsed by the one before it. Beside each there is a second one, by which every checkpoint is signed too: ML-DSA-44, for ' +
      'programs that know it. The others pass over its signatures. It is endorsed by the second one before it as well.',
    answers: { 200: proofKeysSchema },
    handle: async (call, { bus }) => {
      const { environment } = ownerOf(call);
      const { keys } = await callRpc(bus, listCheckpointKeys, {});
      const own = keys.filter((key) => key.environment === environment && key.shard === shard);
      const data = own.map(({ text, createdAt, retiredAt, endorsement, second }) => ({
        ...{ key: text, created_at: createdAt, retired_at: retiredAt, endorsement },
        second_key: presentSecondKey(second),
      }));
      return { status: 200, body: { data } };
    },
  }),
  merchantEndpoint({
    method: 'GET',
    path: '/v1/proof/consistency',
    operation: 'getProofConsistency',
    summary: 'Read the proof that the ledger only grew since a checkpoint you have',
    description:
      'Answers with a file of text: the newest checkpoint, and the hashes that show that its ledger begins with the whole ' +
      'ledger of the older one (RFC 9162). Give it to `examples/verify-receipt` beside a receipt with the older checkpoint.',
    refusals: ['NOT_FOUND'],
    query: consistencyQuerySchema,
    answers: { 200: null },
    otherMedia: receiptMedia,
    handle: async (call, { bus }) => {
      const { environment } = ownerOf(call);
      const { from } = call.query;
      const { checkpoint } = await callRpc(bus, getCheckpoint, { environment, shard });
      if (checkpoint === null) throw new NotFoundError('checkpoint');
      const { size: to } = parseCheckpoint(checkpoint);
      // No checkpoint of that size is known: either there never was one, or the ledger has lost its end.
      if (from > to) throw new NotFoundError('checkpoint');
      const { hashes } = await callRpc(bus, getConsistency, { environment, shard, from, to });
      const text = [`old ${from}`, ...hashes, '', checkpoint].join('\n');
      return textAnswer(text, `consistency-${from}-${to}.txt`);
    },
  }),
];
