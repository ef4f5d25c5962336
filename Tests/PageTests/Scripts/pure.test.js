// Tests of what the page computes without a browser: its scripts run as they are, over a document that only stands there.
const test = require('node:test'), assert = require('node:assert'), fs = require('node:fs'), vm = require('node:vm')
const path = require('node:path')

const sources = path.join(__dirname, '../../../Sources/Answers/HistoryPage')
const element = { classList: { contains: () => false, add() {}, remove() {} }, getAttribute: () => 'server' }
const page = vm.createContext({
  document: { getElementById: () => element, querySelector: () => element, body: element },
  location: { pathname: '/' },
  URL,
  Intl,
  console,
  setTimeout,
})
const load = (name) => vm.runInContext(fs.readFileSync(path.join(sources, name), 'utf8'), page, name)
for (const name of ['elements', 'state', 'marks', 'questions', 'rows', 'list', 'folds']) load(`First/${name}.js`)
load('Later/filters.js')
load('Later/palette.js')

/** What an expression is in the page, as plain data. */
const value = (expression) => JSON.parse(JSON.stringify(vm.runInContext(expression, page) ?? null))

test('places in bytes become places in the string, behind letters of two, three and four bytes', () => {
  assert.deepStrictEqual(value("inUnits('aé€😀b', [{start: 1, end: 3}, {start: 6, end: 10}, {start: 10, end: 11}])"), [
    { start: 1, end: 2 },
    { start: 3, end: 5 },
    { start: 5, end: 6 },
  ])
  assert.deepStrictEqual(value("inUnits('ab', [{start: 1, end: 99}])"), [{ start: 1, end: 2 }])
})

test('a text is cut between characters', () => {
  assert.strictEqual(value("cut('a😀b', 2)"), 'a')
  assert.strictEqual(value("cut('a😀b', 3)"), 'a😀')
  assert.strictEqual(value("cut('ab', 9)"), 'ab')
})

test('names show no control characters, directions or emptiness', () => {
  assert.strictEqual(value("line('a\\u202eb\\nc\\x1b[31m')"), 'ab c␛[31m')
  assert.strictEqual(value("titled('\\u200b\\u00a0')"), '(no name)')
})

test('addresses of the web and of mail are links, others are not', () => {
  const isLink = (text) => value(`Boolean(parsed(${JSON.stringify(text)}))`)
  assert.ok(isLink('https://example.org/a'))
  assert.ok(!isLink('example'))
})

test('the last element for which something holds is found', () => {
  assert.strictEqual(value('lastIndex([1, 2, 3, 4], (each) => each < 3)'), 1)
  assert.strictEqual(value('lastIndex([], () => true)'), -1)
  assert.strictEqual(value('lastIndex([5], (each) => each < 5)'), -1)
})

test('a filter is taken apart into its terms, quoted ones whole', () => {
  assert.deepStrictEqual(value(`termsOf('from:"bob b" tea -has:link')`), ['from:"bob b"', 'tea', '-has:link'])
  assert.deepStrictEqual(value(`partsOf('-from:"bob b"')`), ['-from', 'bob b'])
})

test('what is typed in the palette is a time where it looks like one', () => {
  const isTime = (text) => value(`TIMES.some((time) => time.test(${JSON.stringify(text)}))`)
  for (const text of ['2019', 'march 2019', 'yesterday', '3 weeks', 'last friday', '5.3.2019']) assert.ok(isTime(text), text)
  for (const text of ['ann', 'harbour', 'tea']) assert.ok(!isTime(text), text)
})

test('a run of one sender goes on for seven minutes, and ends with another sender, day or answer', () => {
  const message = (sender, minute, more) =>
    JSON.stringify({ kind: 'text', sender, time: new Date(minute * 60_000).toISOString(), ...more })
  const starts = (above, below) => value(`startsRun(${above}, ${below})`)
  load('First/place.js')
  assert.strictEqual(starts('undefined', message('ann', 0)), true)
  assert.strictEqual(starts(message('ann', 0), message('ann', 6)), false)
  assert.strictEqual(starts(message('ann', 0), message('ann', 8)), true)
  assert.strictEqual(starts(message('ann', 0), message('bo', 1)), true)
  assert.strictEqual(starts(message('ann', 0), message('ann', 1, { replyTo: '7' })), true)
})
