internal import MessageModel
internal import TerminalText

extension ScriptSession {
  /// Carries out a command.
  mutating func perform(_ command: ReplCommand) throws {
    switch command {
    case .older(let count): try read(printed.map { .before($0.first) } ?? .newest, count ?? pageCount)
    case .newer(let count): if let printed { try read(.after(printed.last), count ?? pageCount) }
    case .top: try jump(to: .oldest, live == nil ? 1 : pageCount)
    case .bottom: try jump(to: .newest, live == nil ? 1 : pageCount)
    case .goto(let destination): try go(to: destination)
    case .back: try retrace(printed.flatMap { trail.back(from: $0.first) }, "back")
    case .forward: try retrace(trail.forward(), "forward")
    case .open(let name):
      try context.open(name)
      (printed, trail) = (nil, Trail())
      try begin()
    case .search(let query): try search(query)
    case .hit(let direction): try step(direction)
    case .filter(let words): try filter(words)
    case .set(let name, let value):
      show(try context.set(name, to: value))
      if value != nil { remember(context.settings) }
      if let live, live.manner != context.manner { isDone = true }
    case .mark(let name):
      guard let place = printed?.first else {
        throw UsageError("there is no place to mark", cause: "nothing was printed yet", remedy: "/goto first")
      }
      say(try context.mark(place, as: name))
    case .load(let request) where live != nil:
      try begin(try context.loading(request), saying: "importing …")
    case .export(let request) where live != nil:
      try begin(try context.exporting(request), saying: "exporting …")
    case .attach(let file, let text) where live != nil:
      try begin(context.attaching(file, text), saying: "attaching …")
    case .load(let request): try load(request)
    case .export(let request):
      show([try context.export(request, redraw: { _ in }, isCancelled: { Interruption.isAskedFor })])
    case .quit: isDone = true
    case .follow(let follows) where live != nil:
      live?.follows = follows
      say(ReplContext.sentence(onFollowing: follows))
    case .freeze where live != nil:
      throw UsageError(
        "what was printed stays as it is", cause: "there is no window to hold still here",
        remedy: "/follow off")
    case .follow, .freeze:
      throw UsageError("this takes a window", cause: "there is none here")
    default: if try !write(command) { try list(command) }
    }
  }

  /// Carries out a command that changes messages; whether it does.
  private mutating func write(_ command: ReplCommand) throws -> Bool {
    switch command {
    case .reply(let target, let text):
      goToEdge(having: try context.append(text, replyTo: try id(of: target)))
    case .append(let text): goToEdge(having: try context.append(text))
    case .edit(let target, nil) where live != nil:
      let id = try id(of: target)
      live?.handedBack = "/edit #\(id) \(try context.textToEdit(id))"
    case .edit(let target, let text):
      guard let text else { throw UsageError("/edit wants more", remedy: "/edit #ID TEXT") }
      say(try context.edit(try id(of: target), text: text))
    case .delete(let target): say(try context.delete(try id(of: target)))
    case .attach(let file, let text):
      context.noteWritten(try context.attach(file, text, in: context.store))
    case .undo: say(try context.undo())
    case .react(let target, let emoji): say(try context.react(emoji, to: try id(of: target)))
    default: return false
    }
    return true
  }

  /// Carries out a command that prints something else than messages.
  private mutating func list(_ command: ReplCommand) throws {
    switch command {
    case .conversations: show(try context.conversationLines())
    case .stats: show(try context.figureLines())
    case .memory: show(context.memoryLines(nil))
    case .sections(let span): show(try context.sectionLines(by: span))
    case .marks: show(try context.markLines())
    case .save(let target, let folder): show(try context.save(try id(of: target), to: folder))
    case .view(let target): show(try context.details(of: try id(of: target)))
    case .help(let name): show(try HelpText.lines(about: name))
    case .copy(let target):
      let id = try id(of: target)
      guard let text = try context.store.text(of: id) else { throw context.noMessage(id) }
      show(SafeText.lines(of: text))
    default: break
    }
  }

  /// Imports in line and prints the summary. Skipped records end no script, but it keeps the code.
  private mutating func load(_ request: TransferRequest) throws {
    Interruption.listen()
    let outcome = try context.load(
      request, redraw: { _ in }, isCancelled: { Interruption.isAskedFor })
    show([outcome.summary])
    for line in outcome.skipped { complain(line) }
    if outcome.status == .interrupted { throw UsageError("stopped", status: .interrupted) }
    if outcome.status != .done { mildStatus = outcome.status }
  }

  /// Prints the newest hit up to the place, or the next behind it.
  private mutating func search(_ query: String) throws {
    if query.isEmpty {
      search = nil
      return
    }
    let wanted = HitSearch(query, number: 0)
    guard let hit = try context.firstHit(wanted, from: printed?.last ?? .highest) else {
      throw context.nothingFound(wanted)
    }
    search = wanted
    try jump(to: .around(hit), 1)
  }

  private mutating func step(_ direction: HistoryView.Direction) throws {
    guard let search else { throw UsageError("nothing is searched for", remedy: "/search QUERY") }
    guard let place = direction == .older ? printed?.first : printed?.last,
      let hit = try context.hit(search.pattern, direction, of: place)
    else { throw UsageError("no other hit in this direction", status: .nothingFound) }
    try read(.around(hit), 1)
  }

  /// Takes a filter and prints how many messages it lets through.
  private mutating func filter(_ words: String) throws {
    let outcome = try context.setFilter(words)
    if case .saved(let name) = outcome {
      try context.store.countFilter(named: name) { _, _ in !Interruption.isAskedFor }
    }
    if let remark = outcome.remark { say(remark) }
    guard context.filter != nil else { return }
    let page = try context.store.page(FetchRequest(context.selection, fetchLimit: 0))
    guard let counts = page.counts else { return }
    show([(counts.isExact ? "" : "~") + NumberText.counted(counts.total, "message")])
  }

  /// Prints what is somewhere else, and remembers where that jump began.
  @discardableResult
  mutating func jump(to anchor: Anchor, _ count: Int) throws(StoreError) -> Page.Resolution {
    let before = printed
    let resolution = try read(anchor, count)
    if let before { trail.leave(before.first) }
    return resolution
  }

  /// Prints the message at a place of the trail.
  private mutating func retrace(_ place: Message.ID?, _ direction: String) throws {
    guard let place else {
      throw UsageError("there is nothing to go \(direction) to", status: .nothingFound)
    }
    try read(.around(place), 1)
  }

  private func id(of target: ReplCommand.Target) throws(UsageError) -> Message.ID {
    switch target {
    case .message(let id): return id
    case .handle(let letters):
      if let id = live?.handles.message(called: letters) { return id }
      guard live == nil else { throw UsageError("no message shown last is called '\(letters)'") }
      throw UsageError("letters call messages on a screen: there is none in a pipe", remedy: "#ID")
    }
  }
}
