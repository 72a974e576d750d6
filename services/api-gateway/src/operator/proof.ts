import { NotFoundError } from '@gateway/contracts/errors';
import {
  anchorTargets,
  getAnchor,
  getCheckpoint,
  getConsistency,
  getTile,
  listAnchors,
  listCheckpointKeys,
} from '@gateway/contracts/ledger';
import { environmentSchema } from '@gateway/contracts/values';
import { callRpc } from '@gateway/messaging';
import {
  anchorAfter,
  anchorEvidenceResourceSchema,
  anchorResourceSchema,
  anchorsQuerySchema,
  approvalAnswerSchema,
  checkpointKeysResourceSchema,
  checkpointResourceSchema,
  treesQuerySchema,
  consistencyResourceSchema,
  decisionRequestSchema,
  presentAnchor,
  presentAnchorEvidence,
  presentKeys,
  presentTile,
  tileResourceSchema,
} from '@gateway/public-api';
import { presentApproval } from '#src/approvals/approval.ts';
import { actOf, operatorEndpoint, type OperatorCall } from '#src/operator/operator-endpoint.ts';
import { operatorList } from '#src/operator/operator-list.ts';
import { proposeKeyRotation } from '#src/proposals/rotate-checkpoint-key.ts';

export const proofEndpoints = [
  operatorEndpoint({
    method: 'GET',
    path: '/ops/proof/:environment/:shard/checkpoint',
    operation: 'getCheckpoint',
    permission: 'operations:read',
    summary: "Read the newest signed checkpoint of the ledger's tree",
    description:
      'Answers with the newest signed checkpoint of one environment and shard. It states how much the ledger has decided, ' +
      'and the root over all of it; a checkpoint that was kept elsewhere shows later whether the past was changed.',
    answers: { 200: checkpointResourceSchema },
    handle: async (call, { bus }) => {
      const { checkpoint } = await callRpc(bus, getCheckpoint, shardIn(call));
      if (checkpoint === null) throw new NotFoundError('checkpoint');
      return { status: 200, body: { object: 'checkpoint', checkpoint } };
    },
  }),
  operatorEndpoint({
    method: 'GET',
    path: '/ops/proof/:environment/:shard/tile/:level/:index',
    operation: 'getTile',
    permission: 'operations:read',
    summary: "Read a tile of the ledger's tree",
    description: 'Answers with up to 256 hashes of one level of the tree, of which any proof can be computed.',
    answers: { 200: tileResourceSchema },
    handle: async (call, { bus }) => {
      const { level = '', index = '' } = call.params;
      const place = {
        level: numberIn(level, levelMax, 'tile'),
        index: numberIn(index, Number.MAX_SAFE_INTEGER, 'tile'),
      };
      return { status: 200, body: presentTile(await callRpc(bus, getTile, { ...shardIn(call), ...place })) };
    },
  }),
  operatorEndpoint({
    method: 'GET',
    path: '/ops/proof/:environment/:shard/consistency',
    operation: 'getConsistency',
    permission: 'operations:read',
    summary: "Read the proof that the ledger's tree only grew from one size to another",
    description:
      'Answers with the hashes that prove that the tree of the size `to` begins with the whole tree of the size `from`.',
    query: treesQuerySchema,
    answers: { 200: consistencyResourceSchema },
    handle: async (call, { bus }) => {
      const { hashes } = await callRpc(bus, getConsistency, { ...shardIn(call), ...call.query });
      return { status: 200, body: { object: 'consistency', hashes } };
    },
  }),
  operatorList({
    path: '/ops/proof/:environment/:shard/anchors',
    operation: 'listAnchors',
    permission: 'operations:read',
    summary: 'List the checkpoints that are kept outside, largest first',
    description:
      'Answers with the signed checkpoints of one environment and shard that are kept at the configured places outside, or ' +
      'wait for it. What was answered, a token or a cosignature, is read one by one.',
    query: anchorsQuerySchema,
    name: 'anchors',
    schema: anchorResourceSchema,
    page: async ({ params, query: { target, status } }, { bus }, { limit, cursor }) => {
      const isKept = status === undefined ? undefined : status === 'KEPT';
      const request = { ...shardIn({ params }), target, isKept, limit, after: anchorAfter(cursor) };
      const { anchors, isLast } = await callRpc(bus, listAnchors, request);
      const data = anchors.map(presentAnchor);
      return { data, nextCursor: isLast ? null : (data.at(-1)?.id ?? null) };
    },
  }),
  operatorEndpoint({
    method: 'GET',
    path: '/ops/proof/:environment/:shard/anchors/:size/:target',
    operation: 'getAnchor',
    permission: 'operations:read',
    summary: 'Read a checkpoint that is kept outside, with the evidence for it',
    description:
      'Answers with the signed checkpoint and with what was answered for it, in base64: the token of a time stamping ' +
      'authority (RFC 3161), or the line of a witness. An auditor verifies both without the gateway.',
    answers: { 200: anchorEvidenceResourceSchema },
    handle: async (call, { bus }) => {
      const { size = '', target: name } = call.params;
      const target = anchorTargets.find((one) => one === name);
      if (target === undefined) throw new NotFoundError('anchor');
      const place = { ...shardIn(call), size: numberIn(size, Number.MAX_SAFE_INTEGER, 'anchor'), target };
      return { status: 200, body: presentAnchorEvidence(await callRpc(bus, getAnchor, place)) };
    },
  }),
  operatorEndpoint({
    method: 'GET',
    path: '/ops/proof/keys',
    operation: 'listCheckpointKeys',
    permission: 'operations:read',
    summary: 'List the keys with which checkpoints are signed',
    description: 'Answers with the public keys of every shard, the oldest first, each endorsed by the one before it.',
    answers: { 200: checkpointKeysResourceSchema },
    handle: async (_call, { bus }) => ({ status: 200, body: presentKeys(await callRpc(bus, listCheckpointKeys, {})) }),
  }),
  operatorEndpoint({
    method: 'POST',
    path: '/ops/proof/keys',
    operation: 'rotateCheckpointKey',
    permission: 'money:propose',
    summary: 'Propose that the key with which checkpoints are signed is replaced, for another operator to approve',
    description:
      'When another operator approves, the ledger makes a new key for checkpoints. The one before it signs the new one and ' +
      'is forgotten; what it signed stays valid.',
    body: decisionRequestSchema,
    bodyOptional: true,
    example: { reason: 'the key is a year old' },
    answers: { 202: approvalAnswerSchema },
    handle: async (call, services) => {
      const approval = await proposeKeyRotation(services, actOf(call), call.body?.reason ?? null);
      return { status: 202, body: { approval: presentApproval(approval) } };
    },
  }),
];

/** More levels than a tree of 2^48 results has. */
const levelMax = 5;
const shardMax = 32_767;

/** @throws NotFoundError when the path names no environment, or no number */
function shardIn({ params }: Pick<OperatorCall, 'params'>) {
  const environment = environmentSchema.safeParse(params['environment']);
  if (!environment.success) throw new NotFoundError('shard');
  return { environment: environment.data, shard: numberIn(params['shard'] ?? '', shardMax, 'shard') };
}

function numberIn(text: string, max: number, what: string): number {
  const number = Number(text);
  if (!/^(?:0|[1-9][0-9]{0,15})$/.test(text) || number > max) throw new NotFoundError(what);
  return number;
}
