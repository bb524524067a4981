/**
 * The addresses of the site. The web app prerenders the public ones and routes all of them; the server answers
 * exactly these with 200 and everything else with a real 404.
 */
export const publicPaths = [
  '/',
  '/login',
  '/signup',
  '/verifyemail',
  '/emailsuccess',
  '/forgotpass',
  '/verifyforgotcode',
  '/updatepass',
  '/changepasssuccess',
] as const;

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
