import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { messageLanguages } from '@gateway/contracts/values';
import { languageFor } from '#src/http/preferred-language.ts';
import { pagePolicy } from '#src/pages/html.ts';
import type { Language } from '#src/pages/payment-texts.ts';

export interface LinkPages {
  /** Where the pages are, on the public port. */
  readonly prefix: string;
  /** The forms the pages send: other media types are refused, and `*` accepts any. */
  readonly form: {
    readonly mediaType: string;
    readonly bytesMax: number;
    readonly read: (text: string) => unknown;
  };
  /** Request headers that an answer depends on. */
  readonly vary: string;
  /** The limit by address. @throws DomainError RATE_LIMITED */
  readonly limit: (request: FastifyRequest, reply: FastifyReply) => Promise<void>;
  readonly sendRefusal: (error: unknown, request: FastifyRequest, reply: FastifyReply) => FastifyReply;
  readonly addRoutes: (scope: FastifyInstance) => void;
}

/**
 * Registers pages that people open by a signed link in place of credentials: each call is limited by its address before
 * its body is read, and each answer carries the policy that lets a page load its own style and script alone.
 */
export function registerLinkPages(app: FastifyInstance, pages: LinkPages): void {
  const { prefix, form, vary, limit, sendRefusal, addRoutes } = pages;
  void app.register(
    (scope, _options, done) => {
      scope.removeAllContentTypeParsers();
      const options = { parseAs: 'string', bodyLimit: form.bytesMax } as const;
      scope.addContentTypeParser(form.mediaType, options, (_request, body, parsed) =>
        parsed(null, form.read(typeof body === 'string' ? body : '')),
      );
      scope.addHook('onRequest', async (request, reply) => {
        void reply.header('content-security-policy', pagePolicy).header('vary', vary);
        await limit(request, reply);
      });
      scope.setErrorHandler((error: unknown, request, reply) => sendRefusal(error, request, reply));
      addRoutes(scope);
      done();
    },
    { prefix },
  );
}

/** The language that the reader chose on the page (`?lang=`), or else likes best. */
export function languageOf({ headers, query }: FastifyRequest): Language {
  const chosen = (query as Readonly<Record<string, unknown>>).lang;
  return messageLanguages.find((language) => language === chosen) ?? languageFor(headers['accept-language']);
}

export function sendHtml(reply: FastifyReply, status: number, page: string): FastifyReply {
  return reply
    .code(status)
    .header('content-type', 'text/html; charset=utf-8')
    .serializer((body: unknown) => body as string)
    .send(page);
}
