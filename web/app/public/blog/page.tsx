import cards from 'virtual:posts/cards';
import { brand } from '../../brand.ts';
import { CallToAction } from '../site/call-to-action.tsx';
import { PageIntro } from '../site/prose.tsx';
import { shareMeta } from '../site/share-meta.ts';
import { Cover } from './cover.tsx';
import { PostCard, PostDate, PostLink, ReadMore } from './post-card.tsx';

export function meta() {
  return shareMeta({
    path: '/blog',
    title: `Blog | ${brand.name}`,
    description: 'How the account works, and what can go wrong. No tips, no forecasts.',
  });
}

export default function Blog() {
  const [newest, ...older] = cards;
  return (
    <>
      <section className="wrap">
        <PageIntro title="Blog">
          How the account works, and what can go wrong. No tips, no forecasts.
        </PageIntro>
        {newest && <NewestPost card={newest} />}
        <div className="mt-8 grid gap-6 tablet:mt-14 tablet:grid-cols-2">
          {older.map((card) => (
            <PostCard key={card.slug} card={card} size="small" inList />
          ))}
        </div>
      </section>
      <CallToAction />
    </>
  );
}

function NewestPost({ card }: { card: (typeof cards)[number] }) {
  return (
    <article className="mt-7 grid items-center gap-[18px] tablet:mt-12 tablet:grid-cols-[1.25fr_1fr] tablet:gap-8 desktop:gap-12">
      <Cover art={card.cover} className="h-52 w-full rounded-card tablet:h-85 tablet:rounded-panel" />
      <div>
        <PostDate card={card} />
        <h2 className="mt-1.5 text-[26px]/8 tracking-[-0.03em] tablet:text-[34px]/10">
          <PostLink card={card} />
        </h2>
        <p className="mt-2 text-body/[26px] text-2 tablet:mt-3.5 tablet:text-sub">{card.summary}</p>
        <ReadMore card={card} />
      </div>
    </article>
  );
}
