import { index, layout, type RouteConfig, route } from '@react-router/dev/routes';

export default [
  index('public/landing/page.tsx'),
  layout('public/site-layout.tsx', [
    route('aboutus', 'public/aboutus/page.tsx'),
    route('contactus', 'public/contactus/page.tsx'),
    route('privacy', 'public/privacy/page.tsx'),
    route('privacypolicy', 'public/privacypolicy/page.tsx'),
    route('blog', 'public/blog/page.tsx'),
    route('blog/:slug', 'public/blogpost/page.tsx'),
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
    route('transaction', 'investor/transaction/page.tsx'),
    route('investment', 'investor/investment/page.tsx'),
    route('profile', 'investor/profile/page.tsx'),
    // The phone's addresses. The first two are the same screens, which fit themselves to the width.
    route('mobiletransaction', 'investor/transaction/page.tsx', { id: 'mobiletransaction' }),
    route('mobileinvestment', 'investor/investment/page.tsx', { id: 'mobileinvestment' }),
    route('mobilesettings', 'investor/settings/page.tsx'),
    route('mobileuserprofile', 'investor/profile/phone-page.tsx'),
    route('passwordchange', 'investor/passwordchange/page.tsx'),
    route('mobileaboutus', 'investor/aboutus/page.tsx'),
    route('mobilecontactus', 'investor/contactus/page.tsx'),
  ]),
] satisfies RouteConfig;
