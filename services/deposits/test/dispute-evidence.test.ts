import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Deposit, type Dispute, evidenceResource } from '@gateway/contracts/deposits';
import { newId } from '@gateway/money';
import { readWaiting } from '@gateway/messaging';
import type { PaymentProvider } from '@gateway/providers';
import { LinkTokens } from '@gateway/runtime';
import { getDispute, getEvidenceText, getOperatorDispute } from '#src/dispute/read-disputes.ts';
import { sendEvidence } from '#src/dispute/send-evidence.ts';
import { simulateDispute, simulateDisputeResult } from '#src/dispute/simulate-dispute.ts';
import { submitEvidence } from '#src/dispute/submit-evidence.ts';
import { waitingReturns } from '#src/resolution/waiting-returns.ts';
import { account, Stage } from './stage.ts';

let stage: Stage;
beforeAll(async () => {
  stage = await Stage.open();
});
afterAll(async () => stage[Symbol.asyncDispose]());

const patient = { timeoutMs: 5_000 };
const environment = 'test' as const;

async function dispute({ accountId, id: depositId }: Deposit) {
  const contested = { environment, accountId, depositId, amount: null };
  return (await simulateDispute(stage.dependencies, contested, patient)).dispute;
}

async function resolve({ accountId, id }: Dispute, result: 'won' | 'lost') {
  return (await simulateDisputeResult(stage.dependencies, { environment, accountId, id, result }, patient)).dispute;
}

async function read({ accountId, id }: Pick<Dispute, 'accountId' | 'id'>) {
  return (await getDispute(stage.dependencies, { environment, accountId, id })).dispute;
}

async function eventsOf({ id }: Dispute): Promise<string[]> {
  const subjects = `select subject from outbox where payload::jsonb #>> '{dispute,id}' = $1 order by id`;
  const rows = await stage.dependencies.database.query<{ subject: string }>(subjects, [id]);
  return rows.map(({ subject }) => subject.split('.')[3]!);
}

