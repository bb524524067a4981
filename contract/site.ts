/**
 * The site map: every address of the site and, within the folder of its area in `web/app`, the folder of its page. The
 * web app's routes and what is prerendered follow from it, what search engines are told, where a sign-in may lead, and
 * which addresses the server answers with 200; everything else gets a real 404.
 */
export const siteMap = {
  /** Pages that are only read: they carry no app, and whoever comes from the app loads them like any other page. */
  reading: {
    '/': 'landing',
    '/aboutus': 'aboutus',
    '/privacy': 'privacy',
    '/privacypolicy': 'privacypolicy',
    '/blog': 'blog',
    '/blog/:slug': 'blogpost',
    '/proof': 'proof',
  },
  /** Stands between them and has a form, which is the app's. */
  contact: { '/contactus': 'contactus' },
  /** Signing up, in, and in again with a new password. */
  auth: {
    '/login': 'login',
    '/signup': 'signup',
    '/verifyemail': 'verifyemail',
    '/emailsuccess': 'emailsuccess',
    '/forgotpass': 'forgotpass',
    '/verifyforgotcode': 'verifyforgotcode',
    '/updatepass': 'updatepass',
    '/changepasssuccess': 'changepasssuccess',
    // Beside what is specified: where the links of letters lead that stop what they tell of.
    '/stopchange': 'stopchange',
    // And where closing an account ends.
    '/accountclosed': 'accountclosed',
  },
  /** Shown only with stored user data; without it the browser goes to `/`. */
  investor: {
    '/dashboard': 'dashboard',
    '/profile': 'profile',
    '/transaction': 'transaction',
    '/investment': 'investment',
    // What everybody may see of it stands under /proof.
    '/myproof': 'proof',
    // Beside what is specified: the second factor.
    '/security': 'security',
    // The address book.
    '/addresses': 'addresses',
    // And what happened, behind the bell.
    '/notices': 'notices',
    // The phone's addresses. The first two are the same screens, which fit themselves to the width.
    '/mobileinvestment': 'investment',
    '/mobiletransaction': 'transaction',
    '/mobilesettings': 'settings',
    '/mobileuserprofile': 'userprofile',
    '/passwordchange': 'passwordchange',
    '/mobileaboutus': 'aboutus',
    '/mobilecontactus': 'contactus',
  },
  /** The operator's console. Its sign-in page is as open as any; everything else shows only to an operator. */
  operator: {
    '/operator': 'queue',
    '/operator/login': 'login',
    '/operator/investors': 'investors',
    '/operator/investors/:id': 'investor',
    '/operator/payouts': 'payouts',
    '/operator/payouts/:id': 'payout',
    '/operator/plans': 'plans',
    '/operator/methods': 'methods',
    '/operator/books': 'books',
    '/operator/audit': 'audit',
    '/operator/messages': 'messages',
    '/operator/checklist': 'checklist',
    '/operator/account': 'account',
  },
} as const;

export type InvestorPath = keyof typeof siteMap.investor;
export type OperatorPath = keyof typeof siteMap.operator;

/** What search engines are told of. Without the posts of the blog, which whoever has read them adds. */
export const foundPaths = Object.keys({ ...siteMap.reading, ...siteMap.contact }).filter(
  (path) => !path.includes(':'),
);
export const publicPaths = [...foundPaths, ...Object.keys(siteMap.auth)];
/** Where nothing of ours is: the page that is shown instead is built at this address and answers at no other. */
export const strayPath = '/404';
export const investorPaths = Object.keys(siteMap.investor);
export const operatorPaths = Object.keys(siteMap.operator);

/**
 * Stands for the site's own address wherever a page, the site map or the robots file needs a whole one: they are
 * built before it is known. The server puts the real one in its place.
 */
export const placeholderOrigin = 'https://site.invalid';
