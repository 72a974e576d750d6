import { useNavigate } from '@tanstack/react-router';
import { Change } from '#src/changes/change.tsx';
import { textIn } from '#src/changes/typed.ts';
import { createAccount } from '#src/generated/sdk.gen.ts';
import { TextField } from '#src/look/field.tsx';
import { bodyOf } from '#src/records/refusal.ts';
import { useOperatorTexts } from '#src/texts/operators.ts';

const nameLengthMax = 120;

/** Makes an account, and opens it. */
export function CreateAccount() {
  const { texts } = useOperatorTexts();
  const { accounts } = texts;
  const { create } = accounts;
  const navigate = useNavigate();
  const send = async (typed: FormData) => {
    const document = textIn(typed, 'document');
    const body = { name: textIn(typed, 'name'), ...(document === '' ? {} : { document }) };
    const { id } = await bodyOf(createAccount({ body }));
    await navigate({ to: '/accounts/$id', params: { id } });
  };
  return (
    <Change open={create.open} title={create.title} about={create.about} confirm={create.confirm} send={send}>
      <TextField name="name" label={accounts.name} maxLength={nameLengthMax} autoComplete="off" required />
      <TextField name="document" label={create.document} autoComplete="off" />
    </Change>
  );
}
