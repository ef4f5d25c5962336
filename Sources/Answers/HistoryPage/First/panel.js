// @ts-check
// The panel beside the messages, and what loads later.

function openPanel(title, ...content) {
  if (!$('panel').contains(document.activeElement)) state.panel.from = document.activeElement
  $('panel-title').textContent = title
  panel.replaceChildren(...content)
  panel.onscroll = state.panel.again = null
  instead('panel')
  $('panel').hidden = false
  if (!mode.contains('paneled')) covers.add(hidePanel)
  mode.add('paneled')
  mode.remove('peeking')
  $('panel').focus({ preventScroll: true })
}

/**
 * What is open over or beside the messages: each is a step of the browser's history, and going back closes the last
 * one.
 */
const covers = {
  /** Takes in what was opened, by what hides it. */
  async add(hide) {
    state.covers.open.push(hide)
    const depth = state.covers.open.length
    await state.covers.leaving
    if (covers.take() || depth !== state.covers.open.length) return
    remember()
    history.pushState({ ...history.state, depth, isCover: true }, '')
  },

  /** Closes it; what is opened or gone to instead has its step, else that is undone. */
  close(hide) {
    const depth = state.covers.open.lastIndexOf(hide) + 1
    if (depth) state.covers.open.splice(depth - 1, 1)
    hide()
    if (!depth || !history.state?.isCover || history.state.depth !== depth) return
    state.covers.isFree = true
    setTimeout(() => covers.take() && covers.leave())
  },

  /** Takes over the step of what was just closed; `false` if there is none. */
  take() {
    const { isFree } = state.covers
    state.covers.isFree = false
    return isFree
  },

  leave() {
    state.covers.leaving = new Promise((done) => state.covers.left = done)
    history.back()
  },
}

const closePanel = () => covers.close(state.covers.open.at(-1) === side.hide ? side.hide : hidePanel)

function hidePanel() {
  mode.remove('paneled', 'peeking')
  instead('panel')
  state.panel.again = null
  field.value = ''
  $('panel').hidden = true
  search.clear()
  const { from } = state.panel, { activeElement } = document
  if (
    !activeElement || activeElement === document.body || activeElement === field || $('panel').contains(activeElement)
  ) (from?.isConnected && from !== document.body && from !== field ? from : room).focus({ preventScroll: true })
}

/** Goes to where the browser's history leads. */
function stepBack({ state: step }) {
  if (state.covers.left) {
    state.covers.left()
    return void (state.covers.leaving = state.covers.left = null)
  }
  const { conversation } = state.list, depth = step?.depth || 0, isCovered = state.covers.open.length > depth
  while (state.covers.open.length > depth) state.covers.open.pop()()
  // What lies below stays as it is.
  if (!isCovered || step?.in !== (conversation && addressOf(conversation))) attempt(() => follow(step))
}

function entry(message, ...content) {
  const button = press(
    'entry',
    make(
      'span.who',
      null,
      named(message.sender),
      make('time', null, briefly(message), ...starOf({ message, isWhole: false })),
    ),
    () => {
      mode.add('peeking')
      goTo(message)
    },
    ...content,
  )
  // What is pressed has nothing to press in it.
  for (const link of button.querySelectorAll('a, .spoiler')) link.replaceWith(...link.childNodes)
  return button
}
/** Goes to a message that tells the name of its conversation: in what is open, if it is there. */
const goTo = ({ id, conversation }, isWide) =>
  attempt(async () => {
    const { conversation: open } = state.list,
      isIn = open?.keys ? baseOf(open) === everything || !isWide : open?.name === conversation
    await go({ id, isHere: true, conversation: isIn ? open : await side.find(conversation) })
  })
/** The name of its conversation, where those of several are listed. */
const placeOf = ({ conversation }, scope) => scope.keys ? make('small', null, titled(conversation)) : ''
const textIn = (text, matches, marks) => fill(make('span.text'), cut(text || '', 1 << 16), matches, marks)

/** Loads a file of the page that few need, once. */
const load = (name) =>
  state.loaded[name] ||= new Promise((done, failed) => {
    const element = name.endsWith('.css')
      ? make('link', { rel: 'stylesheet', href: name })
      : make('script', { src: name })
    element.onload = done
    element.onerror = () => {
      delete state.loaded[name]
      element.remove()
      failed(new Trouble('The server does not answer.'))
    }
    document.head.append(element)
  })

/** Does something that a script is needed for, and its style. */
const lazily = (script, work) =>
  attempt(async () => {
    await Promise.all([load(script), load('more.css')])
    return work()
  })
/** What is shown beside messages when it is asked for (more.js): a part of it. */
const beside = (part, ...content) => () => lazily('more.js', () => more[part](...content))
const seek = (step, ...of) => () => lazily('search.js', () => search[step](...of))
const filter = (step, ...of) => () => lazily('filters.js', () => filters[step](...of))
const acting = (step, ...of) => () => lazily('actions.js', () => actions[step](...of))
const paper = () => () => lazily('paper.js', () => askForPaper())
const palette = () => lazily('palette.js', () => openPalette())

/** What the browser's own printing has is what is held. */
function beforePrint() {
  const { first, rows, total } = state.list
  if (rows.length && !mode.contains('printing')) {
    $('place').textContent = `Messages ${number(first)} to ${number(first + rows.length - 1)} of ${number(total)}${
      rows.length < total ? ' (“Print or save…” has more)' : ''
    }`
  }
}

function afterPrint() {
  mode.remove('printing')
  $('printed').replaceChildren()
  drawPlace()
}
