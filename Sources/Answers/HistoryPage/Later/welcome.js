// @ts-check
// What a store without messages shows: what can be imported here, and how.
'use strict'

/** Commands for what people have, by the program it is from. */
const IMPORTS = [
  ['WhatsApp', 'Export a chat in the app, with or without media', 'scrollback import "WhatsApp Chat.zip"'],
  ['Telegram', 'Settings, Advanced, Export Telegram data, as JSON', 'scrollback import result.json'],
  ['Signal', 'A backup of the phone', 'scrollback import signal.backup'],
  ['iMessage', 'The database of a Mac', 'scrollback import ~/Library/Messages/chat.db'],
  ['Slack, Discord, Matrix …', 'An export, as a file or folder', 'scrollback import export.zip'],
  ['IRC, mail', 'Logs and mailboxes, followed as they grow', 'scrollback follow ~/irclogs'],
]

/** A command that a click copies. */
const command = (text) =>
  make(
    'button.command',
    {
      type: 'button',
      title: 'Copy',
      'aria-label': `Copy ${text}`,
      onclick: () => copied(text, 'Copied. Run it in a terminal.'),
    },
    make('code', null, text),
  )

/** A way to get messages: what it is, what to do, and the command. */
const wayIn = (name, about, text) =>
  make('li', null, make('div', null, make('b', null, name), make('small', null, about)), command(text))

/** Shows what was found here, and what else can be read. */
async function welcome(box) {
  const ways = make('ul.ways'), others = make('ul.ways', null, ...IMPORTS.map((each) => wayIn(...each)))
  const screen = make(
    'section.welcome',
    null,
    make('h2', null, 'Welcome to Scrollback'),
    make('p', null, 'There are no messages here yet. A command brings some, and this page shows them as they come.'),
    ways,
    make('h3', null, 'What can be imported'),
    others,
    make('p.quiet', null, 'scrollback formats lists all that is read. Nothing leaves this computer.'),
  )
  box.replaceChildren(screen)
  const answer = await fetch('api/found').then((found) => found.ok ? found.json() : null, () => null)
  if (!answer?.command && !answer?.others.length || !screen.isConnected) return
  ways.before(make('h3', null, 'Found on this computer'))
  if (answer.command) ways.append(wayIn('Sessions of assistants', programNames(answer.assistants), answer.command))
  for (const { program, paths, command } of answer.others) {
    ways.append(wayIn(program, paths.map((path) => path.slice(path.lastIndexOf('/') + 1)).join(', '), command))
  }
}

/** The programs of sessions, each with their number. */
function programNames(assistants) {
  const programs = new Map()
  for (const { program, sessions = 0, databases = 0 } of assistants) {
    programs.set(program, (programs.get(program) || 0) + sessions + databases)
  }
  return [...programs].filter(([, count]) => count).map(([name, count]) => `${name} (${number(count)})`).join(', ')
}
