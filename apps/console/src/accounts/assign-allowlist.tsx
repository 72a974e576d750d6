import { Change } from '#src/changes/change.tsx';
import { linesIn, textIn } from '#src/changes/typed.ts';
import { replaceKeyAllowlist } from '#src/generated/sdk.gen.ts';
import type { Key } from '#src/generated/types.gen.ts';
import { TextArea } from '#src/look/field.tsx';
import { bodyOf } from '#src/records/refusal.ts';
import { useMay } from '#src/session/session.tsx';
import { useOperatorTexts } from '#src/texts/operators.ts';

interface AssignAllowlistProps {
  readonly apiKey: Key;
  /** An address that the list has besides when it opens. */
  readonly adding?: string;
}

/** Proposes other addresses for a key, for an account that is locked out of it. */
export function AssignAllowlist({ apiKey, adding }: AssignAllowlistProps) {
  const { texts } = useOperatorTexts();
  const { allowlist, assign: words, refused } = texts.accounts.keys;
  const may = useMay();
  const { public_key: publicKey, ip_allowlist: entries } = apiKey;
  const assign = (typed: FormData) => {
    const body = { entries: linesIn(typed, 'entries'), reason: textIn(typed, 'reason') };
    return bodyOf(replaceKeyAllowlist({ path: { publicKey }, body }));
  };
  if (!may('accounts:propose')) return null;
  return (
    <Change
      open={adding === undefined ? words.open : refused.add}
      title={words.title}
      about={words.about}
      confirm={words.confirm}
      hasReason
      send={assign}
    >
      <TextArea
        name="entries"
        label={allowlist}
        hint={words.hint}
        defaultValue={[...entries, ...(adding === undefined ? [] : [adding])].join('\n')}
        autoComplete="off"
      />
    </Change>
  );
}
