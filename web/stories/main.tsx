import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { createBrowserRouter, RouterProvider } from 'react-router';
import '../app/native/head.ts';
import { Page } from './page.tsx';
import './stories.css';

// Links of pieces lead back to this page: it has no other.
const router = createBrowserRouter([{ path: '*', element: <Page /> }]);
// React Router's runtime for edits looks for it here; for the pages it draws itself it puts it there.
if (import.meta.hot) Object.assign(window, { __reactRouterDataRouter: router });
const root = document.getElementById('root');
if (root) {
  createRoot(root).render(
    <StrictMode>
      <RouterProvider router={router} />
    </StrictMode>,
  );
}
