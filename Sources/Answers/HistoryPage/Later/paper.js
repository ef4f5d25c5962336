// @ts-check
// Documents of a range of messages, to be printed or kept as a file (page.js loads this when somebody asks for one).
'use strict'

const MOST_PRINTED = 5000
const MOST_PICTURE_BYTES = 40_000_000 // of pictures in a file

const PAPER_POLICY = "default-src 'none'; img-src data:; style-src 'unsafe-inline'"

/** The style of a file, and what a file may do: show itself. */
const PAPER_STYLE = [
  '@page{size:A4;margin:18mm 15mm;',
  '@bottom-right{content:counter(page) " / " counter(pages);font:9pt sans-serif}',
  '@top-left{content:TITLE;font:9pt sans-serif}}',
  'body{font:11pt/1.45 system-ui,sans-serif;max-width:46rem;margin:2rem auto;padding:0 1rem;color:#1d1f23}',
  'h1{font-size:1.4rem;margin:0}',
  '.about{color:#5c6067;margin:.2rem 0 1.5rem}',
  '.message{margin:.5rem 0;overflow-wrap:anywhere;break-inside:avoid}',
  '.body{display:table;width:100%;table-layout:fixed}',
  '.body>header{display:table-header-group;break-inside:avoid;font-size:.9em}',
  '.name{font-weight:600}',
  'time,.where,.quote,small,footer{color:#5c6067;font-size:.85em;font-weight:400}',
  '.text{white-space:pre-wrap;unicode-bidi:plaintext}',
  '.day{text-align:center;color:#5c6067;font-size:.85em;margin:1.4rem 0 .5rem;break-after:avoid}',
  '.quote{display:block;padding-left:.6em;border-left:3px solid #ddd}',
  '.event{color:#5c6067;font-size:.85em}',
  'img{display:block;max-width:100%;max-height:12cm;margin:.3rem 0;break-inside:avoid}',
  '.file{display:inline-block;border:1px solid #ddd;border-radius:6px;padding:.1rem .5rem}',
  '.disc,.sign{display:none}',
  '.time{margin-left:.6em;color:inherit;text-decoration:none}',
  'mark{background:none}',
].join('')

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

/** Makes a file that has all of it within, pictures too, as far as they fit. */
async function saveRows({ rows, title, about }, conversation, status) {
  const body = make(
    'div',
    null,
    make('h1', null, title),
    make('p.about', null, about),
    ...rows.map(({ element }) => element),
  )
  let left = MOST_PICTURE_BYTES, missing = 0
  for (const image of body.querySelectorAll('img')) {
    const address = image.srcset ? image.srcset.split(', ').at(-1).split(' ')[0] : image.getAttribute('src')
    const data = left > 0
      ? await fetch(address).then(async (answer) => answer.ok ? answer.blob() : null, () => null)
      : null
    if (!data || data.size > left || !/^image\//.test(data.type)) {
      missing++
      image.replaceWith(image.alt)
      continue
    }
    left -= data.size
    // The page itself shows no such addresses.
    image.removeAttribute('src')
    image.saved = await dataOf(data)
    status.textContent = `${plural(rows.length, 'message')}, pictures: ${bytes(MOST_PICTURE_BYTES - left)} …`
  }
  body.querySelectorAll('audio, video').forEach((media) =>
    media.replaceWith(make('span.file', null, line(media.title) || 'a recording'))
  )
  body.querySelectorAll('a[href]').forEach((link) => {
    if (!/^(https?|mailto):/.test(link.getAttribute('href'))) link.removeAttribute('href')
  })
  const style = PAPER_STYLE.replace('TITLE', JSON.stringify(`${title} · ${about}`.replace(/[\\"<>\n]/g, ' ')))
  const parts = [
    '<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">',
    `<meta http-equiv="Content-Security-Policy" content="${PAPER_POLICY}">`,
    `<title>${safe(`${title} · ${about}`)}</title><style>${style}</style></head><body>`,
    ...[...body.childNodes].map(markup),
    '</body></html>\n',
  ]
  const link = make('a', {
    href: URL.createObjectURL(new Blob(parts, { type: 'text/html' })),
    download: `${title.replace(/[^\p{L}\p{N} ._-]/gu, '').trim() || 'messages'}.html`,
  })
  link.click()
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000)
  status.textContent = `Saved: ${about}${missing ? `; ${plural(missing, 'picture')} did not fit` : ''}.`
}

const dataOf = (blob) =>
  new Promise((done, failed) => {
    const reader = new FileReader()
    reader.onload = () => done(reader.result)
    reader.onerror = failed
    reader.readAsDataURL(blob)
  })

const safe = (text) => text.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt()};`)
const KEPT = ['class', 'href', 'src', 'alt', 'title', 'datetime', 'rel']
const EMPTY = ['img', 'br', 'wbr']

/** An element as HTML: its kind, what is kept of its attributes, and all text as text. */
function markup(node) {
  if (node.nodeType === Node.TEXT_NODE) return safe(node.data)
  if (node.nodeType !== Node.ELEMENT_NODE) return ''
  const name = node.localName === 'button' ? 'span' : node.localName
  const kept = [...node.attributes].filter((each) => KEPT.includes(each.name)).map(({ name, value }) =>
    ` ${name}="${safe(value)}"`
  ).join('')
  return `<${name}${kept}${node.saved ? ` src="${safe(node.saved)}"` : ''}>${
    EMPTY.includes(name) ? '' : `${[...node.childNodes].map(markup).join('')}</${name}>`
  }`
}
