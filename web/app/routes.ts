import { index, layout, type RouteConfig, route } from '@react-router/dev/routes';
import { investorPaths } from '@tallystick/contract/site';

/** The screens of the investor's area that a later release opens; until then one page stands for them all. */
const notOpenYet = investorPaths.filter((path) => path !== '/dashboard');

export default [
  layout('public/site-layout.tsx', [
    index('public/landing/page.tsx'),
    route('*', 'public/notfound/page.tsx'),
  ]),
  route('login', 'public/login/page.tsx'),
  route('signup', 'public/signup/page.tsx'),
  route('verifyemail', 'public/verifyemail/page.tsx'),
  route('emailsuccess', 'public/emailsuccess/page.tsx'),
  route('forgotpass', 'public/forgotpass/page.tsx'),
  route('verifyforgotcode', 'public/verifyforgotcode/page.tsx'),
  route('updatepass', 'public/updatepass/page.tsx'),
  route('changepasssuccess', 'public/changepasssuccess/page.tsx'),
  layout('investor/layout.tsx', [
    route('dashboard', 'investor/dashboard/page.tsx'),
    ...notOpenYet.map((path) => route(path, 'investor/notopen/page.tsx', { id: `notopen${path}` })),
  ]),
] satisfies RouteConfig;
