/**
 * The addresses of the site. The web app prerenders the public ones and routes all of them; the server answers
 * exactly these with 200 and everything else with a real 404.
 */

/** Pages to read. Together with the posts of the blog they are what search engines are told of. */
export const readingPaths = ['/', '/aboutus', '/privacy', '/privacypolicy', '/contactus', '/blog'] as const;

export const publicPaths = [
  ...readingPaths,
  '/login',
  '/signup',
  '/verifyemail',
  '/emailsuccess',
  '/forgotpass',
  '/verifyforgotcode',
  '/updatepass',
  '/changepasssuccess',
] as const;

/**
 * Stands for the site's own address wherever a page, the site map or the robots file needs a whole one: they are
 * built before it is known. The server puts the real one in its place.
 */
export const placeholderOrigin = 'https://site.invalid';

/** Shown only with stored user data; without it the browser goes to `/`. */
export const investorPaths = [
  '/dashboard',
  '/profile',
  '/transaction',
  '/investment',
  '/mobileinvestment',
  '/mobiletransaction',
  '/mobilesettings',
  '/mobileuserprofile',
  '/passwordchange',
  '/mobileaboutus',
  '/mobilecontactus',
] as const;

/** The operator's console. Its sign-in page is as open as any; everything else shows only to an operator. */
export const operatorPaths = [
  '/operator',
  '/operator/login',
  '/operator/investors',
  '/operator/investors/:id',
  '/operator/plans',
  '/operator/methods',
  '/operator/books',
  '/operator/audit',
  '/operator/messages',
  '/operator/checklist',
] as const;
