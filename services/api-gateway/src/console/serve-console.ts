import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { NotFoundError } from '@gateway/contracts/errors';
import { type ConsoleAsset, type ConsoleFiles, contentCodings } from '#src/console/read-console-files.ts';
import { sendTagged } from '#src/http/entity-tag.ts';

export interface ServedConsole {
  readonly files: ConsoleFiles;
  /** Where browsers reach the console. */
  readonly origin: string;
}

/** Everything comes from the console's own origin, nothing is inline, and no text becomes markup or script. */
const policy = [
  "default-src 'none'",
  ...["script-src 'self'", "style-src 'self'", "img-src 'self' data:", "connect-src 'self'"],
  ...["form-action 'self'", "base-uri 'none'", "frame-ancestors 'none'"],
  ...["require-trusted-types-for 'script'", "trusted-types 'none'"],
].join('; ');

const pageHeaders = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': policy,
  'cross-origin-opener-policy': 'same-origin',
  'permissions-policy':
    'publickey-credentials-get=(self), publickey-credentials-create=(self), clipboard-write=(self), ' +
    'camera=(), geolocation=(), microphone=(), payment=(), usb=()',
  vary: 'accept, host',
};

const loopbackAddresses: ReadonlySet<string> = new Set(['127.0.0.1', '[::1]']);
/** Below them are operations and files: what is not there is no page. */
const noPages = /^\/(?:ops|v1|assets)(?:\/|$)/;
/** Operations of the merchants' console at addresses that are also those of its pages: browsers that open one get the page. */
const pagesAndOperations = /^\/(?:approvals|team)(?:[/?]|$)/;

/**
 * Serves a console: its page at every address that is no other route, since the page itself knows its addresses, and the
 * files that it names. A file that is gone is 404: a tab that is older than the deployment finds out and offers to reload.
 */
export function serveConsole(app: FastifyInstance, { files, origin }: ServedConsole): void {
  app.get('/assets/:name', (request, reply) => {
    const { name = '' } = request.params as { readonly name?: string };
    const asset = files.assets.get(name);
    if (!asset) throw new NotFoundError('file');
    return sendAsset(request, reply, asset);
  });
  app.addHook('onRequest', async (request, reply) => {
    if (!(request.is404 || pagesAndOperations.test(request.url)) || !asksForPage(request)) return undefined;
    const elsewhere = addressByName(request, new URL(origin));
    if (elsewhere !== undefined) return reply.redirect(elsewhere, 302);
    return sendTagged(request, reply.code(200).headers(pageHeaders), files.page);
  });
}

/** Whether a browser opens an address, and does not load a part of a page. */
function asksForPage({ method, url, headers }: FastifyRequest): boolean {
  const [path = ''] = url.split('?', 1);
  const isRead = method === 'GET' || method === 'HEAD';
  return isRead && !path.includes('.') && !noPages.test(path) && (headers.accept ?? '').includes('text/html');
}

/** A passkey belongs to a domain, and an address is none: on a developer's machine 127.0.0.1 leads to localhost. */
function addressByName({ headers, url }: FastifyRequest, { hostname, port, origin }: URL): string | undefined {
  const asked = URL.parse(`http://${headers.host ?? ''}`);
  const isLoopback = hostname === 'localhost' && loopbackAddresses.has(asked?.hostname ?? '') && asked?.port === port;
  return isLoopback ? `${origin}${url}` : undefined;
}

function sendAsset({ headers }: FastifyRequest, reply: FastifyReply, { type, whole, compressed }: ConsoleAsset) {
  const accepted = (headers['accept-encoding'] ?? '').split(',').map((coding) => coding.trim().split(';', 1)[0]);
  const coding = contentCodings.find((each) => accepted.includes(each) && compressed[each] !== undefined);
  if (coding !== undefined) void reply.header('content-encoding', coding);
  return reply
    .header('content-type', type)
    .header('cache-control', 'public, max-age=31536000, immutable')
    .header('vary', 'accept-encoding')
    .send((coding && compressed[coding]) ?? whole);
}
