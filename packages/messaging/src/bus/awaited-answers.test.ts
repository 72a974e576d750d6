import { expect, test } from 'vitest';
import { AwaitedAnswers } from '#src/bus/awaited-answers.ts';

test('an answer that comes after its question is over reaches no later question', () => {
  const answers = new AwaitedAnswers<string>('_INBOX.a');
  const first = answers.add('first');
  const second = answers.add('second');
  expect([answers.get(first), answers.get(second)]).toEqual(['first', 'second']);
  answers.delete(first);
  const third = answers.add('third');
  expect([answers.get(first), answers.get(third)]).toEqual([undefined, 'third']);
  answers.delete(first);
  expect(answers.get(third)).toBe('third');
});

test('a question has one member of the inbox as its subject, which no other question has had', () => {
  const answers = new AwaitedAnswers<number>('_INBOX.a');
  const subjects = Array.from({ length: 200 }, (_, index) => {
    const subject = answers.add(index);
    if (index % 3 === 0) answers.delete(subject);
    return subject;
  });
  for (const subject of subjects) expect(subject).toMatch(/^_INBOX\.a\.[0-9a-z-]+$/);
  expect(new Set(subjects).size).toBe(200);
  expect(subjects.map((subject) => answers.get(subject))).toEqual(
    subjects.map((_, index) => (index % 3 === 0 ? undefined : index)),
  );
});

test('what still waits is all there is, and a subject of something else is not among it', () => {
  const answers = new AwaitedAnswers<string>('_INBOX.a');
  const [over] = [answers.add('over'), answers.add('waits')];
  answers.delete(over ?? '');
  expect(answers.all()).toEqual(['waits']);
  for (const subject of ['_INBOX.a.', '_INBOX.a.*', '_INBOX.a.zzz', 'another'])
    expect(answers.get(subject)).toBe(undefined);
});
