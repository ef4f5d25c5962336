internal import MessageModel
internal import MessageWindows
internal import TerminalText

extension Session {
  /// Carries out a command. What it tells is not told yet.
  mutating func perform(_ command: ReplCommand) throws -> Effects {
    if isReadOnly, command.isWriting {
      throw UsageError("nothing is written in a view", remedy: "scrollback without --view")
    }
    if let question = try question(before: command) { return Effects(.question(question)) }
    switch command {
    case .older(let count): return try move(count.map { .messages(-$0) } ?? .pages(-1))
    case .newer(let count): return try move(count.map { .messages($0) } ?? .pages(1))
    case .top: return try move(.end(.older))
    case .bottom: return try move(.end(.newer))
    case .back: return try retrace(.older, "back")
    case .forward: return try retrace(.newer, "forward")
    case .goto(let destination): return try go(to: destination)
    case .sections(let span):
      return Effects(.listing(try context.sectionListing(by: span)))
    case .map: return try showMap()
    case .mark(let name): return try mark(name)
    case .marks: return Effects(.listing(try context.markListing()))
    case .search(let query): return try search(query)
    case .hit(let direction): return try step(direction)
    case .hits(let query): return try listHits(query)
    case .filter(let words): return try filter(words)
    case .open(let name): return try open(name)
    case .conversations:
      return Effects(.listing(try context.conversationListing(columns: reader.width)))
    case .stats: return list(try context.figureLines())
    case .follow(let follows): return try follow(follows)
    case .freeze(let freezes):
      try reader.freeze(freezes, in: &context)
      return Effects()
    case .memory:
      let held = reader.held
      return list(context.memoryLines(held.header, pictureByteCount: held.pictureByteCount))
    case .set(let name, let value): return try set(name, to: value)
    case .view(let target): return try view(id(of: target))
    case .copy(let target, let last): return try copy(id(of: target), through: last.map { try id(of: $0) })
    case .url(let target, let number, let action): return try url(id(of: target), number, action)
    case .thread(let target): return list(try context.threadLines(of: id(of: target)))
    case .answered(let target): return try goToAnswered(target.map { try id(of: $0) })
    case .reply(let target, let text): return try append(text, replyTo: id(of: target))
    case .append(let text): return try append(text)
    case .act(let text): return try append(text, kind: .action)
    case .edit(let target, let text): return try edit(target, text)
    case .delete(let target): return changed(.notice(try context.delete(try id(of: target))))
    case .undo(let wanted): return try undo(wanted)
    case .react(let target, let emoji): return changed(.echo(try context.react(emoji, to: id(of: target))))
    case .attach(let file, let text): return try begin(context.attaching(file, text), "attaching …")
    case .save(let target, let folder):
      return list(try context.save(id(of: target), to: folder), isBrief: true)
    case .load(let request): return try begin(context.loading(request), "importing …")
    case .export(let request): return try begin(context.exporting(request), "exporting …")
    case .source(let file): return try source(file)
    case .help(let name):
      return list(try reader.isView ? HelpText.viewLines(about: name) : HelpText.lines(about: name))
    case .quit:
      var effects = Effects()
      effects.leaves = true
      return effects
    }
  }

  // MARK: Moving

  mutating func move(_ motion: Motion) throws -> Effects {
    _ = try reader.move(motion, in: &context)
    return Effects()
  }

  private mutating func go(to destination: ReplCommand.Destination) throws -> Effects {
    let before = context.conversation.id
    keepPlace()
    let view = reader.inView
    guard var anchor = try context.anchor(for: destination, from: view) else {
      return Effects(.miss(ReplContext.nothing(beyond: destination)))
    }
    var effects = Effects()
    if destination == .unread {
      if try context.firstUnread == nil { effects.replies.append(.notice("nothing is unread")) }
      anchor = try reader.firstUnread(in: &context)
    }
    let isElsewhere = context.conversation.id != before
    if isElsewhere {
      trail.leave(before)
      effects = effects.adding(try enter(isPassing: true))
    }
    // A mark stands for the first message in view: it comes back to that place.
    let isMessage = if case .message = destination { true } else { false }
    let resolution = try reader.move(.to(anchor, amongOthers: isMessage), in: &context)
    // It begins there: the way back leads to the conversation before.
    if isElsewhere { reader.jumps = JumpHistory() }
    if let remark = resolution.flatMap({ context.remark(on: destination, $0) }) {
      effects.replies.append(.miss(remark))
    } else if let hint = try context.hint(on: destination, resolution?.message, from: view) {
      effects.replies.append(.notice(hint))
    }
    return effects
  }

  private mutating func mark(_ name: String) throws -> Effects {
    guard let place = reader.place?.id, reader.visible != nil else {
      throw UsageError("there is no place to mark", cause: "no message is in view", remedy: "/goto first")
    }
    return Effects(.notice(try context.mark(place, as: name)))
  }

  /// The message that is to stay where it is on the screen: the hit, if it is seen.
  private var messageToKeep: Message.ID? {
    search?.place.flatMap { place in reader.visible?.contains(place) == true ? place : nil }
  }

