import { isIP } from 'node:net';
import { z } from 'zod';
import { operatorRoleSchema } from '@gateway/contracts/identity';
import { providersVariableSchema } from '@gateway/providers';
import { baseConfigShape, busSecretsConfigShape, flagSchema, listOf, loadConfig, portSchema } from '@gateway/runtime';
import { gatewayName, merchantName } from '#src/approvals/audit.ts';

const operatorTokenCharactersMin = 16;

/** Who else acts in the audit trail. */
const reservedNames: ReadonlySet<string> = new Set([gatewayName, merchantName]);

const operatorsSchema = z
  .string()
  .default('[]')
  .transform((text, context): unknown => {
    try {
      return JSON.parse(text);
    } catch {
      context.addIssue({ code: 'custom', message: 'must be JSON: [{"name": "…", "token": "…"}]' });
      return z.NEVER;
    }
  })
  .pipe(
    z.array(
      z.object({
        name: z.string().min(1),
        token: z.string().min(operatorTokenCharactersMin),
        roles: z.array(operatorRoleSchema).min(1).optional(),
      }),
    ),
  )
  // A name stands in the audit trail, and where tokens decide, one person must not be two.
  .refine((operators) => isDistinct(operators.map(({ name }) => personOf(name))), 'must not name an operator twice')
  .refine(
    (operators) => operators.every(({ name }) => !reservedNames.has(personOf(name))),
    'must not name an operator like the gateway or a merchant',
  )
  .refine(
    (operators) => isDistinct(operators.map(({ token }) => token)),
    'must give each operator a token of their own',
  );

const proxyAddressesSchema = z
  .string()
  .default('')
  .transform(listOf)
  .refine((addresses) => addresses.every(isAddressOrRange), 'must list IP addresses or CIDR ranges');

const pathPrefixesSchema = z
  .string()
  .default('/compat,/cli')
  .transform(listOf)
  .refine((prefixes) => prefixes.every((prefix) => /^(\/[a-z0-9-]+)+$/.test(prefix)), 'must list paths like /compat');

const originSchema = z
  .url({ protocol: /^https?$/ })
  .refine((text) => new URL(text).pathname === '/', 'must be an origin, without a path')
  .transform((text) => new URL(text).origin);

const traceUrlSchema = z
  .string()
  .default('')
  .refine(
    (text) => text === '' || (/^https?:\/\/[^{}]+\{trace_id\}[^{}]*$/.test(text) && URL.canParse(text)),
    'must be an http(s) address with {trace_id} in it',
  );