describe('evidence', () => {
  const submit = async ({ accountId, id }: Dispute) =>
    await submitEvidence(stage.dependencies, { environment, accountId, id, text: 'delivered', urls: [] });

  test('puts the dispute under analysis, which is told once', async () => {
    const opened = await dispute(await stage.paid());
    expect(await submit(opened)).toMatchObject({ dispute: { status: 'UNDER_ANALYSIS' } });
    expect(await submit(opened)).toMatchObject({ dispute: { status: 'UNDER_ANALYSIS' } });
    await resolve(opened, 'won');
    expect(await eventsOf(opened)).toEqual(['opened', 'contested', 'won']);
    await expect(submit(opened)).rejects.toMatchObject({ code: 'INVALID_STATE' });
  });

  test('that is due within a day is counted among what needs an operator, until it is there', async () => {
    const { database } = stage.dependencies;
    const due = async () =>
      (await readWaiting(database, waitingReturns)).find(({ kind }) => kind === 'dispute_due')?.count ?? 0;
    const before = await due();
    const opened = await dispute(await stage.paid());
    expect(await due()).toBe(before);
    await database.query(`update dispute set defense_due_at = now() + interval '23 hours' where id = $1`, [opened.id]);
    expect(await due()).toBe(before + 1);
    await submit(opened);
    expect(await due()).toBe(before);
  });

  interface Sent {
    readonly ref: string;
    readonly text: string;
    readonly documentUrls: readonly string[];
  }

  /** A provider that answers evidence with the given answers, one after the other. */
  function taking(...answers: Awaited<ReturnType<NonNullable<PaymentProvider['submitEvidence']>>>[]) {
    const sent: Sent[] = [];
    const submitToProvider: PaymentProvider['submitEvidence'] = async ({ ref, text, documentUrls }) => {
      return answers[Math.min(sent.push({ ref, text, documentUrls }), answers.length) - 1]!;
    };
    return { sent, wired: stage.onTheWire({ id: 'sandbox', submitEvidence: submitToProvider }) };
  }

  const evidenceOf = async (of: Dispute) => (await read(of)).evidence;

  test('reaches a provider that takes it, under one reference however often it is asked, and the record says so', async () => {
    const { sent, wired } = taking({ kind: 'unknown', cause: 'timeout' }, { kind: 'accepted' });
    await sendEvidence(stage.dependencies);
    const opened = await dispute(await stage.paid());
    const { dispute: submitted } = await submit(opened);
    expect(submitted.evidence).toMatchObject([{ text: 'delivered', status: 'WAITING', sentAt: null }]);
    await sendEvidence(wired);
    expect(await evidenceOf(opened)).toMatchObject([
      { status: 'SENT', sentAt: stage.dependencies.now().toISOString() },
    ]);
    for (let round = 0; round < 3; round++) {
      stage.passSeconds(600);
      await sendEvidence(wired);
    }
    expect(await evidenceOf(opened)).toMatchObject([{ status: 'ACCEPTED', failureMessage: null }]);
    expect(sent).toMatchObject([{ text: 'delivered' }, { text: 'delivered' }]);
    expect(new Set(sent.map(({ ref }) => ref)).size).toBe(1);
  });

  test('without documents is one itself, behind a link of ours that opens nothing else', async () => {
    const { sent, wired } = taking({ kind: 'accepted' });
    const opened = await dispute(await stage.paid());
    await submit(opened);
    await sendEvidence(wired);
    const [, id, token] = /^https:\/\/pay\.example\/evidence\/(req_[^/]+)\/(.+)$/.exec(sent[0]!.documentUrls[0]!)!;
    const tokens = new LinkTokens([Buffer.alloc(32, 7)]);
    const grant = tokens.verify(token!, evidenceResource(id!), stage.dependencies.now());
    expect(grant).toMatchObject({ environment, accountId: opened.accountId });
    expect(tokens.verify(token!, evidenceResource('req_another'), stage.dependencies.now())).toBeNull();
    const key = { environment, accountId: opened.accountId, evidenceId: id! };
    expect(await getEvidenceText(stage.dependencies, key)).toMatchObject({ text: 'delivered', disputeId: opened.id });
    const foreign = { ...key, accountId: account().id };
    await expect(getEvidenceText(stage.dependencies, foreign)).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  test('with documents of its own is sent with them alone', async () => {
    const { sent, wired } = taking({ kind: 'accepted' });
    const { accountId, id } = await dispute(await stage.paid());
    const urls = ['https://shop.example/receipt.pdf'];
    await submitEvidence(stage.dependencies, { environment, accountId, id, text: 'delivered', urls });
    await sendEvidence(wired);
    expect(sent).toMatchObject([{ documentUrls: urls }]);
  });

  const file = {
    ...{ id: newId('file'), name: 'receipt.pdf', mediaType: 'application/pdf' as const },
    ...{ bytes: 48_213, sha256: 'a'.repeat(64) },
  };
  const submitFile = async ({ accountId, id }: Dispute, text = 'delivered') =>
    await submitEvidence(stage.dependencies, { environment, accountId, id, text, urls: [], files: [file] });

  test('with a file is sent with a link that opens this file alone, and the file shows what became of it', async () => {
    const { sent, wired } = taking({ kind: 'accepted' });
    const opened = await dispute(await stage.paid());
    const { dispute: submitted } = await submitFile(opened);
    expect(submitted.evidence).toMatchObject([{ files: [{ ...file, status: 'WAITING' }] }]);
    await sendEvidence(wired);
    const [url = '', ...others] = sent[0]!.documentUrls;
    expect(others).toEqual([]);
    const [, id, token] = /^https:\/\/pay\.example\/evidence\/(fil_[^/]+)\/(.+)$/.exec(url)!;
    const tokens = new LinkTokens([Buffer.alloc(32, 7)]);
    expect(id).toBe(file.id);
    expect(tokens.verify(token!, evidenceResource(file.id), stage.dependencies.now())).toMatchObject({
      environment,
      accountId: opened.accountId,
    });
    expect(tokens.verify(token!, evidenceResource(newId('file')), stage.dependencies.now())).toBeNull();
    expect(await evidenceOf(opened)).toMatchObject([{ status: 'ACCEPTED', files: [{ status: 'SENT' }] }]);
  });

  test('whose text is too long for a description is a document too, beside its files', async () => {
    const { sent, wired } = taking({ kind: 'accepted' });
    await submitFile(await dispute(await stage.paid()), 'x'.repeat(2_001));
    await sendEvidence(wired);
    expect(sent[0]!.documentUrls.map((url) => url.slice(0, 'https://pay.example/evidence/req'.length))).toEqual([
      'https://pay.example/evidence/req',
      'https://pay.example/evidence/fil',
    ]);
  });

  test.each([
    ['refused with its evidence', { kind: 'refused', code: 'invalid_request', message: 'late', raw: null }, 'REFUSED'],
    ['kept where the provider takes none', null, 'KEPT'],
  ] as const)('has its files %s', async (_what, outcome, status) => {
    const opened = await dispute(await stage.paid());
    await submitFile(opened);
    const none = stage.onTheWire({ id: 'sandbox', submitEvidence: undefined });
    await sendEvidence(outcome ? taking(outcome).wired : none);
    expect(await evidenceOf(opened)).toMatchObject([{ files: [{ status }] }]);
  });

  test('that its provider will not take says so, and to operators alone in the words of the provider', async () => {
    const message = 'documento ilegível';
    const { wired } = taking({ kind: 'refused', code: 'invalid_request', message, raw: null });
    const opened = await dispute(await stage.paid());
    await submit(opened);
    await sendEvidence(wired);
    const shown = await evidenceOf(opened);
    expect(shown).toMatchObject([{ status: 'REFUSED', failureReason: 'refused' }]);
    expect(JSON.stringify(shown)).not.toContain(message);
    const { dispute: seen } = await getOperatorDispute(stage.dependencies, { id: opened.id });
    expect(seen.evidence).toMatchObject([{ failureReason: 'refused', providerMessage: message }]);
  });

  test('of a dispute that was decided meanwhile is not sent any more', async () => {
    const { sent, wired } = taking({ kind: 'accepted' });
    const opened = await dispute(await stage.paid());
    await submit(opened);
    await resolve(opened, 'lost');
    await sendEvidence(wired);
    expect(sent).toEqual([]);
    expect(await evidenceOf(opened)).toMatchObject([{ status: 'REFUSED', sentAt: null, failureReason: 'too_late' }]);
  });

  test('for a provider that takes none over its interface waits for operators', async () => {
    const { submitEvidence: _none, ...sandbox } = stage.dependencies.chargeRoutes.test[0]!.provider;
    const [route] = stage.dependencies.chargeRoutes.test;
    const without = { ...stage.dependencies, chargeRoutes: { test: [{ ...route!, provider: sandbox }], live: [] } };
    const opened = await dispute(await stage.paid());
    await submit(opened);
    await sendEvidence(without);
    const [kept] = await evidenceOf(opened);
    expect(kept).toMatchObject({ status: 'WAITING', failureReason: 'by_hand' });
  });
});
