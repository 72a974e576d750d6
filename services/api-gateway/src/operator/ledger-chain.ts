import { NotFoundError } from '@gateway/contracts/errors';
import { environmentSchema } from '@gateway/contracts/values';
import {
  approvalAnswerSchema,
  incarnationRequestSchema,
  ledgerChainResourceSchema,
  presentLedgerChain,
} from '@gateway/public-api';
import { presentApproval } from '#src/approvals/approval.ts';
import { actOf, type OperatorCall, operatorEndpoint } from '#src/operator/operator-endpoint.ts';
import { proposeIncarnation, readLostRange, type ChainName } from '#src/proposals/open-incarnation.ts';

export const ledgerChainEndpoints = [
  operatorEndpoint({
    method: 'GET',
    path: '/ops/ledger/:environment/:shard/chain',
    operation: 'getLedgerChain',
    permission: 'operations:read',
    summary: "Read the end of the ledger's hash chain, and what other services have seen of it",
    description:
      'Asks the services that keep what they have seen of the chain. While one of them has seen a link that the chain ' +
      'does not have, the ledger has lost decisions and decides nothing; neither does it while the last link is dated more ' +
      'than ten seconds in the future.',
    answers: { 200: ledgerChainResourceSchema },
    handle: async (call, { bus }) => {
      return { status: 200, body: presentLedgerChain(await readLostRange(bus, chainIn(call))) };
    },
  }),
  operatorEndpoint({
    method: 'POST',
    path: '/ops/ledger/:environment/:shard/incarnations',
    operation: 'createIncarnation',
    permission: 'money:propose',
    summary:
      'Propose that a chain which has lost its end, or ends in the future, goes on, for another operator to approve',
    description:
      'When another operator approves, the ledger writes a link that names the lost ones, and decides again: first the ' +
      'commands that it had decided before and that the broker still has. Where the last link is dated in the future, that time ' +
      'is accepted: what is decided until then has it. It is refused where nothing is lost, and the end is not in the future.',
    body: incarnationRequestSchema,
    example: { reason: 'The disk was lost; restored from the backup of this morning.' },
    answers: { 202: approvalAnswerSchema },
    refusals: ['INVALID_STATE'],
    handle: async (call, services) => {
      const approval = await proposeIncarnation(services, actOf(call), { ...chainIn(call), ...call.body });
      return { status: 202, body: { approval: presentApproval(approval) } };
    },
  }),
];

/** @throws NotFoundError */
function chainIn({ params: { environment, shard = '' } }: OperatorCall): ChainName {
  const known = environmentSchema.safeParse(environment);
  if (!known.success || !/^\d{1,4}$/.test(shard)) throw new NotFoundError('shard');
  return { environment: known.data, shard: Number(shard) };
}
