import { expect, test } from '../../fixtures.ts';
import { expectPage, paths, toRead } from '../../looking/public-pages.ts';

test.use({ javaScriptEnabled: false });

/** Words from every part of a page, those that are folded away with scripts among them. */
const words: Record<string, RegExp[]> = {
  '/': [
    /Buy & Invest/,
    /Written once/,
    /Can I lose money\?/,
    /A withdrawal has no fee/,
    /work out the codes yourself/,
    /The risks, in plain words/,
  ],
  '/aboutus': [/Our mission/, /Our forte/, /Head of Finance/, /Users come first/],
  '/privacy': [
    /run your account/,
    /Work for ten minutes/,
    /The price service/,
    /Six cookies/,
    /Read the full policy/,
  ],
  '/privacypolicy': [/Who is responsible/, /Your rights/],
  '/proof': [/The statements are shown with JavaScript/, /golang\.org\/x\/mod/, /Run a witness/],
  '/contactus': [/sales@/, /support@/, /Mon–Friday 8am–4pm/, /24\/7 live chat/, /UK office/],
  '/blog': [/How fixed plans work/],
  '/blog/how-to-check-your-balance': [/compare the codes/],
  '/blog/how-fixed-plans-work': [/\$5,095\.00/],
  '/blog/the-risks-in-plain-words': [/Someone may pretend to be us/],
};

test('with JavaScript switched off every page can be read', async ({ page }) => {
  expect(Object.keys(words).toSorted()).toEqual(toRead.toSorted());
  for (const path of paths) {
    await page.goto(path);
    await expectPage(page, path);
    for (const expected of words[path] ?? [/.{40}/s]) {
      await expect(page.getByRole('main'), path).toContainText(expected, { useInnerText: true });
    }
  }
});
