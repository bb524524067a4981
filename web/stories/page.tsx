import type { ComponentType } from 'react';
import { Toasts } from '../app/ui/overlays/toast.tsx';
import { actions } from './actions.tsx';
import { brand } from './brand.tsx';
import { facts } from './facts.tsx';
import { forms } from './forms.tsx';
import { layout } from './layout.tsx';
import { lists } from './lists.tsx';
import { overlays } from './overlays.tsx';
import { type Scheme, SchemeContext, type Stories } from './story.ts';

const rooms: Record<string, Stories> = { actions, brand, facts, forms, layout, lists, overlays };
const schemes: Record<Scheme, string> = { light: '[color-scheme:light]', dark: '[color-scheme:dark]' };

/** Every piece of `app/ui` in its states, in light and in dark side by side. */
export function Page() {
  return (
    <main id="main" className="mx-auto grid w-full max-w-[1440px] gap-10 px-4 py-8 tablet:px-8">
      <header className="grid gap-3">
        <div className="flex flex-wrap items-center justify-between gap-x-4">
          <h1 className="text-title font-semibold">UI pieces</h1>
          <a href="/" className="py-2.5 text-control font-semibold text-accent-text hover:underline">
            Back to site
          </a>
        </div>
        <nav aria-label="Rooms" className="flex flex-wrap gap-x-4 text-control">
          {Object.keys(rooms).map((room) => (
            <a key={room} href={`#${room}`} className="py-1.5 text-accent-text hover:underline">
              {room}
            </a>
          ))}
        </nav>
      </header>
      {Object.entries(rooms).map(([room, stories]) => (
        <section key={room} id={room} aria-label={room} className="grid grid-cols-[minmax(0,1fr)] gap-6">
          <h2 className="border-b border-line pb-1.5 text-large font-semibold">{room}</h2>
          {Object.entries(stories).map(([name, Show]) => (
            <Shown key={name} name={name} Show={Show} />
          ))}
        </section>
      ))}
      <Toasts />
    </main>
  );
}

function Shown({ name, Show }: { name: string; Show: ComponentType }) {
  return (
    <article className="grid grid-cols-[minmax(0,1fr)] gap-2">
      <h3 className="text-caption font-label text-3">{name}</h3>
      <div className="grid grid-cols-[minmax(0,1fr)] gap-3 desktop:grid-cols-2">
        {(['light', 'dark'] as const).map((scheme) => (
          <SchemeContext key={scheme} value={scheme}>
            <div
              className={`grid grid-cols-[minmax(0,1fr)] content-start gap-4 rounded-code bg-canvas p-4 text-1 inset-ring inset-ring-line tablet:p-6 ${schemes[scheme]}`}
            >
              <Show />
            </div>
          </SchemeContext>
        ))}
      </div>
    </article>
  );
}
