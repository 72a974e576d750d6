import styles from './status.module.css';

/** What a state means for its reader: it decides colour and shape together, so that neither stands alone. */
export type Tone = 'good' | 'wait' | 'bad' | 'info' | 'neutral';

interface StatusProps {
  readonly tone: Tone;
  readonly word: string;
}

/** A state as shape, icon and word. */
export function Status({ tone, word }: StatusProps) {
  return (
    <span className={`${styles['status']} ${styles[tone]}`}>
      <svg viewBox="0 0 12 12" width="12" height="12" aria-hidden="true" focusable="false">
        {shapes[tone]}
      </svg>
      {word}
    </span>
  );
}

const stroke = { fill: 'none', stroke: 'currentColor', strokeWidth: 1.5, strokeLinecap: 'round' } as const;
const cutOut = { fill: 'none', stroke: 'var(--cut-out)', strokeWidth: 1.5, strokeLinecap: 'round' } as const;

/** Disc with a check, clock, square with a cross, diamond, ring with a dash. */
const shapes = {
  good: (
    <>
      <circle cx="6" cy="6" r="5.5" fill="currentColor" />
      <path d="M3.5 6.2 5.3 8l3.2-4" {...cutOut} strokeLinejoin="round" />
    </>
  ),
  wait: (
    <>
      <circle cx="6" cy="6" r="4.75" {...stroke} />
      <path d="M6 3.4V6l1.8 1.2" {...stroke} strokeLinejoin="round" />
    </>
  ),
  bad: (
    <>
      <rect x="0.5" y="0.5" width="11" height="11" rx="1.5" fill="currentColor" />
      <path d="m4 4 4 4m0-4L4 8" {...cutOut} />
    </>
  ),
  info: <path d="m6 1 5 5-5 5-5-5z" {...stroke} strokeLinejoin="round" />,
  neutral: (
    <>
      <circle cx="6" cy="6" r="4.75" {...stroke} />
      <path d="M4 6h4" {...stroke} />
    </>
  ),
} satisfies Record<Tone, React.ReactNode>;
