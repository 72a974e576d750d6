import { OperatorBrowser } from './operator-browser.ts';

interface Enrolled {
  readonly browser: OperatorBrowser;
  readonly status: number;
}

/** Enrols at a console by the link of an invitation, with a passkey; may sign in once that is confirmed. */
export async function enrolledAt(url: string, token: string): Promise<Enrolled> {
  const browser = new OperatorBrowser(url);
  const begun = await browser.call('POST', '/invitations/passkey', { token });
  if (begun.status !== 200) return { browser, status: begun.status };
  const { challenge_id, options } = begun.body;
  const credential = { kind: 'passkey', answer: browser.device.create(options), label: 'laptop' };
  const answer = await browser.call('POST', '/invitations/accept', { token, challenge_id, credential });
  return { browser, status: answer.status };
}

/** Signs in by the passkey of the browser. @returns the status of the answer */
export async function signIn(browser: OperatorBrowser): Promise<number> {
  const { challenge_id, options } = (await browser.call('POST', '/session/passkey/begin', {})).body;
  const answer = browser.device.get(options);
  return (await browser.call('POST', '/session/passkey', { challenge_id, answer })).status;
}
