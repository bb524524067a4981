import cards from 'virtual:posts/cards';
import { Link } from 'react-router';
import type { PostCard as Card } from '../../../posts/posts.ts';
import { ArrowLink } from '../../ui/actions/links.tsx';
import { Cover } from './cover.tsx';

/** `small` becomes a row with a thumbnail on phones. */
interface PostCardProps {
  card: Card;
  size: 'first' | 'small';
  /** Lists of posts say what each is about and lead on; the teaser leads to the list. */
  inList?: boolean;
}

export function PostCard({ card, size, inList = false }: PostCardProps) {
  const row = size === 'small';
  return (
    <article
      className={
        row
          ? 'max-tablet:grid max-tablet:grid-cols-[112px_1fr] max-tablet:items-start max-tablet:gap-4 max-tablet:border-t max-tablet:border-line max-tablet:pt-6'
          : ''
      }
    >
      {row && <Cover art={card.cover} square className="size-28 rounded-large tablet:hidden" />}
      <Cover
        art={card.cover}
        className={`w-full rounded-card ${inList ? 'h-60' : 'h-52'} ${row ? 'max-tablet:hidden' : ''}`}
      />
      <div>
        <PostDate card={card} className={row ? 'tablet:mt-[18px]' : 'mt-[18px]'} />
        <h3
          className={`mt-1.5 ${row ? 'text-[18px]/6 tracking-[-0.018em] tablet:text-title' : 'text-title'}`}
        >
          <PostLink card={card} />
        </h3>
        {inList && <p className="mt-2 text-prose text-2 max-tablet:hidden">{card.summary}</p>}
        {inList && <ReadMore card={card} />}
      </div>
    </article>
  );
}

export function PostLink({ card }: { card: Card }) {
  return (
    <Link to={`/blog/${card.slug}`} className="underline-offset-4 hover:underline">
      {card.title}
    </Link>
  );
}

export function ReadMore({ card }: { card: Card }) {
  return (
    <ArrowLink to={`/blog/${card.slug}`} aria-label={`Read More: ${card.title}`} className="text-control">
      {/* Search engines look at the text alone. */}
      Read More<span className="sr-only"> {card.title}</span>
    </ArrowLink>
  );
}

export function PostDate({ card, className = '' }: { card: Card; className?: string }) {
  return (
    <p className={`text-caption text-3 tabular-nums ${className}`}>
      <time dateTime={card.date}>{card.dateText}</time>, {card.minutes} min
    </p>
  );
}

export function BlogTeaser() {
  return (
    <section className="wrap rhythm">
      <div className="items-end justify-between gap-6 tablet:flex">
        <h2 className="text-section">From the blog</h2>
        <ArrowLink to="/blog" className="max-tablet:mt-1.5">
          Read More<span className="sr-only"> in the blog</span>
        </ArrowLink>
      </div>
      <div className="mt-5 grid gap-6 tablet:mt-10 tablet:grid-cols-[1.15fr_1fr_1fr]">
        {cards.slice(0, 3).map((card, index) => (
          <PostCard key={card.slug} card={card} size={index === 0 ? 'first' : 'small'} />
        ))}
      </div>
    </section>
  );
}
