/** What the server asks for before it does something that moves money or rights. */
export interface StepUp {
  readonly id: string;
  /** Options of `navigator.credentials.get`; undefined for a person without a passkey. */
  readonly passkey: object | undefined;
  /** Whether password and code are taken in place of a passkey. */
  readonly password: boolean;
}

interface SessionHooks {
  /** Asks the person; undefined when they leave it. What it answers goes into the header `X-Step-Up`. */
  readonly confirm: (stepUp: StepUp) => Promise<string | undefined>;
  /** The session is over: the page keeps its form, and the person signs in over it. */
  readonly ended: () => void;
}

interface ErrorBody {
  readonly code?: string;
  readonly step_up_id?: string;
  readonly step_up_passkey?: string;
  readonly step_up_password?: string;
}

/**
 * `fetch` as the pages use it: every request says that a page of ours makes it, a refusal that asks for a confirmation is
 * confirmed and sent once more as it was, and the end of the session is noticed wherever it comes up.
 */
export function consoleFetch(send: typeof fetch, { confirm, ended }: SessionHooks): typeof fetch {
  return async (input, init) => {
    const request = await asOwnPage(new Request(input, init));
    const again = request.clone();
    const response = await send(request);
    if (response.status !== 401 && response.status !== 403) return response;
    const error = await errorIn(response);
    if (error.code === 'SESSION_ENDED' || error.code === 'AUTH_REQUIRED') ended();
    const stepUp = stepUpIn(error);
    if (stepUp === undefined) return response;
    const confirmation = await confirm(stepUp);
    if (confirmation === undefined) return response;
    again.headers.set('x-step-up', confirmation);
    return await send(again);
  };
}

/** What a file is sent as, alone or in a form. */
const fileTypes = /^(?:multipart\/form-data|application\/octet-stream)\b/;

/** The server takes a change as JSON, one without a body too, and files as they are. */
async function asOwnPage(request: Request): Promise<Request> {
  const isRead = request.method === 'GET' || request.method === 'HEAD';
  const isAsItIs = isRead || fileTypes.test(request.headers.get('content-type') ?? '');
  const body = isAsItIs ? '' : await request.clone().text();
  const sent = isAsItIs || body !== '' ? request : new Request(request, { body: '{}' });
  if (!isAsItIs) sent.headers.set('content-type', 'application/json');
  sent.headers.set('x-console', '1');
  return sent;
}

function stepUpIn(error: ErrorBody): StepUp | undefined {
  const { code, step_up_id: id, step_up_passkey: passkey, step_up_password: password } = error;
  if (code !== 'STEP_UP_REQUIRED' || id === undefined) return undefined;
  return {
    id,
    passkey: passkey === undefined ? undefined : (JSON.parse(passkey) as object),
    password: password !== undefined,
  };
}

async function errorIn(response: Response): Promise<ErrorBody> {
  const body = (await response
    .clone()
    .json()
    .catch(() => ({}))) as { readonly error?: ErrorBody };
  return body.error ?? {};
}
