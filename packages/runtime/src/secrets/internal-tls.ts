import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';

/** What a process proves itself with to others of the deployment, and knows them by. All of it is PEM. */
export interface InternalTls {
  readonly ca: string;
  readonly cert: string;
  readonly key: string;
}

const flag = z.enum(['true', 'false']).transform((text) => text === 'true');

/**
 * The one setting for traffic inside of a deployment. Where it is set, this process speaks TLS with the broker, the
 * database and other services, and only with peers that have a certificate of that authority; what it listens on for
 * other services is TLS too.
 */
export const internalTlsShape = {
  INTERNAL_TLS_DIR: z
    .string()
    .optional()
    .transform((directory, context): InternalTls | undefined => {
      if (directory === undefined) return undefined;
      try {
        const read = (name: string) => readFileSync(join(directory, name), 'utf8');
        return { ca: read('ca.pem'), cert: read('cert.pem'), key: read('key.pem') };
      } catch {
        context.addIssue({ code: 'custom', message: 'must be a directory with ca.pem, cert.pem and key.pem' });
        return z.NEVER;
      }
    })
    .describe(
      'A directory with `ca.pem`, `cert.pem` and `key.pem`, read once, at start. With it, traffic inside the deployment is TLS.',
    ),
  NATS_TLS_FIRST: flag
    .default(true)
    .describe(
      'Whether TLS with the broker begins with the first byte (`handshake_first` of nats-server), so that no password is sent in clear. Otherwise it begins when the broker offers it.',
    ),
};

/** For node:https and node:tls: what a listener for other services is made with. */
export function serverTls(tls: InternalTls) {
  return { ...tls, minVersion: 'TLSv1.2' as const };
}
