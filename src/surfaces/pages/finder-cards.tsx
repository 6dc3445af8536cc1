import { requirementsText } from '../../domain/directory-labels.ts';
import { cleanLine } from '../../domain/text.ts';
import type { Card, Category } from './finder-directory.ts';
import { limits } from './views/directory.ts';
import { categoryPath, listingPath, PRICING, upperFirst } from './views/listing-format.ts';
import { ageWords } from './views/quotation.ts';

/** A category with the editor's advice, folded. */
export const Group = ({ category: { slug, name, advice, tools } }: { category: Category }) =>
  tools.length === 0 ? null : (
    <details class="group">
      <summary>
        <h2>{name}</h2> <span class="tag">{tools.length}</span>
        {advice === null ? null : <p class="advice">{advice}</p>}
      </summary>
      <Cards cards={tools} />
      <p>
        <a href={categoryPath(slug)}>{name}: all that cover it, in an editor’s order of choice</a>
      </p>
    </details>
  );

/** Tools, a card each. */
export const Cards = ({ cards }: { cards: readonly Card[] }) => (
  <ul class="tools">
    {cards.map((card) => (
      <CardView card={card} />
    ))}
  </ul>
);

function CardView({ card: { tool, found } }: { card: Card }) {
  const slug = tool.categories[0] ?? '';
  const name = cleanLine(tool.name);
  return (
    <li
      data-words={found.text.toLowerCase()}
      data-needs={found.needs.join(' ')}
      data-businesses={found.businesses.join(' ')}
      data-kind={found.kind}
      data-runs={found.runs.join(' ')}
      data-closed={found.closed.join(' ') || undefined}
    >
      <h3>
        <a href={listingPath(tool.id)}>{name}</a> <span class="tag">{PRICING[tool.pricing].short}</span>
      </h3>
      <p>{upperFirst(limits(tool, slug))}.</p>
      {tool.requires.length === 0 ? null : <p>Needs {requirementsText(tool.requires)}.</p>}
      <p class="hint">
        {ageWords(tool.check)}; proof: {tool.proof}.
      </p>
      <label class="compare">
        <input type="checkbox" form="compare" name="id" value={tool.id} aria-label={`Compare ${name}`} />
        Compare
      </label>
    </li>
  );
}
