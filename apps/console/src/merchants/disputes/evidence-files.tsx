import { useRef, useState } from 'react';
import { createFile } from '#src/generated/merchants/sdk.gen.ts';
import { Button } from '#src/look/button.tsx';
import { TextField } from '#src/look/field.tsx';
import { contract } from '#src/merchants/contract.ts';
import type { DraftFile } from '#src/merchants/disputes/evidence-draft.ts';
import styles from '#src/merchants/disputes/answer-dispute.module.css';
import { bodyOf, Refusal } from '#src/records/refusal.ts';
import { formatBytes } from '#src/texts/bytes.ts';
import { useMerchantTexts } from '#src/texts/merchants.ts';

const filesMax = 5;

interface EvidenceFilesProps {
  readonly files: readonly DraftFile[];
  readonly onChange: (change: (files: readonly DraftFile[]) => readonly DraftFile[]) => void;
  /** Why the server does not take those that are named. */
  readonly fault: string | undefined;
  /** The names of those that are on their way to the server. */
  readonly storing: readonly string[];
  readonly onStoring: (names: readonly string[]) => void;
  /** While files are stored, or the answer is sent: what is chosen then would be in none. */
  readonly isBusy: boolean;
}

/** Files beside the text: each is stored as it is chosen, so that what is wrong with it is known before the answer is sent. */
export function EvidenceFiles({ files, onChange, fault, storing, onStoring, isBusy }: EvidenceFilesProps) {
  const { texts, language } = useMerchantTexts();
  const { answer: words } = texts.disputes;
  const [refused, setRefused] = useState<readonly string[]>([]);
  const input = useRef<HTMLInputElement>(null);
  const store = async (chosen: readonly File[]) => {
    setRefused([]);
    if (files.length + chosen.length > filesMax) return setRefused([words.tooMany(filesMax)]);
    const waiting = chosen.map(({ name }) => name);
    for (const file of chosen) {
      onStoring([...waiting]);
      try {
        const { id, name, bytes, sha256 } = await bodyOf(createFile({ body: { file }, headers: contract }));
        onChange((now) => [...now.filter((each) => each.id !== id), { id, name, bytes, sha256 }]);
      } catch (error) {
        setRefused((now) => [...now, `${file.name}: ${reasonOf(error, texts.states.failed)}`]);
      }
      waiting.shift();
    }
    onStoring([]);
  };
  const remove = (id: string) => {
    onChange((now) => now.filter((each) => each.id !== id));
    // The button goes with its file.
    input.current?.focus();
  };
  return (
    <div className={styles['files']}>
      <TextField
        ref={input}
        label={words.files}
        hint={words.filesHint}
        fault={[...refused, ...(fault === undefined ? [] : [fault])].join(' ') || undefined}
        type="file"
        accept="application/pdf,image/png,image/jpeg"
        multiple
        // Not by its own attribute, with which it would lose the focus.
        aria-disabled={isBusy || undefined}
        onClick={isBusy ? (event) => event.preventDefault() : undefined}
        onChange={({ target }) => {
          if (!isBusy) void store([...(target.files ?? [])]);
          // The same file can be chosen again.
          target.value = '';
        }}
      />
      <ul>
        {files.map(({ id, name, bytes }) => (
          <li key={id}>
            <span>
              {name} <small>{formatBytes(bytes, language)}</small>
            </span>
            <Button aria-label={words.remove(name)} busy={isBusy} onClick={() => remove(id)}>
              ×
            </Button>
          </li>
        ))}
      </ul>
      <p role="status">{storing.length === 0 ? '' : `${storing.join(', ')} · ${words.storing}`}</p>
    </div>
  );
}

function reasonOf(error: unknown, unknown: string): string {
  if (!(error instanceof Refusal)) return unknown;
  return error.faults['file'] ?? error.message;
}
