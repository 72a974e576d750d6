import { join } from 'node:path';
import { coreTier, edgeTier, workTier } from '#src/processes/supervised-process.ts';
import { repository } from '#src/state-directory.ts';

/** What a service learns about the stack it runs in. */
export interface StackAddresses {
  /** Where the public listener listens; everything that is not named here listens on loopback alone. */
  host: string;
  publicPort: number;
  /** How this machine reaches the public listener. */
  baseUrl: string;
  /** How the world reaches it, for links in answers. */
  publicUrl: string;
  opsHost: string;
  opsPort: number;
  opsUrl: string;
  /** Of the listener at which the people of merchants sign in; on loopback alone. */
  consolePort: number;
  /** Whether the listeners are reached from this machine alone. */
  isLocal: boolean;
  simulatorPort: number;
  simulatorUrl: string;
  compatPort: number;
  compatUrl: string;
  /** The directory of the built operators' console; none where it is not served. */
  consoleFiles?: string;
  operators: readonly { name: string; token: string; roles?: readonly string[] }[];
}

/** One service of the stack: a script run by Node that answers `/health` and `/ready` on INTERNAL_PORT. */
export interface Service {
  name: string;
  /** Absolute path of its entry point. */
  script: string;
  /** When it is stopped: the highest tier first. */
  tier: number;
  /** Half of V8's young generation at most, in MB. Default: 2, enough where there is no load. */
  semiSpaceMb?: number;
  /** What its environment has beyond that of every service. */
  environment(stack: StackAddresses): Record<string, string>;
  /** A URL of it that answers 2xx once it reaches every other service it works with. */
  wholeUrl?(stack: StackAddresses): string;
  /** The service it is one more of, with whom it shares the database. */
  replicaOf?: string;
}

/** The database, and its role, of a service: `api-gateway` owns `gateway_api_gateway`. */
export function databaseName({ name, replicaOf }: Pick<Service, 'name' | 'replicaOf'>): string {
  return `gateway_${(replicaOf ?? name).replaceAll('-', '_')}`;
}

/**
 * Of services on the path of every record: V8's own default. With 2 MB a third of their CPU time under load was garbage
 * collection. What loading the code fills of it is given back at the end of the start.
 */
const busySemiSpaceMb = 16;
/** Of a service that reads pages of hundreds of records: a page and what is made of it are gone before they are copied. */
const pageSemiSpaceMb = 8;

/** By name: a passkey belongs to a domain, and browsers take no address for one. */
export function operatorConsoleUrl({ opsPort }: StackAddresses): string {
  return `http://localhost:${opsPort}`;
}

export function merchantConsoleUrl({ consolePort }: StackAddresses): string {
  return `http://localhost:${consolePort}`;
}

/** The product: eight services and the provider simulator. */
export const gatewayServices: readonly Service[] = [
  {
    // A developer's machine asks no source for rates, unless one is named.
    ...service('ledger', coreTier, (stack) => ({
      PUBLIC_URL: stack.publicUrl,
      LIVE_CONVERSIONS: process.env.LIVE_CONVERSIONS ?? 'on',
      RATE_SOURCE: process.env.RATE_SOURCE ?? 'fixed',
      TREASURY_VENUES: process.env.TREASURY_VENUES ?? JSON.stringify([simulatedExchange(stack.simulatorUrl)]),
      TREASURY_GATHER_SEC: process.env.TREASURY_GATHER_SEC ?? '2',
      // Those of the simulator; the Pix API alone has no balance.
      LEDGER_PROVIDERS: process.env.LEDGER_PROVIDERS ?? 'bacen=uncompared,efi,spei,woovi',
    })),
    semiSpaceMb: busySemiSpaceMb,
  },
  {
    ...service('psp-simulator', coreTier, (stack) => ({ PORT: String(stack.simulatorPort) })),
    semiSpaceMb: pageSemiSpaceMb,
  },
  {
    ...service('deposits', workTier, (stack) => ({
      SIMULATOR_URL: stack.simulatorUrl,
      PUBLIC_URL: stack.publicUrl,
      PROVIDERS_CALLBACK_URL: stack.publicUrl,
    })),
    semiSpaceMb: busySemiSpaceMb,
  },
  {
    ...service('payouts', workTier, (stack) => ({ SIMULATOR_URL: stack.simulatorUrl })),
    semiSpaceMb: busySemiSpaceMb,
  },
  {
    ...service('webhooks', workTier, () => ({
      // On a developer's machine the receiver is usually http://localhost.
      WEBHOOK_ALLOW_INSECURE_TARGETS: process.env.WEBHOOK_ALLOW_INSECURE_TARGETS ?? 'true',
    })),
    semiSpaceMb: busySemiSpaceMb,
  },
  {
    ...service('reconciler', workTier, (stack) => ({ SIMULATOR_URL: stack.simulatorUrl })),
    semiSpaceMb: pageSemiSpaceMb,
  },
  service('identity', workTier, (stack) => ({
    OPERATOR_CONSOLE_URL: operatorConsoleUrl(stack),
    CONSOLE_URL: merchantConsoleUrl(stack),
    // One device is what a developer's machine has.
    PASSKEYS_FOR_MONEY: '1',
    DEV_LOGIN: String(stack.isLocal),
  })),
  service('compat', edgeTier, (stack) => ({ PORT: String(stack.compatPort) })),
  {
    ...service('api-gateway', edgeTier, (stack) => ({
      HOST: stack.host,
      PORT: String(stack.publicPort),
      PUBLIC_URL: stack.publicUrl,
      OPS_HOST: stack.opsHost,
      OPS_PORT: String(stack.opsPort),
      OPS_OPERATORS: JSON.stringify(stack.operators),
      OPERATOR_CONSOLE_URL: operatorConsoleUrl(stack),
      OPERATOR_CONSOLE_FILES: stack.consoleFiles ?? '',
      CONSOLE_PORT: String(stack.consolePort),
      CONSOLE_URL: merchantConsoleUrl(stack),
      CONSOLE_FILES: stack.consoleFiles ?? '',
      COMPAT_URL: stack.compatUrl,
      SIMULATOR_URL: stack.simulatorUrl,
      DEV_LOGIN: String(stack.isLocal),
    })),
    semiSpaceMb: busySemiSpaceMb,
    wholeUrl: (stack) => `${stack.baseUrl}/health`,
  },
];

/** The simulator's exchange, with its own credentials. */
function simulatedExchange(simulatorUrl: string): object {
  return {
    kind: 'bitso',
    id: 'bitso',
    baseUrl: `${simulatorUrl}/bitso`,
    currencies: ['BRL', 'MXN'],
    apiKey: 'simulator',
    apiSecret: 'simulator-bitso-secret',
  };
}

function service(name: string, tier: number, environment: (stack: StackAddresses) => Record<string, string>): Service {
  return { name, script: join(repository, 'services', name, 'src/main.ts'), tier, environment };
}
