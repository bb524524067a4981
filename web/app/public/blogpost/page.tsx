import bodies from 'virtual:posts/bodies';
import cards from 'virtual:posts/cards';
import { brand } from '../../brand.ts';
import { BackLink } from '../../ui/actions/links.tsx';
import { Cover } from '../blog/cover.tsx';
import { PostCard, PostDate } from '../blog/post-card.tsx';
import NotFound, { meta as notFoundMeta } from '../notfound/page.tsx';
import { Prose } from '../site/prose.tsx';
import { organization, shareMeta, siteOrigin } from '../site/share-meta.ts';
import type { Route } from './+types/page';
import { PostBody } from './post-body.tsx';

const cardOf = (slug: string) => cards.find((card) => card.slug === slug);

export function meta({ params }: Route.MetaArgs) {
  const card = cardOf(params.slug);
  if (!card) return notFoundMeta();
  const path = `/blog/${card.slug}`;
  return shareMeta({
    path,
    title: `${card.title} | ${brand.name}`,
    description: card.summary,
    type: 'article',
    structured: [
      {
        '@type': 'Article',
        headline: card.title,
        description: card.summary,
        datePublished: card.date,
        inLanguage: 'en',
        author: organization(),
        publisher: organization(),
        image: `${siteOrigin()}/social-card.png`,
        mainEntityOfPage: siteOrigin() + path,
      },
    ],
  });
}

export default function BlogPost({ params }: Route.ComponentProps) {
  const card = cardOf(params.slug);
  const body = bodies[params.slug];
  if (!card || !body) return <NotFound />;
  return (
    <>
      <article className="wrap">
        <header className="mx-auto max-w-[760px] pt-5 tablet:pt-14">
          <BackLink to="/blog">Blog</BackLink>
          <PostDate card={card} className="mt-5 text-label!" />
          <h1 className="mt-2 text-error">{card.title}</h1>
          <p className="mt-3.5 text-lede text-2 tablet:mt-[18px] tablet:text-[20px]/[31px]">{card.summary}</p>
        </header>
        <div className="mx-auto mt-7 max-w-[1000px] tablet:mt-10">
          <Cover art={card.cover} panorama className="w-full rounded-card tablet:rounded-panel" />
        </div>
        <Prose className="mx-auto mt-8 max-w-[760px]! tablet:mt-12">
          <PostBody blocks={body} />
        </Prose>
      </article>
      <ReadNext slug={card.slug} />
    </>
  );
}

function ReadNext({ slug }: { slug: string }) {
  return (
    <section className="wrap rhythm">
      <h2 className="text-heading">Read next</h2>
      <div className="mt-7 grid gap-6 tablet:grid-cols-2">
        {cards
          .filter((card) => card.slug !== slug)
          .slice(0, 2)
          .map((card) => (
            <PostCard key={card.slug} card={card} size="small" inList />
          ))}
      </div>
    </section>
  );
}
