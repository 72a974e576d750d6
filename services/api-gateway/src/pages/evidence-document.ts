import type { FastifyInstance, FastifyRequest } from 'fastify';
import { evidenceResource, getEvidenceText } from '@gateway/contracts/deposits';
import { NotFoundError } from '@gateway/contracts/errors';
import { environmentSchema } from '@gateway/contracts/values';
import { isId } from '@gateway/money';
import { callRpc, type Bus } from '@gateway/messaging';
import type { Database } from '@gateway/persistence';
import type { LinkTokens } from '@gateway/runtime';
import { fileAnswer } from '#src/files/file-answer.ts';
import { contentOf } from '#src/files/stored-files.ts';
import type { OpenLimits } from '#src/limits/open-limits.ts';

export interface EvidenceDocumentServices {
  readonly bus: Bus;
  readonly database: Database;
  readonly linkTokens: LinkTokens;
  readonly open: OpenLimits;
}

interface DocumentRoute {
  readonly Params: { readonly id: string; readonly token: string };
}

/**
 * `GET /evidence/{id}/{token}`: a merchant's evidence as providers fetch it: a file of it, or its text as a document. The
 * signed token in its address stands for credentials; whatever is wrong with it, the answer is the same 404.
 */
export function registerEvidenceDocuments(app: FastifyInstance, services: EvidenceDocumentServices): void {
  app.get<DocumentRoute>(
    '/evidence/:id/:token',
    { onRequest: (request, reply) => services.open.admit('pictures', request, reply) },
    async (request, reply) => {
      const { id } = request.params;
      const owner = ownerOf(request, services.linkTokens);
      const { headers, body } = isId('file', id)
        ? fileAnswer(id, await contentOf(services.database, owner, id))
        : await textAnswer(services.bus, { ...owner, evidenceId: id });
      void reply.headers(headers ?? {});
      return await reply.serializer((shown: unknown) => shown as string).send(body);
    },
  );
}

async function textAnswer(bus: Bus, of: ReturnType<typeof ownerOf> & { readonly evidenceId: string }) {
  const { text, disputeId, e2eId, createdAt } = await callRpc(bus, getEvidenceText, of);
  return {
    body: `Dispute ${disputeId}\nPayment ${e2eId}\nSubmitted ${createdAt}\n\n${text}\n`,
    headers: {
      'content-type': 'text/plain; charset=utf-8',
      'content-disposition': `inline; filename="${disputeId}.txt"`,
      'cache-control': 'private, no-store',
    },
  };
}

/** @throws NotFoundError when the token is forged, of another document, or its time is up: one answer for all */
function ownerOf({ params: { id, token } }: FastifyRequest<DocumentRoute>, linkTokens: LinkTokens) {
  const isDocument = isId('request', id) || isId('file', id);
  const grant = isDocument ? linkTokens.verify(token, evidenceResource(id), new Date()) : null;
  if (!grant) throw new NotFoundError('document');
  return { environment: environmentSchema.parse(grant.environment), accountId: grant.accountId };
}
