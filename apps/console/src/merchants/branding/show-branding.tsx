import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type SyntheticEvent, useRef, useState } from 'react';
import { getBranding, replaceBranding } from '#src/generated/merchants/sdk.gen.ts';
import type { Branding } from '#src/generated/merchants/types.gen.ts';
import { Button } from '#src/look/button.tsx';
import { TextField } from '#src/look/field.tsx';
import { useOwnAccounts, useWorkplace } from '#src/merchants/account/workplace.tsx';
import styles from '#src/merchants/branding/branding.module.css';
import { PaymentPagePreview } from '#src/merchants/branding/payment-page-preview.tsx';
import { contract } from '#src/merchants/contract.ts';
import { Failed, Skeleton } from '#src/records/page-states.tsx';
import page from '#src/records/record-page.module.css';
import { bodyOf, Refusal } from '#src/records/refusal.ts';
import { useMerchantTexts } from '#src/texts/merchants.ts';

const brandingKey = ['branding'] as const;
/** Of the house, as the payment page has it in daylight; where a colour is chosen from. */
const houseColor = '#0b5f4d';

/** What payers see of the merchant on the payment pages of this mode. */
export function ShowBranding() {
  const { texts } = useMerchantTexts();
  const { branding: words } = texts;
  const { data, error, refetch } = useQuery({
    queryKey: brandingKey,
    queryFn: ({ signal }) => bodyOf(getBranding({ headers: contract, signal })),
    // What is being chosen is not replaced under the hand.
    staleTime: Infinity,
  });
  return (
    <div className={page['page']}>
      <title>{`${words.title} · ${texts.product}`}</title>
      <h1>{words.title}</h1>
      <p>{words.about}</p>
      {error ? <Failed error={error} retry={() => void refetch()} /> : null}
      {data || error ? null : <Skeleton lines={4} />}
      {data ? <Chosen kept={data} /> : null}
    </div>
  );
}

function Chosen({ kept }: { readonly kept: Branding }) {
  const { place, may } = useWorkplace();
  const [branding, setBranding] = useState(kept);
  const name = useOwnAccounts()?.find(({ id }) => id === place.accountId)?.name ?? '';
  return (
    <div className={styles['sides']}>
      {may('webhooks:write') ? (
        <BrandingForm branding={branding} choose={(change) => setBranding((now) => ({ ...now, ...change }))} />
      ) : null}
      <PaymentPagePreview branding={branding} merchantName={name} />
    </div>
  );
}

interface BrandingFormProps {
  readonly branding: Branding;
  readonly choose: (change: Partial<Branding>) => void;
}

function BrandingForm({ branding: { color, logo }, choose }: BrandingFormProps) {
  const { texts } = useMerchantTexts();
  const { branding: words } = texts;
  const { environment } = useWorkplace();
  const queries = useQueryClient();
  const file = useRef<HTMLInputElement>(null);
  const save = useMutation({
    mutationFn: () => bodyOf(replaceBranding({ body: { color, logo }, headers: contract })),
    onSuccess: (saved) => {
      queries.setQueryData(brandingKey, saved);
      choose(saved);
    },
  });
  const faults = save.error instanceof Refusal ? save.error.faults : {};
  const change = (to: Partial<Branding>) => {
    // What was wrong with it does not stand beside another one.
    save.reset();
    choose(to);
  };
  const submit = (event: SyntheticEvent) => {
    event.preventDefault();
    if (!save.isPending) save.mutate();
  };
  const take = async (chosen: File | undefined) => {
    if (chosen) change({ logo: await base64Of(chosen) });
  };
  const takeOut = () => {
    change({ logo: null });
    // The same file can be chosen again.
    if (file.current) file.current.value = '';
  };
  return (
    <form className={styles['form']} onSubmit={submit}>
      <TextField
        label={words.color}
        hint={color ?? words.house}
        type="color"
        value={color ?? houseColor}
        onChange={({ target }) => change({ color: target.value })}
        fault={faults['color']}
      />
      <TextField
        ref={file}
        label={words.logo}
        hint={words.logoHint}
        type="file"
        accept="image/png"
        onChange={({ target }) => void take(target.files?.[0])}
        fault={faults['logo']}
      />
      {color === null && logo === null ? null : (
        <div className={styles['buttons']}>
          {color === null ? null : <Button onClick={() => change({ color: null })}>{words.toHouse}</Button>}
          {logo === null ? null : <Button onClick={takeOut}>{words.withoutLogo}</Button>}
        </div>
      )}
      {save.error ? <Failed error={save.error} /> : null}
      <p>
        <Button type="submit" look="primary" busy={save.isPending}>
          {words.save[environment]}
        </Button>{' '}
        <span role="status">{save.isSuccess ? words.saved : ''}</span>
      </p>
    </form>
  );
}

/** The bytes of a file as the interface takes them. */
async function base64Of(file: File): Promise<string> {
  const bytes = new Uint8Array(await file.arrayBuffer());
  return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''));
}
