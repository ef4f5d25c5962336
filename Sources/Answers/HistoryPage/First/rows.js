// @ts-check
// A message as a row.

const ONLY_EMOJI =
  /^(?=\s*\S)(?:[\s\u200d\ufe0f\u{1f1e6}-\u{1f1ff}]|\p{Extended_Pictographic}|\p{Emoji_Modifier}){1,30}$/u
/** A text whose first letter is of a script that is written from right to left. */
const FROM_RIGHT = /^[^\p{L}]*[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff]/u
const STEPS = ['thinking', 'tool', 'result'], SAID = ['text', 'action', 'notice', 'unknown']
const SIGNS = { join: '→', part: '←', quit: '←' }
const isEvent = ({ kind }) => !SAID.includes(kind) && !STEPS.includes(kind)

/** A row; where all of it is wanted, as on paper, no text is folded. */
function makeRow(message, isWhole) {
  message.key = keyOf(message.id)
  const element = make(
    `article.message.${message.kind}${isEvent(message) ? '.event' : STEPS.includes(message.kind) ? '.step' : ''}`,
    {
      id: isWhole ? '' : `m${message.id}`,
      tabIndex: -1,
      'aria-label': briefest(message) + (state.list.conversation.keys ? `, ${line(message.conversation)}` : ''),
    },
  )
  const row = { message, element, isWhole, units: 200 + (message.text?.length || 0), look: lookOf(message) }
  element.row = row
  if (FROM_RIGHT.test(message.text)) element.dir = 'rtl'
  const sender = named(message.sender)
  const time = make(
    'a.time',
    { href: `#${hashOf(message.id)}`, tabIndex: -1, title: `${longDay.format(dateShown(message))} ${timeOf(message)}` },
    make(
      'time',
      { dateTime: message.time },
      ...message.precision === 'day'
        ? []
        : clock.formatToParts(dateOf(message)).map(({ type, value }) =>
          type === 'dayPeriod' ? make('span.half', null, value) : value
        ),
    ),
  )
  if (isEvent(message)) {
    const sign = make('span.sign', { 'aria-hidden': true }, SIGNS[message.kind] || '·')
    element.append(
      make(
        'div.body',
        null,
        sign,
        message.sender ? sender : '',
        ' ',
        message.deleted
          ? make('span.text.deleted', null, ...deletionOf(message))
          : fill(make('span.text'), message.text, state.search.matches.get(message.id), message.marks),
        ...starOf(row),
        where(message),
        time,
      ),
    )
  } else {
    element.append(
      message.sender ? disc(message.sender) : '',
      make(
        'div.body',
        null,
        make('header', null, message.sender ? sender : '', where(message), time),
        quote(message),
        originOf(message),
        textOf(row),
        ...attachmentsOf(message),
        reactions(message),
        repliesTo(message),
      ),
    )
  }
  return row
}

/** A row is made anew when this changes. */
const lookOf = ({ id, revision, conversation }) =>
  JSON.stringify([revision, conversation, state.search.matches.get(id)])

/** The star of a message: it is the reader's, and on no paper. */
const starOf = ({ message: { starred }, isWhole }) =>
  starred && !isWhole
    ? [
      ' ',
      make('span.star', {
        role: 'img',
        'aria-label': 'Starred',
        title: `Starred on ${shortDay.format(new Date(starred))}`,
      }, '★'),
    ]
    : []

