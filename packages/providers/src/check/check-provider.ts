import { currencies, decimalText } from '@gateway/money';
import { checkCertificate } from '#src/check/check-certificate.ts';
import { failed, ok, skipped, type CheckStep } from '#src/check/check-step.ts';
import { explain, type Explained } from '#src/check/explain.ts';
import { permissionsOf, type TrialName } from '#src/check/permissions.ts';
import type { SeenExchange } from '#src/http/provider-client.ts';
import type { ConnectedProvider, ProviderBalanceResult } from '#src/payment-provider.ts';
import { notificationsUrl } from '#src/notifications.ts';
import { providersFromConfig, type ProviderConfig } from '#src/providers-from-config.ts';

/** Signatures with a time in them, and tokens, fail beyond this. */
const clockSkewMaxMs = 30_000;
const listedMs = 5 * 60_000;
/** In the form that every provider takes, and that none has. */
const unknownRef = '00provider0check0unknown00';

export interface CheckOptions {
  readonly now: () => Date;
  /** The gateway as providers reach it; without it the webhook is not compared. */
  readonly callbackUrl?: URL;
  /** Registers the webhook before it is compared. */
  readonly register?: boolean;
}

/**
 * Tries what a provider's configuration is good for, over the same adapter as the services, without moving money: the
 * certificate, the credentials, each permission that reading shows, the clock, and the webhook.
 */
export async function checkProvider(config: ProviderConfig, options: CheckOptions): Promise<CheckStep[]> {
  const { now } = options;
  const steps: CheckStep[] = [];
  if ('tls' in config && config.tls) {
    const certificate = checkCertificate(config.tls, now());
    steps.push(certificate);
    if (certificate.state === 'failed') return [...steps, skipped('all calls', 'no connection stands without it')];
  }
  const watch = new CallWatch(config);
  await using providers = providersFromConfig([config], {
    now,
    onExchange: (seen) => watch.saw(seen),
    onScopes: (scopes) => watch.granted(scopes),
  });
  const provider = providers.find(config.id);
  if (!provider) throw new Error(`no adapter for ${config.id}`);
  for (const [name, trial] of trialsOf(provider, now())) {
    const step = await watch.step(name, trial);
    steps.push(step);
    if (!watch.hasAnswered) return [...steps, skipped('the rest', 'the provider has not answered')];
    if (watch.hasNoToken) return [...steps, skipped('the rest', 'there is no token to call with')];
  }
  steps.push(...watch.scopeSteps(), watch.clockStep(now));
  steps.push(...(await checkWebhook(provider, watch, options)));
  return steps;
}

type Trial = () => Promise<{ readonly cause?: string; readonly detail?: string }>;

function trialsOf(provider: ConnectedProvider, now: Date): [TrialName, Trial][] {
  const { capabilities, feeds = [], statement } = provider;
  const trials: [TrialName, Trial][] = [];
  if (capabilities.balance) trials.push(['read the balance', async () => balanceOf(await provider.balance())]);
  const money = { currency: capabilities.rails.includes('SPEI') ? 'MXN' : 'BRL', amount: 1 } as const;
  const charge = { ref: unknownRef, createdAt: now, money, expiresInSec: 3_600 };
  trials.push(['read a charge', async () => causeOf(await provider.getCharge({ ref: unknownRef, charge }))]);
  if (capabilities.payout) {
    const destination = money.currency === 'MXN' ? clabeDestination : emailDestination;
    const payout = { ref: unknownRef, sentAt: now, money, destination, recipient: {}, verifyOwner: false };
    trials.push(['read a payout', async () => causeOf(await provider.getPayout({ ref: unknownRef, payout }))]);
  }
  if (capabilities.refund !== 'none') {
    const receipt = { e2eId: 'E00000000202611220000unknown0000', chargeRef: unknownRef };
    const refund = { ref: unknownRef, sentAt: now, receipt, money };
    trials.push(['read a refund', async () => causeOf(await provider.getRefund({ ref: unknownRef, refund }))]);
  }
  const window = { from: new Date(now.getTime() - listedMs), to: now };
  for (const feed of [...feeds, ...(statement ? [statement] : [])]) {
    trials.push([
      `list ${feed.name}`,
      async () => {
        const page = await feed.readPage(window);
        return page.kind === 'page' ? {} : { cause: page.cause };
      },
    ]);
  }
  return trials;
}

const clabeDestination = { type: 'clabe', value: '032180000118359719' } as const;
const emailDestination = { type: 'email', value: 'provider-check@example.com' } as const;

function balanceOf(result: ProviderBalanceResult) {
  if (!result.ok) return { cause: result.cause };
  const shown = result.balances.map(({ currency, available, blocked }) => {
    const unit = currencies[currency];
    const held = blocked > 0 ? `, ${decimalText(blocked, unit)} blocked` : '';
    return `${currency} ${decimalText(available, unit)} available${held}`;
  });
  return { detail: shown.join('; ') };
}

