import cards from 'virtual:posts/cards';
import { ArrowLink } from '../ui/actions/arrow-link.tsx';
import { PostCard } from './post-card.tsx';

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
