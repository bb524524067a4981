import { expect, type Page } from '@playwright/test';
import { foundPaths, publicPaths } from '@tallystick/contract/site';
import { posts } from './posts.ts';

export const toRead: string[] = [...foundPaths, ...Object.keys(posts)];
export const paths: string[] = [...publicPaths, ...Object.keys(posts)];

/** What the pages of the sign-in and the landing page are called. */
const pages: Record<string, { title: string; heading: RegExp }> = {
  '/': {
    title: 'Tallystick | Buy & Invest Crypto Tokens Easily',
    heading: /^Buy & Invest\s+Crypto Tokens\s+Easily$/,
  },
  '/login': { title: 'Log In | Tallystick', heading: /^Welcome back$/ },
  '/signup': { title: 'Sign Up | Tallystick', heading: /^Create A Personal Account$/ },
  '/verifyemail': { title: 'Activate Your Account | Tallystick', heading: /^Activate Your Account$/ },
  '/emailsuccess': {
    title: 'Email Verification Successful | Tallystick',
    heading: /^Email Verification Successful$/,
  },
  '/forgotpass': { title: 'Forgot Password | Tallystick', heading: /^Forgot password$/i },
  '/verifyforgotcode': { title: 'Verify Code | Tallystick', heading: /^Enter the code$/ },
  '/updatepass': { title: 'Update Password | Tallystick', heading: /^Choose a new password$/ },
  '/changepasssuccess': {
    title: 'Password Change Successfuly | Tallystick',
    heading: /^Password Change Successfuly$/,
  },
  '/stopchange': { title: 'Stop a Change | Tallystick', heading: /^Stop a change$/ },
};

/** A page without a line above still has to name itself and the site. */
const unnamed = { title: /^.+ \| Tallystick$/, heading: /\S/ };

export async function expectPage(page: Page, path: string) {
  const { title, heading } = pages[path] ?? unnamed;
  const headings = page.getByRole('heading', { level: 1 });
  await expect(page).toHaveTitle(title);
  await expect(headings).toHaveCount(1);
  await expect(headings).toBeVisible();
  await expect(headings).toHaveText(heading);
}
