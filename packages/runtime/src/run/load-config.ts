import { z } from 'zod';
import { internalTlsShape } from '#src/secrets/internal-tls.ts';

/** What every service process reads from its environment. */
export const baseConfigShape = {
  ...internalTlsShape,
  DATABASE_URL: z
    .url({ protocol: /^postgres(ql)?$/ })
    .describe('The PostgreSQL database of this service alone.')
    .meta({ secret: true }),
  NATS_URL: z
    .string()
    .min(1)
    .describe('The broker: one server, or several of a cluster separated by commas, user and password in the first.')
    .meta({ secret: true }),
  STREAM_REPLICAS: z.coerce
    .number()
    .int()
    .min(1)
    .max(5)
    .default(1)
    .describe('Copies that the broker keeps of every stream. More than one takes a cluster.'),
};

const optionalPort = z.coerce.number().int().min(0).max(65_535);

/** A TCP port; 0 picks a free one. */
export function portSchema(defaultPort: number) {
  return optionalPort.default(defaultPort);
}

/** `true` or `false`, in text. */
export const flagSchema = z.enum(['true', 'false']).transform((text) => text === 'true');

/** The parts of a list that is separated by commas; blanks around them, and empty ones, do not count. */
export function listOf(text: string): string[] {
  return text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');
}

export class ConfigError extends Error {
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    super(`configuration is not valid: ${problems.join('; ')}`);
    this.name = 'ConfigError';
    this.problems = problems;
  }
}

/**
 * Reads a service's configuration, reporting all problems at once.
 * Values never appear in the message: a mistyped secret must not reach a log.
 * An empty variable counts as missing: compose and Helm cannot leave one out.
 *
 * @throws ConfigError naming each variable that is missing or does not fit
 */
export function loadConfig<S extends z.ZodType>(env: NodeJS.ProcessEnv, schema: S): z.infer<S> {
  const given = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== ''));
  const parsed = schema.safeParse(given);
  if (parsed.success) return parsed.data;
  throw new ConfigError(parsed.error.issues.map((issue) => `${issue.path.join('.')} ${issue.message}`));
}
