internal import MessageModel
internal import TerminalText

extension ReplSession {
  /// Carries out a command.
  mutating func perform(_ command: ReplCommand) throws -> Outcome {
    if isReadOnly, command.isWriting {
      throw UsageError("nothing is written in a view", remedy: "scrollback without --view")
    }
    switch command {
    case .older(let count): try move(count, .older)
    case .newer(let count): try move(count, .newer)
    case .top: try jump(to: .oldest)
    case .bottom: try jump(to: .newest)
    case .back: try retrace(.older)
    case .forward: try retrace(.newer)
    case .goto(let destination): try go(to: destination)
    case .open(let name):
      try context.open(name)
      try enter()
    case .search(let query): return try search(query)
    case .hit(let direction): return try step(direction)
    case .filter(let words):
      let outcome = try context.setFilter(words)
      try view.select(context.selection)
      noteVisible()
      if let remark = outcome.remark { say(remark) }
      // Not a change of the store: there is nothing to wait for.
      search?.recountsAt = nil
      return Outcome(works: counting(), stops: forgetHits())
    case .follow(let follows): try view.follow(follows)
    case .freeze(let freezes): try freeze(freezes)
    case .mark(let name):
      guard let place = view.window.position?.id else { throw UsageError("there is no message to mark") }
      say(try context.mark(place, as: name))
    case .set(let name, let value):
      let lines = try context.set(name, to: value)
      if lines.count == 1 { say(lines[0]) } else { show(lines) }
      guard value != nil else { return Outcome() }
      try layOut()
      return Outcome(leaves: context.manner != .window, settings: context.settings)
    case .load(let request): return try begin(try context.loading(request), saying: "importing …")
    case .export(let request): return try begin(try context.exporting(request), saying: "exporting …")
    case .attach(let file, let text):
      return try begin(context.attaching(file, text), saying: "attaching …")
    case .save(let target, let folder):
      let lines = try context.save(try id(of: target), to: folder)
      if lines.count == 1 { say(lines[0]) } else { show(lines) }
    case .quit: return Outcome(leaves: true)
    default: return try write(command) ?? list(command)
    }
    return Outcome()
  }

  /// Carries out a command that changes messages; `nil` if it does not.
  private mutating func write(_ command: ReplCommand) throws -> Outcome? {
    switch command {
    case .reply(let target, let text): try append(text, replyTo: try id(of: target))
    case .append(let text): try append(text, replyTo: nil)
    case .edit(let target, nil):
      let id = try id(of: target)
      return Outcome(line: "/edit #\(id) \(try context.textToEdit(id))")
    case .edit(let target, let text?): _ = try context.edit(try id(of: target), text: text)
    case .delete(let target): say(try context.delete(try id(of: target)))
    case .undo: say(try context.undo())
    case .react(let target, let emoji): _ = try context.react(emoji, to: try id(of: target))
    default: return nil
    }
    refresh()
    return Outcome()
  }

  /// Shows a change that was made. Whatever goes wrong with that is said, but must not give the line back: it was
  /// carried out.
  private mutating func refresh() {
    do throws(StoreError) { try view.sourceChanged() } catch { report(error) }
    noteVisible()
  }

  /// Carries out a command that shows something in place of the messages.
  private mutating func list(_ command: ReplCommand) throws -> Outcome {
    switch command {
    case .conversations: show(try context.conversationLines(), choosing: .conversation)
    case .stats: show(try context.figureLines())
    case .memory: show(context.memoryLines(view.window.header, pictureByteCount: gallery.byteCount))
    case .sections(let span): showEnd(try context.sectionLines(by: span), choosing: .place)
    case .marks: show(try context.markLines(), choosing: .mark)
    case .view(let target):
      let id = try id(of: target)
      show(try context.details(of: id))
      let pictures = previewRows(of: id)
      overlay?.lines += pictures
    case .help(let name):
      show(try isReadOnly ? HelpText.viewLines(about: name) : HelpText.lines(about: name))
    case .copy(let target):
      let id = try id(of: target)
      guard let text = try context.store.text(of: id) else { throw context.noMessage(id) }
      say("copied \(NumberText.counted(text.count, "character"))")
      return Outcome(clipboard: text)
    default: break
    }
    return Outcome()
  }

  /// Moves by messages, or by a page.
  private mutating func move(_ count: Int?, _ direction: HistoryView.Direction) throws(StoreError) {
    if let count {
      try view.scroll(messages: direction == .older ? -count : count)
    } else {
      try view.scroll(rows: direction == .older ? -view.height : view.height)
    }
    noteVisible()
  }

  private mutating func retrace(_ direction: HistoryView.Direction) throws(StoreError) {
    if try !view.retrace(direction) {
      say(direction == .older ? "there is nothing to go back to" : "there is nothing to go forward to")
    }
    noteVisible()
  }

  private mutating func go(to destination: ReplCommand.Destination) throws {
    let before = context.conversation.id
    guard var anchor = try context.anchor(for: destination, from: inView) else {
      return say(ReplContext.nothing(beyond: destination))
    }
    if destination == .unread { anchor = try firstUnread() }
    if context.conversation.id != before { try enter() }
    // A mark stands for the first message in view: it comes back to that place.
    let rowsAbove = if case .message = destination { view.height / 3 } else { 0 }
    let resolution = try jump(to: anchor, rowsAbove: rowsAbove)
    if let remark = context.remark(on: destination, resolution) { say(remark) }
  }

  private var inView: ReplContext.InView? {
    guard let current = view.current, let top = view.top else { return nil }
    return ReplContext.InView(time: current.time, first: top.id, last: current.id)
  }

  private mutating func append(_ text: String, replyTo: Message.ID?) throws(StoreError) {
    context.countAsRead(upTo: try context.append(text, replyTo: replyTo))
    view.unreadAfter = nil
    refresh()
    guard !view.isAtBottom, view.window.header.sinceFrozen == nil else { return }
    do throws(StoreError) { try view.jump(to: .newest) } catch { report(error) }
  }

  /// The message that a handle or an id calls.
  private func id(of target: ReplCommand.Target) throws(UsageError) -> Message.ID {
    switch target {
    case .message(let id): return id
    case .handle(let letters):
      if let id = handles.message(called: letters) { return id }
      throw UsageError("no message on the screen is called '\(letters)'")
    }
  }
}
