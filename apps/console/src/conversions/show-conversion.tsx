import { getConversion, getConversionTimeline } from '#src/generated/sdk.gen.ts';
import { Money } from '#src/money/money.tsx';
import { AccountLink } from '#src/records/account-link.tsx';
import { Facts } from '#src/records/facts.tsx';
import { RecordHeading } from '#src/records/record-heading.tsx';
import { RecordTimeline } from '#src/records/record-timeline.tsx';
import { bodyOf } from '#src/records/refusal.ts';
import { ShowRecord } from '#src/records/show-record.tsx';
import { useOperatorTexts } from '#src/texts/operators.ts';
import { formatTime, fromUnix } from '#src/texts/time.ts';

/** One conversion: both amounts, the rate between them, and what it was bought by. */
export function ShowConversion({ id }: { readonly id: string }) {
  const { texts, language } = useOperatorTexts();
  const { conversions, facts } = texts;
  const queryKey = ['conversion', id];
  return (
    <ShowRecord
      queryKey={queryKey}
      read={(signal) => bodyOf(getConversion({ path: { id }, signal }))}
      heading={({ conversion }) => (
        <RecordHeading
          kind={conversions.one}
          record={{ ...conversion, amount_cents: conversion.from_amount, currency: conversion.from }}
          tone="good"
          state={conversion.status}
        />
      )}
    >
      {({ conversion }) => (
        <>
          <Facts
            facts={[
              [facts.account, <AccountLink key="account" id={conversion.account_id} />],
              [facts.environment, texts.environment[conversion.environment]],
              [conversions.to, <Money key="to" amount={conversion.to_amount} currency={conversion.to} />],
              [conversions.rate, conversion.rate],
              [facts.externalId, conversion.external_id],
              [conversions.covered, conversion.covered_by ?? conversions.notCovered],
              [facts.created, formatTime(fromUnix(conversion.created_at), language)],
            ]}
          />
          <RecordTimeline
            queryKey={queryKey}
            state={conversion.status}
            read={(signal) => bodyOf(getConversionTimeline({ path: { id }, signal }))}
          />
        </>
      )}
    </ShowRecord>
  );
}
