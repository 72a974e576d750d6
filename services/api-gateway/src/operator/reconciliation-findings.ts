import { NotFoundError } from '@gateway/contracts/errors';
import {
  findingIdSchema,
  listFindings,
  noteFinding,
  type ReconciliationCheck,
  reconciliationCheckSchema,
} from '@gateway/contracts/ledger';
import { callRpc } from '@gateway/messaging';
import {
  approvalAnswerSchema,
  findingNoteRequestSchema,
  findingResourceSchema,
  findingsQuerySchema,
  presentFinding,
  reconciliationResourceSchema,
  signOffRequestSchema,
} from '@gateway/public-api';
import { presentApproval } from '#src/approvals/approval.ts';
import { auditAcross } from '#src/approvals/audit.ts';
import { presentWithLines } from '#src/operator/lines-of-findings.ts';
import { actOf, idIn, operatorEndpoint, type OperatorCall } from '#src/operator/operator-endpoint.ts';
import { operatorList } from '#src/operator/operator-list.ts';
import { signOffOrPropose } from '#src/proposals/sign-off-reconciliation.ts';

export const reconciliationFindingEndpoints = [
  operatorList({
    path: '/ops/reconciliations/:id/checks/:name/findings',
    operation: 'listFindings',
    permission: 'operations:read',
    summary: 'List what a check of a reconciliation found, one by one',
    description:
      'Answers with the findings of a check in its order, those of live first: what each is about, what follows from the ' +
      'rows and what is there instead, and, of a live record, the line of the statement in which it is. The first 1,000 of an ' +
      'environment are kept.',
    query: findingsQuerySchema,
    name: 'findings',
    schema: findingResourceSchema,
    page: async (call, { bus }, page) => {
      const { environment } = call.query;
      const { findings, nextCursor } = await callRpc(bus, listFindings, { ...checkIn(call), environment, ...page });
      return { data: await presentWithLines(bus, findings), nextCursor };
    },
  }),
  operatorEndpoint({
    method: 'POST',
    path: '/ops/reconciliations/:id/checks/:name/findings/:finding/note',
    operation: 'setFindingNote',
    permission: 'operations:write',
    summary: 'Write beside a finding what was found out about it',
    description: 'The note is kept with the finding, under the name of its author. It takes the place of a former one.',
    body: findingNoteRequestSchema,
    example: { note: 'asked the provider, who corrects it tomorrow' },
    answers: { 200: findingResourceSchema },
    handle: async (call, { bus, database }) => {
      const { id, name } = checkIn(call);
      const finding = findingIn(call);
      const change = { action: 'reconciliation.note', target: id } as const;
      const { after } = await auditAcross(database, actOf(call), change, async () => {
        const wanted = { id, name, finding, note: call.body.note, by: call.operator };
        const noted = await callRpc(bus, noteFinding, wanted);
        return { before: presentFinding(noted.before), after: presentFinding(noted.after) };
      });
      return { status: 200, body: after };
    },
  }),
  operatorEndpoint({
    method: 'POST',
    path: '/ops/reconciliations/:id/sign-off',
    operation: 'confirmReconciliation',
    permission: ['operations:write', 'money:propose'],
    summary: 'Answer for a reconciliation: at once where everything agrees, else by two operators',
    description:
      'Writes down who answers for a reconciliation, and why. It changes nothing of what was found. One with a difference is ' +
      'answered 202 and proposed for another operator. It is signed off once.',
    body: signOffRequestSchema,
    example: { reason: 'the bank corrects it tomorrow, by its support' },
    answers: { 200: reconciliationResourceSchema, 202: approvalAnswerSchema },
    refusals: ['INVALID_STATE'],
    handle: async (call, services) => {
      const id = idIn(call, 'reconciliation');
      const signed = await signOffOrPropose(services, actOf(call), id, call.body.reason);
      if ('reconciliation' in signed) return { status: 200, body: signed.reconciliation };
      return { status: 202, body: { approval: presentApproval(signed.approval) } };
    },
  }),
];

/** @throws NotFoundError for what is no check of a reconciliation */
function checkIn(call: OperatorCall): { readonly id: string; readonly name: ReconciliationCheck['name'] } {
  const name = reconciliationCheckSchema.shape.name.safeParse(call.params['name']);
  if (!name.success) throw new NotFoundError('check');
  return { id: idIn(call, 'reconciliation'), name: name.data };
}

function findingIn({ params: { finding } }: OperatorCall): string {
  const id = findingIdSchema.safeParse(finding);
  if (!id.success) throw new NotFoundError('finding');
  return id.data;
}