/** Steps of assistants fold to a line, long texts to their beginning and what was found in them. */
function textOf(row) {
  const { message, isWhole } = row,
    { kind, id } = message,
    marks = starOf(row),
    text = state.search.texts.get(id) ?? message.text
  if (message.edited || message.edits) marks.push(' ', press('mark', 'edited', beside('edits', message)))
  if (message.thread) marks.push(' ', press('mark', 'thread', thread(message.thread)))
  if (message.deleted) return make('div.text.deleted', null, ...deletionOf(message), ...marks)
  if (!text) return marks.length ? make('div.text', null, ...marks) : ''
  const box = make('div.text'), matches = state.search.matches.get(id) || [], size = message.textBytes || text.length
  if (kind === 'action') box.append('* ', named(message.sender), ' ')
  const lines = text.slice(0, FOLD).split('\n', 41), near = matches[0]
  const shown = isWhole ? text : lines.length > 40 ? lines.slice(0, 40).join('\n') : cut(text, FOLD)
  fill(box, shown, matches, message.marks)
  if (ONLY_EMOJI.test(box.textContent)) box.classList.add('large')
  if (near?.end > shown.length) {
    const from = Math.max(shown.length, text.lastIndexOf('\n', near.start - 200) + 1, near.start - FOLD / 2),
      part = cut(text.slice(from), near.end - from + FOLD / 2)
    if (from > shown.length) box.append(unfolder(row, shown.length, matches, from))
    box.append(fill(make('div'), part, shifted(matches, from), moved(message.marks, from)))
    if (from + part.length < text.length) box.append(unfolder(row, from + part.length, matches))
  } else if (shown.length < size) {
    box.append(isWhole ? ` … (${bytes(size)} in all)` : unfolder(row, shown.length, matches))
  }
  box.append(...marks)
  if (!STEPS.includes(kind)) return box
  return make(
    'details',
    { open: isWhole || matches.length > 0 },
    make(
      'summary',
      null,
      named(message.sender),
      ` ${kind} `,
      make('bdi.gist', null, plain({ text, marks: message.marks })),
      make('small', null, ` ${bytes(size)}`),
      where(message),
    ),
    box,
  )
}

const shifted = (matches, by) => matches.map(({ start, end }) => ({ start: start - by, end: end - by }))

const moved = (marks, by) => marks?.map(([start, end, ...rest]) => [start - by, end - by, ...rest])

/** A button that shows more of a text in front of it, in blocks, up to an end. */
function unfolder(row, shown, matches, last = Infinity) {
  const { text = '', textBytes } = row.message
  const label = last < Infinity
    ? `Show what is before · ${bytes(last - shown)}`
    : `Show more · ${bytes(textBytes || text.length)} in all`
  const button = press('more', label, () =>
    attempt(async () => {
      const whole = await wholeText(row.message), most = Math.min(whole.length, last)
      for (const end = Math.min(most, shown + clamp(shown, BLOCK, 8 * BLOCK)); shown < end;) {
        const part = cut(whole.slice(shown, end), BLOCK)
        button.before(fill(make('div'), part, shifted(matches, shown), moved(row.message.marks, shown)))
        shown += part.length
        row.units += part.length
      }
      if (shown >= most) button.remove()
    }))
  return button
}

/** What stands in the place of deleted contents. */
function deletionOf({ deleted: { by, time } }) {
  const day = shortDay.format(new Date(time))
  return by ? ['deleted by ', make('bdi', null, line(by)), ` on ${day}`] : [`deleted on ${day}`]
}

/**
 * Where the words of a forwarded message come from, as `Message.Forward.heading` says it: its sender is not their
 * author.
 */
function originOf({ forwarded }) {
  if (!forwarded || forwarded.quoted) return ''
  const names = [forwarded.from, forwarded.chat].filter(Boolean).map(line).join(' in ')
  const often = forwarded.often ? 'forwarded many times' : '',
    shown = names && often ? `${names}, ${often}` : names || often || 'forwarded'
  return make(
    'p.origin',
    { title: forwarded.time ? `Written on ${shortDay.format(new Date(forwarded.time))}` : '' },
    '» ',
    make('bdi', null, shown),
  )
}

function reactions({ reactions }) {
  return reactions
    ? make(
      'footer',
      null,
      ...reactions.map(({ emoji: name, shown: emoji = name, senders = [] }) => {
        const names = senders.map(line).join(', ')
        return make(
          'span.reaction',
          { title: names, role: 'img', 'aria-label': `${line(emoji)} by ${names}` },
          line(emoji),
          ' ',
          number(senders.length || 1),
        )
      }),
    )
    : ''
}

