import { z } from 'zod';
import type { BacenBank } from '#src/bacen/bank.ts';
import { Problem } from '#src/bacen/problem.ts';
import { removeTargets, replaceTarget, targetsOf } from '#src/bank/targets.ts';

const registrationSchema = z.object({ webhookUrl: z.url({ protocol: /^https?$/ }) });

/** `PUT /webhook/{chave}`; one address per key. As at Efí, the new address gets a test notification. */
export async function putWebhook(bank: BacenBank, key: string, body: unknown): Promise<void> {
  const parsed = registrationSchema.safeParse(body);
  if (!parsed.success) {
    throw new Problem('WebhookOperacaoInvalida', [
      { razao: 'Campo webhook.webhookUrl não respeita o _schema_.', propriedade: 'webhook.webhookUrl' },
    ]);
  }
  const { webhookUrl: url } = parsed.data;
  const { dialect } = bank.account;
  await replaceTarget(bank, { dialect, topic: key, name: key, url, active: true });
  const now = bank.now();
  const probe = JSON.stringify({ evento: 'teste_webhook', data_criacao: now.toISOString() });
  await bank.database.query(
    `insert into notification (dialect, topic, url, body, state, due_at, created_at) values ($1, $2, $3, $4, 'PENDING', $5, $5)`,
    [dialect, key, url, probe, now],
  );
  bank.wake();
}

/** `GET /webhook/{chave}` */
export async function getWebhook({ database, account }: BacenBank, key: string): Promise<object> {
  const [target] = await targetsOf({ sql: database.query.bind(database) }, account.dialect, key);
  if (!target) throw new Problem('WebhookNaoEncontrado');
  return { webhookUrl: target.url, chave: key, criacao: target.createdAt.toISOString() };
}

/** `DELETE /webhook/{chave}` */
export async function deleteWebhook(bank: BacenBank, key: string): Promise<void> {
  if (!(await removeTargets(bank, bank.account.dialect, { topic: key }))) throw new Problem('WebhookNaoEncontrado');
}
