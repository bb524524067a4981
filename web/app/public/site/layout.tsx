import { Outlet } from 'react-router';
import { SiteFrame } from './frame.tsx';

export default function SiteLayout() {
  return (
    <SiteFrame>
      <Outlet />
    </SiteFrame>
  );
}
