import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { NotFoundError, statusOf } from '@gateway/contracts/errors';
import type { Database } from '@gateway/persistence';
import type { Logger } from '@gateway/runtime';
import { refusalOf } from '@gateway/runtime/http';
import { isPublicKey, type KeyPair } from '#src/accounts/api-key.ts';
import type { CallerDirectory } from '#src/accounts/caller-directory.ts';
import { claimKey, type ClaimLinks, claimPath, isClaimable, type KeyClaim } from '#src/accounts/claim-key.ts';
import type { OpenLimits } from '#src/limits/open-limits.ts';
import { claimTexts } from '#src/pages/claim-texts.ts';
import { documentOf, type Html, markup, renderUnavailable } from '#src/pages/html.ts';
import { languageOf, registerLinkPages, sendHtml } from '#src/pages/link-pages.ts';
import type { Language } from '#src/pages/payment-texts.ts';

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
  registerLinkPages(app, {
    prefix: claimPath,
    // The form of the button is empty, and no other body is read.
    form: { mediaType: '*', bytesMax: formBytesMax, read: () => undefined },
    vary: 'Accept, Accept-Language',
    limit: (request) => services.open.spend('keyClaims', request.ip),
    sendRefusal: (error, request, reply) => sendRefusal(error, request, reply, services.logger),
    addRoutes: (scope) => {
      scope.get<ClaimRoute>('/:publicKey/:token', async (request, reply) => {
        const claim = claimOf(request, services.links);
        if (!(await isClaimable(services.database, claim, new Date()))) throw new NotFoundError('page');
        return sendHtml(reply, 200, renderClosed(languageOf(request), claim.publicKey));
      });
      scope.post<ClaimRoute>('/:publicKey/:token', async (request, reply) => {
        const opening = { claim: claimOf(request, services.links), address: request.ip, requestId: request.id };
        const pair = await claimKey(services.database, services.directory, opening);
        if (!wantsJson(request)) return sendHtml(reply, 200, renderOpened(languageOf(request), pair));
        return reply.send({ public_key: pair.publicKey, secret_key: pair.secretKey });
      });
    },
  });
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

/** The page of a link before it is opened. Reading it does not open it: mail scanners and chats read links. */
function renderClosed(language: Language, publicKey: string): string {
  const { title, once, ready, open, publicKey: label } = claimTexts[language];
  return page(
    language,
    markup`<h1>${title}</h1><p>${label}</p><p><code>${publicKey}</code></p><p>${once}</p><p>${ready}</p>
<form method="post"><button type="submit">${open}</button></form>`,
  );
}

function renderOpened(language: Language, { publicKey, secretKey }: KeyPair): string {
  const { title, publicKey: publicLabel, secretKey: secretLabel, opened } = claimTexts[language];
  return page(
    language,
    markup`<h1>${title}</h1><p>${publicLabel}</p><p><code>${publicKey}</code></p>
<p>${secretLabel}</p><p><code>${secretKey}</code></p><p>${opened}</p>`,
  );
}

function renderGone(language: Language): string {
  const { gone, goneNote } = claimTexts[language];
  return page(language, markup`<p class="sign" aria-hidden="true">!</p><h1>${gone}</h1><p>${goneNote}</p>`);
}

function page(language: Language, body: Html): string {
  const { title } = claimTexts[language];
  return documentOf({
    language,
    title,
    body: markup`<section class="ended">${body}</section>`,
    isLive: false,
    hasScript: false,
  });
}
