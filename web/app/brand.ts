import brandFile from '../../content/brand.json';

/** What the operator of this installation is called. Read at build time. */
export const brand = {
  name: brandFile.name,
  line: brandFile.line,
  supportEmail: brandFile.supportEmail,
  address: brandFile.address,
  isSample: brandFile.sample,
};

/** The <title> and description of a page; for the pages that people share, `shareMeta` says more. */
export function pageMeta(title: string, description: string) {
  return [{ title: `${title} | ${brand.name}` }, { name: 'description', content: description }];
}
