import styles from './block.module.css';

/** Text as it was sent, in lines that scroll by themselves. */
export function Block({ label, children }: { readonly label: string; readonly children: string }) {
  return (
    // What scrolls is reached by the keyboard too.
    <pre className={styles['block']} role="region" aria-label={label} tabIndex={0}>
      {children}
    </pre>
  );
}
