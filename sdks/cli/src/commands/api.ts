import { type Command, textFlag } from '../command/command.ts';
import { exactly, UsageError } from '../faults/errors.ts';
import { dataOf } from '../operations/body.ts';
import { copy } from '../operations/call.ts';
import { explained } from '../operations/failures.ts';

const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;

export const apiCommand: Command = {
  words: ['api'],
  ids: ['method', 'path'],
  group: 'Operations',
  summary: 'Any call, signed with the profile; the answer as it comes',
  details: 'Also of routes that are newer than this program. Without an `external_id` in its body a POST is sent once.',
  options: {
    data: { type: 'string', short: 'd', hint: '@FILE|-|JSON', about: 'The body.' },
    include: { type: 'boolean', short: 'i', about: 'Shows status and headers on standard error.' },
  },
  examples: ["gateway api GET '/v1/deposits?status=PAID'", 'gateway api POST /v1/quotes -d @quote.json'],
  choices: methods,
  run: async ({ session, ids, flags }) => {
    const [given, path] = exactly(ids, 2);
    const method = methods.find((each) => each === given.toUpperCase());
    if (method === undefined) throw new UsageError(`the method is one of ${methods.join(', ')}`);
    if (!path.startsWith('/') || path.startsWith('//')) throw new UsageError('the path begins with /v1/');
    const data = textFlag(flags, 'data');
    const body = data === undefined ? undefined : dataOf(data);
    await session.permit({ method, path });
    const sent = body === undefined ? {} : { body };
    try {
      const call = session.gateway().request(method, path as `/${string}`, { ...sent, signal: session.signal });
      const response = await call.raw();
      if (flags['include'] === true) {
        session.output.talk(String(response.status));
        response.headers.forEach((value, name) => session.output.talk(`${name}: ${value}`));
      }
      await copy(session, response);
      if (session.output.streams.stdout.isTTY) session.output.raw('\n');
    } catch (error) {
      const externalId = body?.['external_id'];
      const known = typeof externalId === 'string' ? externalId : undefined;
      throw explained(error, { method, path }, session.connection.base_url, known);
    }
  },
};
