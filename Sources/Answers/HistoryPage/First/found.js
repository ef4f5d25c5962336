// @ts-check
// What is looked for, and what was found; how is in search.js.

const nothing = () => ({
  words: '',
  hits: [],
  matches: new Map(),
  texts: new Map(),
  next: null,
  index: -1,
  cutCount: 0,
  count: '',
})

/**
 * The words, the hits, and what search.js adds when it is loaded.
 * @type {Record<string, any>}
 */
const search = {
  ...nothing(),
  isWide: false,
  isBest: false,

  clear() {
    instead('search')
    if (search.words) {
      Object.assign(search, nothing())
      list.redraw()
    }
  },
}
