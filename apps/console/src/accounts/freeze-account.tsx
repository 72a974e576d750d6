import { useQuery } from '@tanstack/react-query';
import { Change } from '#src/changes/change.tsx';
import { Chosen, Selected } from '#src/changes/fields.tsx';
import { oneOf, textIn } from '#src/changes/typed.ts';
import { freezeAccount, listPayouts, unfreezeAccount } from '#src/generated/sdk.gen.ts';
import type { Account } from '#src/generated/types.gen.ts';
import { bodyOf } from '#src/records/refusal.ts';
import { useOperatorTexts } from '#src/texts/operators.ts';

const levels = ['payouts', 'writes'] as const;
const places = ['both', 'live', 'test'] as const;
const countedMax = 100;

interface AccountProps {
  readonly account: Account;
}

/** Stops an account at once: one person does it, two lift it. */
export function FreezeAccount({ account: { id } }: AccountProps) {
  const { texts } = useOperatorTexts();
  const { freeze, everywhere } = texts.accounts;
  const send = async (typed: FormData) => {
    const place = oneOf(typed, 'environment', places);
    const where = place === 'both' ? {} : { environment: place };
    const body = { level: oneOf(typed, 'level', levels), reason: textIn(typed, 'reason'), ...where };
    await bodyOf(freezeAccount({ path: { id }, body }));
  };
  return (
    <Change
      open={freeze.open}
      look="danger"
      title={freeze.title}
      about={
        <>
          {freeze.about} <OpenPayouts accountId={id} />
        </>
      }
      confirm={freeze.confirm}
      hasReason
      send={send}
    >
      <Chosen
        name="level"
        label={freeze.level}
        options={[
          { value: 'payouts', label: freeze.payouts, about: freeze.payoutsAbout },
          { value: 'writes', label: freeze.writes, about: freeze.writesAbout },
        ]}
        initial="payouts"
      />
      <Selected
        name="environment"
        label={freeze.where}
        options={[
          { value: 'both', label: everywhere },
          { value: 'live', label: texts.environment.live },
          { value: 'test', label: texts.environment.test },
        ]}
        initial="both"
      />
    </Change>
  );
}

/** How many payouts have not ended: it is known before they are held. */
function OpenPayouts({ accountId }: { readonly accountId: string }) {
  const { texts } = useOperatorTexts();
  const { data } = useQuery({
    queryKey: ['open-payouts', accountId],
    queryFn: async ({ signal }) => {
      const states = ['PENDING', 'PROCESSING'] as const;
      const open = states.map((status) => {
        const query = { account_id: accountId, status, limit: countedMax };
        return bodyOf(listPayouts({ query, signal }));
      });
      const pages = await Promise.all(open);
      const count = pages.reduce((sum, { data: rows }) => sum + rows.length, 0);
      return pages.some(({ next_cursor: more }) => more !== null) ? `${count}+` : String(count);
    },
  });
  return data === undefined ? null : texts.accounts.freeze.openPayouts(data);
}

/** Proposes to let an account go on. */
export function LiftFreeze({ account: { id, frozen } }: AccountProps) {
  const { texts } = useOperatorTexts();
  const { lift } = texts.accounts;
  const environment = frozen?.environment ?? null;
  const where = environment === null ? {} : { environment };
  return (
    <Change
      open={lift.open}
      title={lift.title}
      about={lift.about}
      confirm={lift.confirm}
      hasReason
      send={(typed) => bodyOf(unfreezeAccount({ path: { id }, body: { ...where, reason: textIn(typed, 'reason') } }))}
    />
  );
}
