// The language of sites against Fixtures/queries/site.tsv: how many of the messages beside it each query finds, in the
// program and, where the third column says so, why a site refuses it. SiteQueryTests asks the program the same.
process.env.TZ = 'UTC'
const test = require('node:test'), assert = require('node:assert'), fs = require('node:fs'), vm = require('node:vm')
const path = require('node:path')

const root = path.join(__dirname, '../../..'), sources = path.join(root, 'Sources/Answers/HistoryPage')
const fixture = (name) => fs.readFileSync(path.join(root, 'Fixtures/queries', name), 'utf8').trimEnd().split('\n')
const element = { classList: { contains: () => false, add() {}, remove() {} }, getAttribute: () => 'site' }
const page = vm.createContext({
  document: { getElementById: () => element, querySelector: () => element, body: element },
  location: { pathname: '/' },
  begin() {},
  URL,
  Intl,
  console,
  setTimeout,
})
page.window = page
const load = (name) => vm.runInContext(fs.readFileSync(path.join(sources, name), 'utf8'), page, name)
for (const name of ['elements', 'state', 'marks', 'questions', 'rows', 'list', 'folds', 'place']) load(`First/${name}.js`)
load('Site/site.js')

const words = (text) =>
  text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase().match(/[\p{L}\p{N}]+/gu) || []

/** The pieces of a site that has the messages: one for each of two conversations. */
function pieces() {
  const messages = fixture('site.jsonl').map(JSON.parse), found = new Map(), conversations = []
  const made = { index: { conversationPieces: 1, pieces: 2 }, 'conversations/0': { conversations } }
  for (const [at, name] of ['general', 'tea'].entries()) {
    const own = messages.filter(({ conversation }) => conversation === name)
      .map((message) => ({ kind: 'text', ...message, id: String(BigInt(Date.parse(message.time)) * 4096n) }))
      .sort((a, b) => (BigInt(a.id) < BigInt(b.id) ? -1 : 1))
    for (const { text } of own) for (const word of words(text)) found.set(word, (found.get(word) || new Set()).add(at))
    made[`m/${at}`] = { runs: [{ conversation: at + 1, first: 1, messages: own }] }
    conversations.push({
      id: at + 1,
      name,
      firstID: own[0].id,
      lastID: own.at(-1).id,
      messages: own.length,
      firstPiece: at,
      pieces: 1,
    })
  }
  const all = [...found.keys()].sort()
  made['search/index'] = { first: [all[0]] }
  made['search/0'] = {
    words: Object.fromEntries(all.map((word) => [word, found.get(word).size > 1 ? '0 1' : [...found.get(word)].join()])),
  }
  return made
}

page.made = pieces()
vm.runInContext('site.piece = async (name) => made[name]', page)
load('Site/sitequery.js')
load('Site/siteanswers.js')

for (const line of fixture('site.tsv').filter((line) => !line.startsWith('#'))) {
  const [query, program, site] = line.split('\t')
  test(`a site ${site ? 'refuses' : 'finds as much as the program by'} ${query}`, async () => {
    page.query = query
    const found = await vm.runInContext(
      "site.more.page({ filter: { matching: query }, at: 'newest', limit: 0 })",
      page,
    ).then(({ total }) => String(total), ({ message }) => message)
    if (site) assert.ok(found.startsWith(site), found)
    else assert.strictEqual(found, program)
  })
}