  private mutating func filter(_ words: String) throws -> Effects {
    let before = context.filter
    let outcome = try context.setFilter(words)
    var effects = Effects()
    effects.replies = outcome.remark.map { [.notice($0)] } ?? []
    do { effects.replies += try reader.select(outcome, keeping: messageToKeep, in: &context) } catch {
      context.filter = before
      throw error
    }
    forgetCount()
    effects.jobs = counting()
    if case .saved(let name) = outcome, reader.showsHits { effects.jobs.append(context.countingFilter(name)) }
    effects.stops = forgetHits().union([.count])
    return effects
  }

  private mutating func follow(_ follows: Bool) throws -> Effects {
    try reader.follow(follows, in: &context)
    return Effects(.echo(follows ? "new messages are shown as they come" : "new messages are only counted"))
  }

  private mutating func set(_ name: String?, to value: String?) throws -> Effects {
    var lines = try context.set(name, to: value)
    // A script leaves the file of settings alone.
    if value != nil, !reader.isAttended { lines = lines.map { "\($0) (in this script alone)" } }
    var effects = list(lines, isBrief: true)
    guard value != nil else { return effects }
    try reader.layOut(size: nil, in: &context)
    effects.leaves = reopens
    // A window that is opened anew shows the same place.
    if reopens, context.displayMode == looks.displayMode, !reader.isAtNewestEdge {
      context.start = reader.place.map { .message($0.id) }
    }
    effects.settings = context.settings
    return effects
  }

  /// Says that what was set could not be kept for the next run.
  package mutating func tellUnkept(in path: String) { reader.complain(ConfigFile.unkept(in: path)) }

  // MARK: Showing

  private func list(_ lines: [String], isBrief: Bool = false) -> Effects {
    Effects(.listing(Listing(lines: lines, isBrief: isBrief)))
  }

  private mutating func view(_ id: Message.ID) throws -> Effects {
    // What a script gets stays as it is: `show` has them.
    let lines = try context.details(of: id, withEarlierTexts: reader.isAttended)
    return Effects(.listing(Listing(lines: lines, pictures: id)))
  }

  // MARK: Writing

  /// What is to be asked before a command is carried out: whether an imported conversation is written to at all.
  private mutating func question(before command: ReplCommand) throws -> Question? {
    guard let place = command.place, reader.isAttended, sourceDepth == 0, reader.hasLine,
      context.store.isWritable
    else { return nil }
    var (meant, conversation, doing) = (command, context.conversation, "append to")
    if case .reply(let target, _) = command { meant = command.calling(try id(of: target)) }
    if case .message(let target, let words) = place {
      let id = try id(of: target)
      guard let message = try context.message(id),
        let found = try context.store.conversation(message.conversation)
      else { return nil }
      (meant, conversation, doing) = (command.calling(id), found, words)
    }
    guard !context.permitted.contains(conversation.id), let origin = try context.origin(of: conversation)
    else { return nil }
    return Question(
      text: "\(doing) \(SafeText.oneLine(conversation.name).cut(columns: 30)), \(origin)?",
      answers: [Question.Answer(word: "yes", command: meant), Question.Answer(word: "no", command: nil)],
      permits: conversation.id)
  }

  /// Takes a change back; what was done last in another conversation is asked about first.
  private mutating func undo(_ wanted: ReplCommand.Undoing) throws -> Effects {
    let change = try context.change(wanted)
    if wanted == .last, change.conversation != context.conversation.id {
      guard reader.hasLine else { throw try context.elsewhere(change) }
      return Effects(.question(try context.question(about: change)))
    }
    return changed(.notice(try context.undo(change)))
  }

  private mutating func append(
    _ text: String, kind: Message.Kind = .text, replyTo: Message.ID? = nil
  ) throws -> Effects {
    let id = try context.append(text, kind: kind, replyTo: replyTo, reads: reader.isAttended)
    reader.goToOwn(id, in: &context)
    return context.isPermitted ? Effects(.notice(context.appendedRemark)) : Effects()
  }

  private mutating func edit(_ target: ReplCommand.Target, _ text: String?) throws -> Effects {
    if let text { return changed(.echo(try context.edit(try id(of: target), text: text))) }
    guard reader.hasLine else { throw UsageError("/edit wants more", remedy: "/edit #ID TEXT") }
    let id = try id(of: target)
    var effects = Effects()
    effects.line = "/edit #\(id) \(try context.textToEdit(id))"
    return effects
  }

  /// Shows a change that was made.
  private mutating func changed(_ reply: Reply) -> Effects {
    reader.refresh(in: &context)
    return Effects(reply)
  }

  /// Has something long done while the reader goes on.
  ///
  /// - Parameter beginning: What to say until it tells how far it has come.
  private mutating func begin(_ job: Job, _ beginning: String) throws -> Effects {
    if let transfer { throw ReplContext.busy(with: transfer) }
    transfer = beginning
    return Effects(.echo("\(beginning) Ctrl-C stops it"), jobs: [job])
  }

  /// The message that a handle or an id calls.
  private func id(of target: ReplCommand.Target) throws(UsageError) -> Message.ID {
    switch target {
    case .message(let id): id
    case .handle(let letters): try reader.message(called: letters)
    }
  }
}
