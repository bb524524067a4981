import { index, layout, type RouteConfig, route } from '@react-router/dev/routes';
import { siteMap } from '@tallystick/contract/site';

const { '/': landing, ...framed } = siteMap.reading;
const { '/operator/login': operatorLogin, ...behindGuard } = siteMap.operator;

/** Each route bears its address as its name, because two of the phone's addresses show the screen of another. */
const pages = (area: string, folders: Readonly<Record<string, string>>) =>
  Object.entries(folders).map(([path, folder]) =>
    route(path.slice(1), `${area}/${folder}/page.tsx`, { id: path }),
  );

export default [
  layout('public/site/reading.tsx', [
    // Its frame has a strip of prices, which it brings itself.
    index(`public/${landing}/page.tsx`),
    layout('public/site/layout.tsx', [...pages('public', framed), route('*', 'public/notfound/page.tsx')]),
  ]),
  layout('public/site/layout.tsx', { id: 'contact' }, pages('public', siteMap.contact)),
  ...pages('public', siteMap.auth),
  layout('investor/frame/layout.tsx', pages('investor', siteMap.investor)),
  ...pages('operator', { '/operator/login': operatorLogin }),
  layout('operator/frame/layout.tsx', pages('operator', behindGuard)),
] satisfies RouteConfig;
