// @ts-check
// Documents of a range of messages, to be printed or kept as a file (page.js loads this when somebody asks for one).
'use strict'

const MOST_PRINTED = 5000
const MOST_PICTURE_BYTES = 40_000_000 // of pictures in a file

/** A file in the document of a server: the address of its message and number, and the beginning of its picture. */
const FILES_OF_DOCUMENT = /<a href="\.\/(attachment\/-?\d+\/\d+)\/[^"]*"(?: download)?>(<img src="[^"]*")?/g

/** Asks which messages are wanted, and whether on paper or as a file. */
function askForPaper() {
  const { conversation, total, first, rows } = state.list
  if (!rows.length) return
  const top = rows[list.indexAt(0)].message, name = conversation.query ? 'of what the filter shows' : ''
  const chosen = selectedRows(), ranges = []
  if (chosen.length) {
    ranges.push({
      label: `What is selected (${plural(chosen.length, 'message')})`,
      from: first + rows.indexOf(chosen[0]),
      count: chosen.length,
    })
  }
  if (total <= MOST_PRINTED) {
    ranges.push({
      label: conversation.query
        ? `What the filter shows (${plural(total, 'message')})`
        : `All ${plural(total, 'message')}`,
      from: 1,
      count: total,
    })
  }
  ranges.push({
    label: `The day on the screen, ${longDay.format(dateShown(top))}`,
    day: dayOf(top),
    from: first + rows.findIndex(({ message }) => message === top),
  })
  if (total > MOST_PRINTED) {
    ranges.push(
      { label: `The newest ${number(MOST_PRINTED)} ${name}`, from: total - MOST_PRINTED + 1, count: MOST_PRINTED },
      { label: `${number(MOST_PRINTED)} from the screen on`, from: first + list.indexAt(0), count: MOST_PRINTED },
      { label: `The oldest ${number(MOST_PRINTED)} ${name}`, from: 1, count: MOST_PRINTED },
    )
  }
  const choices = ranges.map((range, index) => {
    const radio = make('input', { type: 'radio', name: 'range', checked: !index })
    radio.range = range
    return make('label.range', null, radio, range.label)
  })
  const status = make('p.quiet', { role: 'status' })
  const form = make(
    'form.paper',
    null,
    make('fieldset', null, make('legend', null, `Messages ${name}`.trim()), ...choices),
  )
  const range = () => form.querySelector('input:checked').range
  const doing = (work) =>
    attempt(async () => {
      form.inert = true
      try {
        await work(await gather(conversation, range(), status))
      } finally {
        form.inert = false
      }
    })
  form.append(
    make(
      'div.doing',
      null,
      press('go', 'Print', () => doing(printRows)),
      isSite ? '' : press('go', 'Save a file', () => doing((made) => saveRows(made, conversation, status))),
    ),
    status,
  )
  form.onsubmit = (event) => event.preventDefault()
  openPanel(
    'Print or save',
    form,
    make(
      'p.quiet',
      null,
      `All of their texts, with sender and time, pictures and page numbers; at most ${
        number(MOST_PRINTED)
      } messages at once. ${
        conversation.query ? '' : 'A filter (F) or a search narrows what there is to choose from. '
      }${
        isSite
          ? 'A site is printed (also to PDF); a file takes the program.'
          : 'A file has everything in itself and needs no program but a browser.'
      }`,
    ),
  )
}

/** Reads the messages of a range as rows, with all of their texts. */
async function gather(conversation, { from, count = MOST_PRINTED, day }, status) {
  const rows = []
  let left = MOST_UNITS, at = `number:${from}`, older = 0
  if (day) {
    // Its first message lies before what is on the screen.
    const before = []
    for (let edge = at, hasOlder = true; hasOlder && before.length < MOST_PRINTED;) {
      const found = await page(
          conversation,
          before.length ? { at: edge, limit: 500 } : { at: edge, older: 250, limit: 500 },
        ),
        same = found.messages.filter((message) => dayOf(message) === day)
      before.unshift(...same.filter(({ id }) => !before.some((each) => each.id === id)))
      hasOlder = found.hasOlder && found.messages.length > 0 && dayOf(found.messages[0]) === day
      edge = `before:${found.messages[0]?.id}`
    }
    if (before.length) at = `after:${keyOf(before[0].id) - 1n}`
  }
  for (let hasNewer = true; hasNewer && rows.length < Math.min(count, MOST_PRINTED);) {
    const found = await page(conversation, { at, older, limit: Math.min(500, count - rows.length) })
    for (const message of found.messages) {
      if (day && dayOf(message) !== day) {
        found.hasNewer = false
        break
      }
      if (message.textBytes && message.textBytes < left) {
        message.text = await wholeText(message)
        delete message.textBytes
      }
      left -= message.text?.length || 0
      rows.push(makeRow(message, true))
    }
    hasNewer = found.hasNewer && found.messages.length > 0
    at = `after:${found.messages.at(-1)?.id}`
    older = undefined
    status.textContent = `${plural(rows.length, 'message')} …`
  }
  rows.forEach((row, index) => {
    decorate(row, rows[index - 1]?.message, false)
    // Wherever a page begins, who wrote stands there.
    row.element.classList.add('head')
    row.element.querySelectorAll('button.mark, button.replies, .context').forEach((each) => each.remove())
    for (const quote of row.element.querySelectorAll('button.quote')) quote.disabled = true
  })
  await quotesWritten()
  const span = [...new Set([rows[0], rows.at(-1)].map((row) => shortDay.format(dateShown(row.message))))].join(' to ')
  return { rows, title: line(conversation.name), about: `${plural(rows.length, 'message')}, ${span}` }
}

