// @ts-check
// Ends a search; how it looks and what it finds is in search.js, which adds to this when it is loaded.

/** @type {Record<string, any>} */
const search = {
  clear() {
    instead('search')
    if (state.search.words) {
      Object.assign(state.search, nothing())
      list.redraw()
    }
  },
}
