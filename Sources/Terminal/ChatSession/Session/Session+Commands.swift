internal import MessageModel
internal import MessageWindows
internal import TerminalText

extension Session {
  mutating func perform(_ command: TypedCommand) throws -> Effects {
    if isReadOnly, command.effect != .reads {
      throw UsageError("nothing is written in a view", remedy: "scrollback without --view")
    }
    if let question = try question(before: command) { return Effects(.question(question)) }
    do { return try result(of: command.meaning).listed(by: command.meaning) } catch let error as StoreError
      where error.kind == .notFound && command.effect == .appends
    {
      try checkConversation()
      throw error
    }
  }

  private mutating func result(of command: ReplCommand) throws -> Effects {
    switch command {
    case .older(let count): return try move(count.map { .messages(-$0) } ?? .pages(-1))
    case .newer(let count): return try move(count.map { .messages($0) } ?? .pages(1))
    case .top: return try move(.end(.older))
    case .bottom: return try move(.end(.newer))
    case .back: return try retrace(.older, "back")
    case .forward: return try retrace(.newer, "forward")
    case .goto(let destination): return try go(to: destination)
    case .sections(let span): return try listSections(by: span)
    case .map: return try showMap()
    case .mark(let name): return try mark(name)
    case .marks: return try listMarks()
    case .search(let query): return try search(namingThreads(query))
    case .hit(let direction): return try step(direction)
    case .hits(let query): return try listHits(namingThreads(query))
    case .best(let question): return try listBest(question)
    case .exchange(let id): return try goToExchange(at: id)
    case .gallery(let query): return try showGallery(query)
    case .filter(let words): return try filter(namingThreads(words))
    case .person(let name): return try filter(ReplContext.filter(ofPerson: name))
    case .open(let opening): return try open(opening)
    case .conversations: return try listConversations()
    case .sessions(let query, let id): return try listSessions(query, before: id)
    case .switcher: return try showSwitcher()
    case .stats: return try showFigures()
    case .follow(let follows): return try follow(follows)
    case .freeze(let freezes):
      try reader.freeze(freezes, in: &context)
      return Effects()
    case .memory: return showMemory()
    case .set(let name, let value): return try set(name, to: value)
    case .view(let target): return try view(id(of: target))
    case .copy(let messages): return try copy(messages)
    case .quote(let messages): return try quote(messages)
    case .url(let target, let number, let action): return try url(id(of: target), number, action)
    case .thread(let target): return try showThread(of: id(of: target))
    case .threads(let id): return try listThreads(before: id)
    case .answered(let target): return try goToAnswered(target.map { try id(of: $0) })
    case .append(let text, let kind, let target):
      return try append(text, kind: kind, replyTo: target.map { try id(of: $0) })
    case .edit(let target): return try beginEdit(of: target)
    case .change(let target, .edit(let text)): return try edit(id(of: target), text: text)
    case .change(let target, .delete): return try delete(id(of: target))
    case .change(let target, .react(let emoji)): return try react(emoji, to: id(of: target))
    case .change(let target, .star): return try star(id(of: target))
    case .change(let target, .unread): return try markUnread(from: id(of: target))
    case .undo(let wanted): return try undo(wanted)
    case .attach(let file, let text): return try begin(context.attaching(file, text), "attaching …")
    case .save(let target, let folder): return try save(id(of: target), to: folder)
    case .load(let request): return try begin(context.loading(request), "importing …")
    case .export(let request): return try begin(context.exporting(request), "exporting …")
    case .source(let file): return try source(file)
    case .help(nil): return Effects(.listing(HelpText.listing(inView: reader.traits.isView)))
    case .help(let name):
      return list(try reader.traits.isView ? HelpText.viewLines(about: name) : HelpText.lines(about: name))
    case .quit: return Effects(leaves: true)
    }
  }

  private mutating func follow(_ follows: Bool) throws -> Effects {
    try reader.follow(follows, in: &context)
    return Effects(.echo(follows ? "new messages are shown as they come" : "new messages are only counted"))
  }

  func list(_ lines: [String], isBrief: Bool = false) -> Effects {
    Effects(.listing(Listing(lines: lines, isBrief: isBrief)))
  }

  func id(of target: ReplCommand.Target) throws(UsageError) -> Message.ID {
    switch target {
    case .message(let id): id
    case .handle(let letters): try reader.message(called: letters)
    }
  }
}