const quotesWritten = async () => {
  while (state.quotes.wanted.size) await new Promise((done) => setTimeout(done, 20))
  await new Promise((done) => setTimeout(done, 50))
}

async function printRows({ rows, title, about }) {
  const box = $('printed')
  box.replaceChildren(make('h1', null, title), make('p', null, about), ...rows.map(({ element }) => element))
  await picturesIn(box)
  closePanel()
  mode.add('printing')
  // Pages have it at their top, and numbers at their foot.
  const before = document.title
  document.title = `${title} · ${about}`
  addEventListener('afterprint', () => document.title = before, { once: true })
  print()
}

const picturesIn = (box) =>
  Promise.race([
    Promise.all([...box.querySelectorAll('img')].map((image) => image.decode().catch(() => {}))),
    new Promise((done) => setTimeout(done, 10_000)),
  ])

/** Keeps the document that `export --format html` writes of some messages, with pictures in it, as far as they fit. */
async function saveRows({ rows, title, about }, conversation, status) {
  const whole = await documentOf(conversation, rows[0].message.id, rows.length)
  const text = whole.replace('<title>Scrollback', () => `<title>${safe(`${title} · ${about}`)}`)
  const parts = []
  let left = MOST_PICTURE_BYTES, missing = 0, at = 0
  for (const { 0: found, 1: address, 2: image, index } of text.matchAll(FILES_OF_DOCUMENT)) {
    parts.push(text.slice(at, index), '<a>')
    at = index + found.length
    if (!image) continue
    const data = left > 0 ? await pictureAt(address) : null
    if (data && data.size <= left) {
      left -= data.size
      parts.push(`<img src="${await dataOf(data)}"`)
      status.textContent = `${plural(rows.length, 'message')}, pictures: ${bytes(MOST_PICTURE_BYTES - left)} …`
    } else {
      missing++
      parts.push('<img')
    }
  }
  parts.push(text.slice(at))
  const link = make('a', {
    href: URL.createObjectURL(new Blob(parts, { type: 'text/html' })),
    download: `${title.replace(/[^\p{L}\p{N} ._-]/gu, '').trim() || 'messages'}.html`,
  })
  link.click()
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000)
  status.textContent = `Saved: ${about}${missing ? `; ${plural(missing, 'picture')} did not fit` : ''}.`
}

/** The server's document of some messages that follow each other. */
async function documentOf(conversation, id, limit) {
  /** @type {any} */
  const asked = { ...keysOf(conversation), timeZone: zone, at: `after:${keyOf(id) - 1n}`, limit }
  const { filter, ...keys } = asked
  const query = new URLSearchParams(Object.entries(keys).map(([name, value]) => [name, String(value)]))
  if (filter) query.append('filter.matching', filter.matching)
  const answer = await fetch(`document?${query}`).catch(() => null)
  if (!answer?.ok) throw new Trouble('The server did not write the document.', 'gone')
  return answer.text()
}

/** A picture, smaller where it is large; null if there is none. */
async function pictureAt(address) {
  for (const form of ['/preview', '']) {
    const answer = await fetch(`${address}${form}`).catch(() => null), data = answer?.ok ? await answer.blob() : null
    if (data && /^image\//.test(data.type)) return data
  }
  return null
}

const dataOf = (blob) =>
  new Promise((done, failed) => {
    const reader = new FileReader()
    reader.onload = () => done(reader.result)
    reader.onerror = failed
    reader.readAsDataURL(blob)
  })

const safe = (text) => text.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt()};`)
