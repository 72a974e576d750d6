import { listenEarly, shutdownOf, type EarlyListener } from '@gateway/runtime/http';
import { publicErrorBody } from '#src/compat-proxy/compat-proxy.ts';
import type { Config } from '#src/config.ts';
import { type ConsolePage, readConsoleFiles } from '#src/console/read-console-files.ts';
import type { ServedConsole } from '#src/console/serve-console.ts';
import type { OpenLimits } from '#src/limits/open-limits.ts';
import { createMemberListener } from '#src/member-listener.ts';
import { createOperatorListener, type OperatorListenerOptions } from '#src/operator-listener.ts';
import { OperatorTokens, TokenGuard } from '#src/operator/authenticate-operator.ts';
import { SessionDirectory } from '#src/sessions/session-directory.ts';
import { SessionGuard } from '#src/sessions/session-guard.ts';
import { createPublicListener, type PublicListenerOptions } from '#src/public-listener.ts';

/** Merchants, payers and providers connect as they like; operators are few. */
const acceptorsMax = 16;

interface EarlyListeners {
  readonly public: EarlyListener;
  readonly operator: EarlyListener;
  readonly member: EarlyListener;
}

/** Listens for merchants, for operators, and for the people of merchants: 503 with Retry-After until their APIs are open. */
export async function listen(stack: AsyncDisposableStack, config: Config): Promise<EarlyListeners> {
  const { HOST: host, PORT: port, OPS_HOST: operatorHost, OPS_PORT: operatorPort } = config;
  return {
    public: stack.use(
      await listenEarly({ host, port, acceptorsMax, errorBody: publicErrorBody(config.COMPAT_PREFIXES) }),
    ),
    operator: stack.use(await listenEarly({ host: operatorHost, port: operatorPort })),
    member: stack.use(await listenEarly({ host: config.CONSOLE_HOST, port: config.CONSOLE_PORT, acceptorsMax })),
  };
}

type ApiParts = Omit<PublicListenerOptions, 'early' | 'services'> & {
  readonly services: OperatorListenerOptions['services'] & PublicListenerOptions['services'];
};

/** Opens the APIs. They end first, and answer what is under way while what they use is still open. */
export async function openApis(stack: AsyncDisposableStack, early: EarlyListeners, parts: ApiParts): Promise<void> {
  const { config, services, guards, logger } = parts;
  const publicApi = createPublicListener({ ...parts, early: early.public });
  const tokens = new TokenGuard(new OperatorTokens(config.OPS_OPERATORS, services.tokensDecide), guards.open, logger);
  const directory = stack.use(new SessionDirectory({ bus: services.bus, logger }));
  const origin = config.OPERATOR_CONSOLE_URL;
  const sessions = new SessionGuard({ realm: 'operator', origin, directory, open: guards.open });
  const operatorGuards = { tokens, sessions, bus: services.bus };
  const operatorApi = createOperatorListener({
    early: early.operator,
    guards: operatorGuards,
    services,
    pages: await servedConsole(config.OPERATOR_CONSOLE_FILES, 'operators.html', origin),
    trustedProxies: config.TRUSTED_PROXIES,
    traceUrl: config.TRACE_URL,
    logger,
  });
  const memberApi = createMemberListener({
    early: early.member,
    guards: { sessions: memberSessions(config, guards.open, directory), ...services, limits: guards.limits },
    open: guards.open,
    admission: parts.admission,
    services,
    pages: await servedConsole(config.CONSOLE_FILES, 'merchants.html', config.CONSOLE_URL),
    trustedProxies: config.TRUSTED_PROXIES,
    logger,
  });
  stack.use(shutdownOf(publicApi.app, early.public));
  stack.use(shutdownOf(operatorApi.app, early.operator));
  stack.use(shutdownOf(memberApi.app, early.member));
  await Promise.all([publicApi.open(), operatorApi.open(), memberApi.open()]);
}

/** @throws Error when the directory holds no such console */
async function servedConsole(directory: string, page: ConsolePage, origin: string): Promise<ServedConsole | undefined> {
  return directory === '' ? undefined : { files: await readConsoleFiles(directory, page), origin };
}

function memberSessions({ CONSOLE_URL: origin }: Config, open: OpenLimits, directory: SessionDirectory): SessionGuard {
  return new SessionGuard({ realm: 'merchant', origin, directory, open });
}

/** A running gateway; the ports are those really listened on. */
export interface Gateway extends AsyncDisposable {
  readonly publicPort: number;
  readonly operatorPort: number;
  readonly memberPort: number;
}

export function runningGateway(early: EarlyListeners, resources: AsyncDisposableStack): Gateway {
  return {
    publicPort: early.public.port,
    operatorPort: early.operator.port,
    memberPort: early.member.port,
    [Symbol.asyncDispose]: () => resources.disposeAsync(),
  };
}
