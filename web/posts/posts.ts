import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { type Block, parseMarkdown } from './markdown.ts';

const folder = join(import.meta.dirname, '../../content/blog');
const wordsPerMinute = 200;
const covers = ['halves', 'days', 'falling'] as const;

/** What a card shows of a post. */
export interface PostCard {
  slug: string;
  title: string;
  /** YYYY-MM-DD */
  date: string;
  /** 15 November 2026 */
  dateText: string;
  minutes: number;
  summary: string;
  cover: (typeof covers)[number];
}

export interface Post extends PostCard {
  body: Block[];
}

export const postFiles = (): string[] =>
  readdirSync(folder)
    .filter((name) => name.endsWith('.md'))
    .map((name) => join(folder, name));

/** The posts of `content/blog`, newest first. Runs at build time. */
export function readPosts(): Post[] {
  return postFiles()
    .map((file) => parsePost(basename(file, '.md'), readFileSync(file, 'utf8')))
    .sort((a, b) => b.date.localeCompare(a.date));
}

export function parsePost(slug: string, text: string): Post {
  const [, head = '', body = ''] = /^---\n([\s\S]*?)\n---\n([\s\S]*)$/.exec(text) ?? [];
  const fields = new Map(head.split('\n').map((line) => line.split(/:\s+(.*)/s, 2) as [string, string]));
  const field = (name: string) => {
    const value = fields.get(name)?.trim();
    if (!value) throw new Error(`the post ${slug} has no ${name}`);
    return value;
  };
  const cover = covers.find((name) => name === field('cover'));
  if (!cover) throw new Error(`the post ${slug} asks for a cover that is not drawn: ${field('cover')}`);
  const date = field('date');
  if (!/^\d{4}-\d{2}-\d{2}$/.test(date)) throw new Error(`the post ${slug} has the date ${date}`);
  const minutes = Math.max(1, Math.round(body.split(/\s+/).length / wordsPerMinute));
  return {
    slug,
    title: field('title'),
    date,
    dateText: new Date(date).toLocaleDateString('en-GB', { dateStyle: 'long', timeZone: 'UTC' }),
    minutes,
    summary: field('summary'),
    cover,
    body: parseMarkdown(body),
  };
}
