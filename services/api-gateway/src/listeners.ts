import { listenEarly, shutdownOf, type EarlyListener } from '@gateway/runtime/http';
import { publicErrorBody } from '#src/compat-proxy/compat-proxy.ts';
import type { Config } from '#src/config.ts';
import { readConsoleFiles } from '#src/console/read-console-files.ts';
import { createOperatorListener, type OperatorListenerOptions } from '#src/operator-listener.ts';
import { OperatorTokens, TokenGuard } from '#src/operator/authenticate-operator.ts';
import { SessionDirectory } from '#src/sessions/session-directory.ts';
import { SessionGuard } from '#src/sessions/session-guard.ts';
import { createPublicListener, type PublicListenerOptions } from '#src/public-listener.ts';

/** Merchants, payers and providers connect as they like; operators are few. */
const acceptorsMax = 16;

interface BothListeners {
  readonly public: EarlyListener;
  readonly operator: EarlyListener;
}

/** Listens for merchants and for operators. Both are answered 503 with Retry-After until their APIs are open. */
export async function listen(stack: AsyncDisposableStack, config: Config): Promise<BothListeners> {
  const { HOST: host, PORT: port, OPS_HOST: operatorHost, OPS_PORT: operatorPort } = config;
  return {
    public: stack.use(
      await listenEarly({ host, port, acceptorsMax, errorBody: publicErrorBody(config.COMPAT_PREFIXES) }),
    ),
    operator: stack.use(await listenEarly({ host: operatorHost, port: operatorPort })),
  };
}

type ApiParts = Omit<PublicListenerOptions, 'early' | 'services'> & {
  readonly services: OperatorListenerOptions['services'] & PublicListenerOptions['services'];
};

/** Opens both APIs. They end first, and answer what is under way while what they use is still open. */
export async function openApis(stack: AsyncDisposableStack, early: BothListeners, parts: ApiParts): Promise<void> {
  const { config, services, guards, logger } = parts;
  const publicApi = createPublicListener({ ...parts, early: early.public });
  const tokens = new TokenGuard(new OperatorTokens(config.OPS_OPERATORS), guards.open, logger);
  const directory = stack.use(new SessionDirectory({ bus: services.bus, logger }));
  const origin = config.OPERATOR_CONSOLE_URL;
  const sessions = new SessionGuard({ realm: 'operator', origin, directory, open: guards.open });
  const directoryOfConsole = config.OPERATOR_CONSOLE_FILES;
  const pages = directoryOfConsole === '' ? undefined : { files: await readConsoleFiles(directoryOfConsole), origin };
  const operatorGuards = { tokens, sessions, bus: services.bus };
  const operatorApi = createOperatorListener({
    early: early.operator,
    guards: operatorGuards,
    services,
    pages,
    logger,
  });
  stack.use(shutdownOf(publicApi.app, early.public));
  stack.use(shutdownOf(operatorApi.app, early.operator));
  await Promise.all([publicApi.open(), operatorApi.open()]);
}

/** A running gateway; the ports are those really listened on. */
export interface Gateway extends AsyncDisposable {
  readonly publicPort: number;
  readonly operatorPort: number;
}

export function runningGateway(early: BothListeners, resources: AsyncDisposableStack): Gateway {
  return {
    publicPort: early.public.port,
    operatorPort: early.operator.port,
    [Symbol.asyncDispose]: () => resources.disposeAsync(),
  };
}
