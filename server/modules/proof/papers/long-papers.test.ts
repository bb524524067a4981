import { expect, it } from 'vitest';
import { checkPaper } from '../../../../verify/paper.ts';
import { testKey } from '../../../../verify/testing/signing.ts';
import { writeEntries } from '../../../testing/account/entries.ts';
import { signedIn } from '../../../testing/people.ts';
import { startTestApp } from '../../../testing/start-app.ts';
import { createPapers, pdfLinesMax } from './service.ts';

const log = testKey('books.example/log');
const days = { from: '2026-01-01', to: '2026-01-31' };

it('of a long account there is no PDF, but the files for programs have every entry', async () => {
  const test = await startTestApp();
  try {
    const { userid: userId } = await signedIn(test);
    await writeEntries(test.database.adminUrl, userId, pdfLinesMax + 1);
    const { db } = test.context;
    const sign = (text: string) => `${text}\n${log.signature(text)}`;
    const house = { sign, origin: log.name, brand: 'Tallystick', sample: false };
    const papers = createPapers({ db, clock: test.clock, ...house });
    await expect(papers.paper({ userId, kind: 'pdf', ...days })).rejects.toMatchObject({
      code: 'outside_range',
      message: expect.stringContaining('Choose fewer days'),
    });
    for (const kind of ['csv', 'json'] as const) {
      const { body } = await papers.paper({ userId, kind, ...days });
      const pieces: Buffer[] = await body.toArray();
      const file = Buffer.concat(pieces);
      expect(pieces.length, 'it comes in pieces').toBeGreaterThan(5);
      expect(checkPaper(file, log.vkey)).toMatchObject({ kind, wallet: { seq: pdfLinesMax + 1 } });
      expect(file.toString().match(/TS-LONG-\d+/g)).toHaveLength(pdfLinesMax + 1);
    }
  } finally {
    await test.close();
  }
});
