import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { testWebhook, updateWebhook } from '#src/generated/merchants/sdk.gen.ts';
import type { Webhook, WebhookStatus, WebhookTestResult } from '#src/generated/merchants/types.gen.ts';
import { Button } from '#src/look/button.tsx';
import { Status } from '#src/look/status.tsx';
import { useWorkplace } from '#src/merchants/account/workplace.tsx';
import { contract } from '#src/merchants/contract.ts';
import { ReplayEvents } from '#src/merchants/events/replay-events.tsx';
import { answerOf } from '#src/merchants/webhooks/describe-delivery.ts';
import { RecoverDeliveries } from '#src/merchants/webhooks/recover-deliveries.tsx';
import { RemoveEndpoint } from '#src/merchants/webhooks/remove-endpoint.tsx';
import { RotateSecret } from '#src/merchants/webhooks/rotate-secret.tsx';
import { useEndpointsChanged } from '#src/merchants/webhooks/use-endpoints.ts';
import { Failed } from '#src/records/page-states.tsx';
import { bodyOf } from '#src/records/refusal.ts';
import { useMerchantTexts } from '#src/texts/merchants.ts';
import styles from './endpoint-actions.module.css';

interface EndpointActionsProps {
  readonly endpoint: Webhook;
  readonly queryKey: readonly string[];
}

const headers = contract;

/** What those may do with an endpoint who may change it: test it, stop it, send what failed once more, change its secret. */
export function EndpointActions({ endpoint, queryKey }: EndpointActionsProps) {
  const { texts } = useMerchantTexts();
  const { webhooks } = texts;
  const { may } = useWorkplace();
  const queries = useQueryClient();
  const endpointsChanged = useEndpointsChanged();
  const [isOpen, setOpen] = useState<'recover' | 'replay' | 'rotate' | 'remove'>();
  const close = () => setOpen(undefined);
  const { id, status } = endpoint;
  const path = { id };
  const onSettled = async () => {
    await queries.invalidateQueries({ queryKey });
    await endpointsChanged();
  };
  const check = useMutation({ mutationFn: () => bodyOf(testWebhook({ path, headers })) });
  const change = useMutation({
    mutationFn: (to: WebhookStatus) => bodyOf(updateWebhook({ path, headers, body: { status: to } })),
    onSettled,
  });
  if (!may('webhooks:write')) return null;
  const error = check.error ?? change.error;
  return (
    <section className={styles['actions']}>
      <div className={styles['buttons']}>
        {status === 'enabled' ? (
          <Button look="primary" busy={check.isPending} onClick={() => check.mutate()}>
            {webhooks.test}
          </Button>
        ) : (
          <Button look="primary" busy={change.isPending} onClick={() => change.mutate('enabled')}>
            {webhooks.enable}
          </Button>
        )}
        <Button onClick={() => setOpen('recover')}>{webhooks.recover.open}</Button>
        <Button onClick={() => setOpen('replay')}>{texts.events.replay.open}</Button>
        <Button onClick={() => setOpen('rotate')}>{webhooks.rotation.open}</Button>
        {status === 'enabled' ? (
          <Button busy={change.isPending} onClick={() => change.mutate('paused')}>
            {webhooks.pause}
          </Button>
        ) : null}
        <Button look="danger" onClick={() => setOpen('remove')}>
          {webhooks.removal.open}
        </Button>
      </div>
      <p role="status" className={styles['result']}>
        {check.data ? <TestResult result={check.data} /> : null}
      </p>
      {error ? <Failed error={error} /> : null}
      <RecoverDeliveries id={id} open={isOpen === 'recover'} onClose={close} />
      <ReplayEvents endpointId={id} open={isOpen === 'replay'} onClose={close} />
      <RemoveEndpoint id={id} open={isOpen === 'remove'} onClose={close} />
      <RotateSecret id={id} open={isOpen === 'rotate'} onClose={close} />
    </section>
  );
}

function TestResult({ result }: { readonly result: WebhookTestResult }) {
  const { texts } = useMerchantTexts();
  const { webhooks } = texts;
  const { delivered, latency_ms: ms } = result;
  return (
    <>
      <Status tone={delivered ? 'good' : 'bad'} word={delivered ? webhooks.testPassed : webhooks.testFailed} />
      {` ${answerOf(result)} · ${ms} ms`}
    </>
  );
}
