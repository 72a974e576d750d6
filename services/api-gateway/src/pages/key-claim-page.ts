import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { NotFoundError, statusOf } from '@gateway/contracts/errors';
import type { Database } from '@gateway/persistence';
import type { Logger } from '@gateway/runtime';
import { refusalOf } from '@gateway/runtime/http';
import { renderClosed, renderGone, renderOpened } from '#src/pages/render-claim.ts';
import { claimKey, isClaimable } from '#src/keys/claim-key.ts';
import type { CallerDirectory } from '#src/keys/caller-directory.ts';
import { claimPath, type ClaimLinks, type KeyClaim } from '#src/keys/claim-links.ts';
import { isPublicKey } from '#src/keys/key-pair.ts';
import type { OpenLimits } from '#src/limits/open-limits.ts';
import { pagePolicy } from '#src/pages/document.ts';
import { renderUnavailable } from '#src/pages/render-notice.ts';
import { languageFor } from '#src/pages/payment-texts.ts';

export interface KeyClaimServices {
  readonly database: Database;
  readonly directory: CallerDirectory;
  readonly links: ClaimLinks;
  readonly logger: Logger;
  readonly open: OpenLimits;
}

const formBytesMax = 1_024;

interface ClaimRoute {
  readonly Params: { readonly publicKey: string; readonly token: string };
}

/**
 * The link by which a merchant fetches the secret of a live key: looking at it shows a button, and pressing that opens it.
 * Code may do the same: POST with `Accept: application/json`. Whatever is wrong with a link, the answer is one 404.
 */
export function registerKeyClaims(app: FastifyInstance, services: KeyClaimServices): void {
  void app.register(
    (scope, _options, done) => {
      scope.removeAllContentTypeParsers();
      // The button's form is empty, and nothing else is looked at.
      const ignored = { parseAs: 'string', bodyLimit: formBytesMax } as const;
      scope.addContentTypeParser('*', ignored, (_request, _body, parsed) => parsed(null));
      scope.addHook('onRequest', async (request, reply) => {
        void reply.header('content-security-policy', pagePolicy).header('vary', 'Accept, Accept-Language');
        await services.open.spend('keyClaims', request.ip);
      });
      scope.setErrorHandler((error: unknown, request, reply) => sendRefusal(error, request, reply, services.logger));
      const schema = { hide: true };
      scope.get<ClaimRoute>('/:publicKey/:token', { schema }, async (request, reply) => {
        const claim = claimOf(request, services.links);
        if (!(await isClaimable(services.database, claim, new Date()))) throw new NotFoundError('page');
        return sendHtml(reply, 200, renderClosed(languageOf(request), claim.publicKey));
      });
      scope.post<ClaimRoute>('/:publicKey/:token', { schema }, async (request, reply) => {
        const opening = { claim: claimOf(request, services.links), address: request.ip, requestId: request.id };
        const pair = await claimKey(services.database, services.directory, opening);
        if (!wantsJson(request)) return sendHtml(reply, 200, renderOpened(languageOf(request), pair));
        return reply.send({ public_key: pair.publicKey, secret_key: pair.secretKey });
      });
      done();
    },
    { prefix: claimPath },
  );
}

/** @throws NotFoundError */
function claimOf({ params: { publicKey, token } }: FastifyRequest<ClaimRoute>, links: ClaimLinks): KeyClaim {
  const claim = isPublicKey(publicKey) ? links.read(publicKey, token, new Date()) : null;
  if (!claim) throw new NotFoundError('page');
  return claim;
}

function sendRefusal(error: unknown, request: FastifyRequest, reply: FastifyReply, logger: Logger) {
  const refusal = refusalOf(error);
  const status = statusOf(refusal.code);
  if (refusal.code === 'INTERNAL_ERROR') logger.error({ err: error, reqId: request.id }, 'a key cannot be claimed');
  if (refusal.code === 'RATE_LIMITED') void reply.header('retry-after', refusal.retryAfterSec ?? 1);
  if (wantsJson(request)) {
    const { code, message } = status < 500 ? refusal : { code: 'SERVICE_UNAVAILABLE', message: 'try again later' };
    return reply.code(status).send({ error: { code, message, request_id: request.id } });
  }
  const language = languageOf(request);
  return sendHtml(reply, status, status === 404 ? renderGone(language) : renderUnavailable(language));
}

function wantsJson({ headers: { accept } }: FastifyRequest): boolean {
  return accept?.includes('application/json') === true && !accept.includes('text/html');
}

function languageOf({ headers }: FastifyRequest) {
  return languageFor(headers['accept-language']);
}

function sendHtml(reply: FastifyReply, status: number, page: string) {
  return reply
    .code(status)
    .header('content-type', 'text/html; charset=utf-8')
    .serializer((body: unknown) => body as string)
    .send(page);
}