/** What a message answers, on a line of one height, so that nothing moves when it becomes known. */
function quote({ replyTo }) {
  if (!replyTo) return ''
  const button = press('quote', '…', () => go({ id: replyTo })),
    held = (state.list.coming ? state.list.coming.get(replyTo) : list.row(replyTo)?.message) ||
      state.quotes.known.get(replyTo)
  if (held) quotes.write(button, held)
  else {
    if (!state.quotes.wanted.size) queueMicrotask(() => attempt(quotes.load))
    state.quotes.wanted.set(replyTo, [...(state.quotes.wanted.get(replyTo) || []), button])
  }
  return button
}

/** What is quoted: asked for at once for all rows that were made in one step. */
const quotes = {
  async load() {
    const { wanted } = state.quotes
    state.quotes.wanted = new Map()
    const { messages } = await state.source.ask('messages', { ids: [...wanted.keys()].join(',') })
    for (const { id, sender, text, marks, attachments, deleted } of messages) {
      state.quotes.known.set(id, { sender, text: text?.slice(0, 300), marks, attachments, deleted })
    }
    for (const [id, buttons] of wanted) for (const button of buttons) quotes.write(button, state.quotes.known.get(id))
    for (const id of state.quotes.known.keys()) if (state.quotes.known.size > 500) state.quotes.known.delete(id)
  },
  write(button, message) {
    if (!message) button.textContent = 'a message that is not here'
    else if (message.deleted) button.replaceChildren(named(message.sender), ' ', ...deletionOf(message))
    else {button.replaceChildren(
        named(message.sender),
        ' ',
        make('bdi', null, plain(message) || line(message.attachments?.[0].name)),
      )}
  },
}

/** A picture, film or sound, else a line with the name of the file. Its room is kept if its size is known. */
function attachment(message, index) {
  const { name, type = '', bytes: size, width, height } = message.attachments[index],
    isPlayed = /^(audio|video)\//.exec(type)
  const url = state.source.file(message, index),
    small = state.source.thumbnail(message, index),
    title = line(name) || 'file'
  const link = url ? { href: url, target: '_blank', rel: 'noopener noreferrer', title } : { title }
  const chip = make(
    url ? 'a.file' : 'span.file',
    link,
    make('bdi', null, title),
    make('small', null, ` ${size ? bytes(size) : ''}${url ? '' : ' · not kept'}`),
  )
  if (!(isPlayed && url) && !small) return chip
  const media = isPlayed
    ? make(isPlayed[1], { controls: true, preload: 'metadata', src: url })
    : make('img', { alt: title, decoding: 'async' })
  if (width && height) {
    const shown = Math.max(1, Math.round(width * Math.min(1, 320 / width, 280 / height))),
      larger = state.source.preview(message, index)
    const wide = (side) => Math.max(1, Math.round(width * Math.min(1, side / Math.max(width, height))))
    if (!isPlayed && larger && wide(larger.side) > wide(320)) {
      Object.assign(media, {
        sizes: `${shown}px`,
        srcset: `${small} ${wide(320)}w, ${larger.url} ${wide(larger.side)}w`,
      })
    }
    media.style.width = `${shown}px`
    media.style.aspectRatio = `${width} / ${height}`
  }
  if (!isPlayed) media.src = small
  const box = isPlayed ? media : make('a.picture', link, media)
  if (!isPlayed && url) {
    box.onclick = (event) => {
      if (!event.ctrlKey && !event.metaKey && !event.shiftKey) {
        event.preventDefault()
        lazily('viewer.js', () => viewer.open(message, index, box))
      }
    }
  }
  media.onerror = () => {
    if (media.srcset) media.srcset = ''
    else box.replaceWith(chip)
  }
  return box
}

/** Pictures side by side where there are several, and the rest below one another. */
function attachmentsOf(message) {
  const all = (message.attachments || []).map((_, index) => attachment(message, index)),
    isPicture = (each) => each.matches('.picture')
  const pictures = all.filter(isPicture)
  return pictures.length < 2 ? all : [make('div.grid', null, ...pictures), ...all.filter((each) => !isPicture(each))]
}