const configShape = {
  ...baseConfigShape,
  ...busSecretsConfigShape,
  HOST: z
    .string()
    .default('127.0.0.1')
    .describe('Address of the public listener, for merchants, payers, connectors and providers.'),
  PORT: portSchema(8080).describe('Port of the public listener; 0 picks a free one.'),
  OPS_HOST: z.string().default('127.0.0.1').describe("Address of the operators' listener, never the public one."),
  OPS_PORT: portSchema(9080).describe("Port of the operators' listener; 0 picks a free one."),
  OPS_OPERATORS: operatorsSchema
    .describe(
      'Tokens of operators, as JSON `[{"name": "…", "token": "…"}]`, each with a name of its own and at least 16 characters, and with `roles` where it is not to read everything (support, duty, treasurer, admin, auditor). They read, and change nothing: people sign in for that. With `DEV_LOGIN` they also have every other permission of their roles, without roles all.',
    )
    .meta({ secret: true }),
  OPS_APPROVAL_CENTS_MAX: z.coerce.number().int().min(0).default(500_000).meta({
    unit: 'cents of BRL',
    description: 'Largest live payout that one operator approves alone; 0: each of them takes two.',
  }),
  OPS_APPROVAL_DAY_CENTS_MAX: z.coerce.number().int().min(0).default(5_000_000).meta({
    unit: 'cents of BRL',
    description: 'Sum of the live payouts that one operator approves alone in a day (UTC).',
  }),
  OPERATOR_CONSOLE_URL: originSchema
    .default('http://localhost:9080')
    .describe("Origin under which browsers reach the operators' listener; changes by a session come from it alone."),
  OPERATOR_CONSOLE_FILES: z
    .string()
    .default('')
    .describe("Directory of the built operators' console, which the operators' listener serves; empty: no pages."),
  TRACE_URL: traceUrlSchema.describe(
    "Where a trace is seen, `{trace_id}` in place of its id: the operators' console links to it. Empty: the id to copy.",
  ),
  CONSOLE_HOST: z
    .string()
    .default('127.0.0.1')
    .describe('Address of the listener at which the people of merchants sign in, apart from the public one.'),
  CONSOLE_PORT: portSchema(8088).describe("Port of the merchants' listener; 0 picks a free one."),
  CONSOLE_URL: originSchema
    .default('http://localhost:8088')
    .describe(
      "Origin under which browsers reach the merchants' listener, as OPERATOR_CONSOLE_URL, and never the same.",
    ),
  CONSOLE_FILES: z
    .string()
    .default('')
    .describe("Directory of the built merchants' console, which the merchants' listener serves; empty: no pages."),
  COMPAT_URL: z
    .url({ protocol: /^https?$/ })
    .describe('The facade of the connector, to which its paths are passed on.'),
  COMPAT_PREFIXES: pathPrefixesSchema.describe(
    'Paths that belong to the facade, with everything below them, separated by commas.',
  ),
  PUBLIC_URL: z
    .url({ protocol: /^https?$/ })
    .default('http://127.0.0.1:8080')
    .describe('The gateway as merchants reach it, for the API description and links.'),
  PROVIDERS: providersVariableSchema,
  SIMULATOR_URL: z
    .url({ protocol: /^https?$/ })
    .optional()
    .describe('A provider simulator whose providers are live instead of PROVIDERS; for development.'),
  TRUSTED_PROXIES: proxyAddressesSchema.describe(
    "Addresses and ranges of proxies in front of any listener, whose X-Forwarded-For has the caller's address; separated by commas.",
  ),
  CLIENT_CERT_HEADER: z
    .string()
    .regex(/^[A-Za-z0-9-]+$/)
    .optional()
    .describe(
      'Header in which proxies pass on the verified client certificate of a provider: Client-Cert of RFC 9440, or escaped PEM.',
    ),
  DEV_LOGIN: flagSchema
    .default(false)
    .describe(
      "Lets the tokens of OPS_OPERATORS propose and decide, and shows the operator who approves a live key its secret; for a developer's machine alone, with every listener on loopback.",
    ),
};
/** What the gateway reads from its environment. */
export const configSchema = z
  .object(configShape)
  .refine(
    ({ DEV_LOGIN, HOST, OPS_HOST, CONSOLE_HOST }) => !DEV_LOGIN || [HOST, OPS_HOST, CONSOLE_HOST].every(isLoopback),
    {
      path: ['DEV_LOGIN'],
      message:
        'is for listeners on loopback alone: HOST, OPS_HOST and CONSOLE_HOST must be 127.0.0.1, ::1 or localhost',
    },
  )
  .refine(({ OPERATOR_CONSOLE_URL, CONSOLE_URL }) => OPERATOR_CONSOLE_URL !== CONSOLE_URL, {
    path: ['CONSOLE_URL'],
    message: 'must be another origin than OPERATOR_CONSOLE_URL: the pages of one would reach the other',
  });
export type Config = z.infer<typeof configSchema>;

export function readConfig(env: NodeJS.ProcessEnv): Config {
  return loadConfig(env, configSchema);
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || (isIP(host) === 4 && host.startsWith('127.'));
}

function isAddressOrRange(text: string): boolean {
  const [address = '', prefix, ...rest] = text.split('/');
  const family = isIP(address);
  if (family === 0 || rest.length > 0) return false;
  return prefix === undefined || (/^\d{1,3}$/.test(prefix) && Number(prefix) <= (family === 4 ? 32 : 128));
}

/** One person however the name is written: `Ana` and `ana ` are not two. */
function personOf(name: string): string {
  return name.normalize('NFKC').trim().toLowerCase();
}

function isDistinct(values: readonly string[]): boolean {
  return new Set(values).size === values.length;
}