/** A lookup of something unknown answers that there is none; only one that could not be made is a fault. */
function causeOf(state: { readonly status: string }) {
  return state.status === 'UNAVAILABLE' && 'cause' in state ? { cause: String(state.cause) } : {};
}

async function checkWebhook(
  provider: ConnectedProvider,
  watch: CallWatch,
  { callbackUrl, register = false }: CheckOptions,
): Promise<CheckStep[]> {
  const name = 'webhook';
  if (!provider.readRegistration) return [skipped(name, 'this provider has no webhook to register by a call')];
  if (!callbackUrl)
    return [skipped(name, 'PROVIDERS_CALLBACK_URL is not set: nothing to compare the registration with')];
  const url = notificationsUrl(provider.id, callbackUrl);
  const shown = `${url.origin}${url.pathname}`;
  const steps: CheckStep[] = [];
  if (url.protocol !== 'https:' && !isOurOwn(url.hostname)) {
    steps.push(failed('webhook address', `${shown} is not https: no provider sends notifications there`));
  }
  if (register) {
    steps.push(
      await watch.step('register the webhook', async () => {
        const result = await provider.registerNotifications?.(url);
        return result?.ok === false ? { cause: result.cause } : { detail: shown };
      }),
    );
  }
  let missing: readonly string[] = [];
  const read = await watch.step('read the webhook', async () => {
    const state = await provider.readRegistration?.(url);
    if (!state) return {};
    if (!state.ok) return { cause: state.cause };
    ({ missing } = state);
    return { detail: `compared with ${shown}` };
  });
  steps.push(read);
  if (missing.length > 0) steps.push(failed(name, `${missing.join('; ')}: run again with --register`));
  else if (read.state === 'ok') steps.push(ok(name, `registered for ${shown}`));
  return steps;
}

function isOurOwn(hostname: string): boolean {
  return hostname === '127.0.0.1' || hostname === '[::1]' || !hostname.includes('.');
}

/** Watches what the adapter's calls come to on the wire and puts them into words. */
class CallWatch {
  readonly #config: ProviderConfig;
  #seen: SeenExchange[] = [];
  #last: SeenExchange | undefined;
  #scopes: readonly string[] | undefined;
  hasAnswered = false;
  hasNoToken = false;

  constructor(config: ProviderConfig) {
    this.#config = config;
  }

  saw(seen: SeenExchange): void {
    this.#seen.push(seen);
    this.#last = seen;
    if (seen.status !== undefined) this.hasAnswered = true;
  }

  granted(scopes: readonly string[]): void {
    this.#scopes = scopes;
  }

  async step(name: TrialName, trial: Trial): Promise<CheckStep> {
    this.#seen = [];
    const { cause, detail = 'the provider answered' } = await trial();
    if (cause === undefined) return ok(name, detail);
    const last = this.#seen.at(-1);
    const words = last && explain(last, this.#about(name, last));
    return failed(name, words ?? cause);
  }

  /** Permissions to change something are compared, not tried; a provider that does not name them is not compared. */
  scopeSteps(): CheckStep[] {
    const { writes } = permissionsOf[this.#config.kind];
    if (writes.length === 0) return [];
    const name = 'scopes to write';
    const granted = this.#scopes;
    if (granted === undefined) {
      return [skipped(name, `the provider does not name the token's scopes; it needs ${writes.join(', ')}`)];
    }
    const missing = writes.filter((scope) => !granted.includes(scope));
    if (missing.length === 0) return [ok(name, writes.join(', '))];
    return [failed(name, `the application lacks ${missing.join(', ')}: ask the provider to enable them`)];
  }

  clockStep(now: () => Date): CheckStep {
    const name = 'clock';
    const { answeredAtMs, receivedAtMs } = this.#last ?? {};
    if (answeredAtMs === undefined || receivedAtMs === undefined)
      return skipped(name, 'the provider answers without a date');
    // The header has whole seconds.
    const skewMs = receivedAtMs + (now().getTime() - Date.now()) - answeredAtMs;
    const seconds = Math.round(Math.abs(skewMs) / 1_000);
    if (Math.abs(skewMs) <= clockSkewMaxMs) return ok(name, `within ${seconds} s of the provider's`);
    const side = skewMs > 0 ? 'ahead of' : 'behind';
    return failed(name, `this machine is ${seconds} s ${side} the provider: set up time synchronisation (NTP)`);
  }

  #about(name: TrialName, seen: SeenExchange): Explained {
    const { kind } = this.#config;
    const { credentials, needs } = permissionsOf[kind];
    const isTokenCall = 'tokenUrl' in this.#config && this.#isToken(seen);
    if (isTokenCall && seen.status !== undefined && seen.status >= 400) this.hasNoToken = true;
    return {
      credentials,
      need: needs[name],
      isTokenCall,
      hasCertificate: 'tls' in this.#config && this.#config.tls !== undefined,
    };
  }

  /** The request for a token is the one call by POST that reading makes. */
  #isToken({ method }: SeenExchange): boolean {
    return method === 'POST';
  }
}
