import type { FastifyInstance, FastifyRequest } from 'fastify';
import { evidenceResource, getEvidenceText } from '@gateway/contracts/deposits';
import { NotFoundError } from '@gateway/contracts/errors';
import { environmentSchema } from '@gateway/contracts/values';
import { isId } from '@gateway/money';
import { callRpc, type Bus } from '@gateway/messaging';
import type { LinkTokens } from '@gateway/runtime';
import type { OpenLimits } from '#src/limits/open-limits.ts';

export interface EvidenceDocumentServices {
  readonly bus: Bus;
  readonly linkTokens: LinkTokens;
  readonly open: OpenLimits;
}

interface DocumentRoute {
  readonly Params: { readonly id: string; readonly token: string };
}

/**
 * `GET /evidence/{id}/{token}`: the text of a merchant's evidence as a document, for providers that fetch documents and
 * take no text. The signed token in its address stands for credentials; whatever is wrong with it, the answer is the
 * same 404.
 */
export function registerEvidenceDocument(
  app: FastifyInstance,
  { bus, linkTokens, open }: EvidenceDocumentServices,
): void {
  app.get<DocumentRoute>(
    '/evidence/:id/:token',
    { onRequest: (request, reply) => open.admit('pictures', request, reply) },
    async (request, reply) => {
      const { text, disputeId, e2eId, createdAt } = await callRpc(bus, getEvidenceText, ownerOf(request, linkTokens));
      const document = `Dispute ${disputeId}\nPayment ${e2eId}\nSubmitted ${createdAt}\n\n${text}\n`;
      return await reply
        .header('content-type', 'text/plain; charset=utf-8')
        .header('content-disposition', `inline; filename="${disputeId}.txt"`)
        .header('cache-control', 'private, no-store')
        .serializer((body: unknown) => body as string)
        .send(document);
    },
  );
}

/** @throws NotFoundError when the token is forged, of another document, or its time is up: one answer for all */
function ownerOf({ params: { id, token } }: FastifyRequest<DocumentRoute>, linkTokens: LinkTokens) {
  const grant = isId('request', id) ? linkTokens.verify(token, evidenceResource(id), new Date()) : null;
  if (!grant) throw new NotFoundError('document');
  const environment = environmentSchema.parse(grant.environment);
  return { environment, accountId: grant.accountId, evidenceId: id };
}
