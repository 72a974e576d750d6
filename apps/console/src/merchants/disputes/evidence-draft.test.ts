import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { emptyDraft, keepDraft, readDraft } from '#src/merchants/disputes/evidence-draft.ts';
import { dropDrafts } from '#src/session/drafts.ts';

const kept = new Map<string, string>();
beforeEach(() => {
  kept.clear();
  vi.stubGlobal('localStorage', {
    get length() {
      return kept.size;
    },
    key: (index: number) => [...kept.keys()][index] ?? null,
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
    removeItem: (key: string) => void kept.delete(key),
  });
});
afterEach(() => void vi.unstubAllGlobals());

const olga = { personId: 'per_olga', disputeId: 'med_1' };
const draft = { ...emptyDraft, text: 'the parcel was signed for by Maria' };

test('what a person has typed is kept for that person and that dispute alone, and an empty draft is none', () => {
  keepDraft(olga, draft);
  expect(readDraft(olga)).toEqual(draft);
  for (const other of [{ personId: 'per_otto' }, { disputeId: 'med_2' }]) {
    expect(readDraft({ ...olga, ...other })).toEqual(emptyDraft);
  }
  keepDraft(olga, emptyDraft);
  expect(kept.size).toBe(0);
});

test('signing out leaves nothing that was typed, and what the browser was set to', () => {
  kept.set('language', 'en');
  for (const disputeId of ['med_1', 'med_2']) keepDraft({ ...olga, disputeId }, draft);
  dropDrafts();
  expect([...kept]).toEqual([['language', 'en']]);
});
