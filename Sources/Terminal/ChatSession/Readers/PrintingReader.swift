internal import MessageInterchange
package import MessageModel
package import MessageWindows
internal import TerminalText

/// A reader for whom messages are printed: a script, or a user at a terminal without a window.
///
/// Their place is the range printed last; `/older` and `/newer` continue from it. A script gets only what it
/// asks for, and fails if that does not exist. On a terminal new messages appear as they arrive, with
/// letters.
package struct PrintingReader: Sendable {
  var terminal: Terminal?
  var printed: ClosedRange<Message.ID>?
  private var printedTime: Timestamp?
  /// Where jumps began.
  package var jumps = JumpHistory()
  var mildStatus = ExitStatus.done
  let write: @Sendable (String) -> Void
  let complain: @Sendable (String) -> Void

  init(
    at terminal: Terminal?, write: @escaping @Sendable (String) -> Void,
    complain: @escaping @Sendable (String) -> Void
  ) {
    self.terminal = terminal
    self.write = write
    self.complain = complain
  }

  private var pageCount: Int {
    guard let terminal, !terminal.isPlain else { return 10 }
    return max(1, terminal.rows - 3)
  }

  private static let mostMessages = 10_000
}

extension PrintingReader: Reader {
  package var traits: ReaderTraits {
    ReaderTraits(medium: terminal == nil ? .pipe : .terminal, columns: terminal?.columns ?? 120)
  }
  package var cover: Cover {
    get { Cover() }
    set {}
  }
  package var wakesAt: ContinuousClock.Instant? { nil }

  package mutating func emit(_ reply: Reply, in context: inout ReplContext) throws(UsageError) {
    switch reply {
    case .listing(let listing): show(Array(listing.linesAlone))
    case .choices(let words):
      show([words.prefix(200).map(ScreenReader.shown).joined(separator: "  ")])
    case .clipboard(let text): show(SafeText.lines(of: text))
    case .notice(let text), .echo(let text): if traits.isAttended { show([text]) }
    case .miss(let text):
      guard traits.isAttended else { throw UsageError(text, status: .nothingFound) }
      show([text])
    case .question(let question): show([question.line])
    case .summary(let summary): try emit(summary)
    case .stopped:
      guard traits.isAttended else { throw UsageError("stopped", status: .interrupted) }
      show(["stopped"])
    }
  }

  /// Skipped records do not end a script, but determine its status.
  private mutating func emit(_ summary: Reply.Summary) throws(UsageError) {
    if traits.isAttended {
      return show([([summary.text] + summary.skipped.prefix(1)).joined(separator: "; ")])
    }
    show([summary.text])
    for line in summary.skipped { complain(line) }
    if summary.status == .interrupted { throw UsageError("stopped", status: .interrupted) }
    if summary.status != .done { mildStatus = summary.status }
  }

  package mutating func complain(_ error: any Error) {
    // Stopping was the user's choice.
    if traits.isAttended, (error as? StoreError)?.kind == .cancelled { return show(["stopped"]) }
    complain(Self.sentence(about: error))
  }

  static func sentence(about error: any Error) -> String {
    let text = (error as? any ExplainedError)?.typed ?? "\(error)"
    return SafeText.lines(of: text).joined(separator: "\n")
  }

  func show(_ lines: [String]) { write(lines.flatMap { SafeText.lines(of: $0) }.map { $0 + "\n" }.joined()) }

  // Printed lines cannot be put away.
  package static func answer(_ event: ReplEvent, _ session: inout Session<PrintingReader>) -> Effects? { nil }
  package mutating func clearNotice() {}
  package mutating func putAway() -> Bool { true }
  package mutating func highlight(_ hits: [String], wholeWords: Bool, current: Message.ID?) {}
}

// MARK: Moving

extension PrintingReader {
  package var sight: Sight {
    guard let printed else { return Sight(isAtNewestEdge: false) }
    let first = printed.lowerBound
    return Sight(
      place: WindowPosition(id: first), visible: printed,
      inView: ReplContext.InView(time: printedTime ?? first.placeTime, first: first, last: first),
      isAtNewestEdge: printed.upperBound == terminal?.edge)
  }

  package func message(called letters: String) throws(UsageError) -> Message.ID {
    guard let terminal else {
      throw UsageError("letters work only in the window; in a script use #ID")
    }
    if let id = terminal.handles.message(called: letters) { return id }
    throw UsageError("no message shown last has the letter '\(letters)'")
  }

  package mutating func enter(_ context: inout ReplContext, isPassing: Bool) throws(StoreError) {
    (printed, jumps) = (nil, JumpHistory())
    guard terminal != nil else { return }
    try context.adoptReadMark()
    if isPassing {
      let newest = try context.store.page(
        PageRequest(context.selection, anchor: .newest, fetchLimit: 1, wantsCounts: false))
      terminal?.begin(at: newest.messages.last?.id)
    } else {
      terminal?.begin(at: nil)
      try read(.newest, pageCount, in: &context)
    }
  }

  package mutating func move(
    _ motion: Motion, in context: inout ReplContext
  ) throws(StoreError) -> Page.Resolution? {
    switch motion {
    case .messages(let count), .rows(let count): try readOn(count, in: &context)
    case .halfPages(let count): try readOn(count * max(1, pageCount / 2), in: &context)
    case .pages(let count): try readOn(count * pageCount, in: &context)
    case .days(let count): return try readDay(count, in: &context)
    case .end(let direction):
      let count = traits.isAttended ? pageCount : 1
      return try jump(to: direction == .older ? .oldest : .newest, count, in: &context)
    case .to(let anchor, _): return try jump(to: anchor, 1, in: &context)
    case .hit(let id, isFirst: true): return try jump(to: .around(id), 1, in: &context)
    case .hit(let id, isFirst: false): return try read(.around(id), 1, in: &context)
    case .retrace(let direction):
      guard let here = sight.place, let there = jumps.place(direction) else { return nil }
      let resolution = try read(.around(there.id), 1, in: &context)
      jumps.note(direction == .older ? .back : .forward, from: here)
      return resolution
    case .restore(let place): return try read(.around(place.id), 1, in: &context)
    }
    return nil
  }

  private mutating func readOn(_ count: Int, in context: inout ReplContext) throws(StoreError) {
    let limit = min(abs(count), Self.mostMessages)
    if count < 0 {
      try read(printed.map { .before($0.lowerBound) } ?? .newest, limit, in: &context)
    } else if let printed {
      try read(.after(printed.upperBound), limit, in: &context)
    }
  }

  /// Prints the beginning of the day `count` days on, or of the next messages.
  private mutating func readDay(
    _ count: Int, in context: inout ReplContext
  ) throws(StoreError) -> Page.Resolution? {
    guard let printed else { return nil }
    let day = context.clock.civil(at: printedTime ?? printed.lowerBound.placeTime).daysSince1970
    let start = context.clock.moment(showing: CivilTime(daysSince1970: day + count))
    return try read(.time(start), pageCount, in: &context)
  }

  private mutating func jump(
    to anchor: PageAnchor, _ count: Int, in context: inout ReplContext
  ) throws(StoreError) -> Page.Resolution {
    let before = sight.place
    let resolution = try read(anchor, count, in: &context)
    if let before { jumps.note(.push, from: before) }
    return resolution
  }

  @discardableResult
  private mutating func read(
    _ anchor: PageAnchor, _ count: Int, in context: inout ReplContext
  ) throws(StoreError) -> Page.Resolution {
    func page(_ anchor: PageAnchor, _ count: Int) throws(StoreError) -> Page {
      try context.store.page(
        PageRequest(context.selection, anchor: anchor, fetchLimit: min(count, 1_000), wantsCounts: false))
    }
    let isBackward = if case .before = anchor { true } else { anchor == .newest }
    var left = count
    var resolution: Page.Resolution?
    var messages: [Message] = []
    var next: PageAnchor? = anchor
    // The source may stop a filtered search early; the loop continues it.
    while let anchor = next, left > 0 {
      let found = try page(anchor, left)
      if resolution?.message == nil { resolution = found.resolution }
      left -= found.messages.count
      messages = isBackward ? found.messages + messages : messages + found.messages
      let edge = isBackward ? found.messages.first : found.messages.last
      next = found.nextAnchor ?? edge.map { isBackward ? .before($0.id) : .after($0.id) }
    }
    if let first = messages.first, let last = messages.last {
      (printed, printedTime) = (ClosedRange(from: first.id, to: last.id), first.moment)
      try print(messages, in: &context)
    }
    return resolution ?? Page.Resolution(.nothing)
  }

  package mutating func firstUnread(in context: inout ReplContext) throws(StoreError) -> PageAnchor {
    switch context.timeline {
    case .conversation: try context.anchor(ofUnreadAfter: context.readEdge)
    case .everything, .person: try context.anchor(ofUnreadAfter: context.unreadMark ?? context.readEdge)
    }
  }

  /// Prints the number of matches.
  package mutating func select(
    _ outcome: ReplContext.FilterOutcome, keeping id: Message.ID?, in context: inout ReplContext
  ) throws(StoreError) -> [Reply] {
    if case .saved(let name) = outcome {
      try context.store.countMessages(ofFilter: name) { _, _ in !Interruption.isAskedFor }
    }
    guard context.filter != nil,
      let counts = try context.store.page(PageRequest(context.selection, fetchLimit: 0)).counts
    else { return [] }
    let line = (counts.isExact ? "" : "~") + NumberText.counted(counts.total, "message")
    return [.listing(Listing(lines: [line]))]
  }

  package mutating func follow(_ follows: Bool, in context: inout ReplContext) throws(UsageError) {
    guard terminal != nil else { throw Self.noWindow }
    terminal?.follows = follows
  }

  package mutating func freeze(_ freezes: Bool, in context: inout ReplContext) throws {
    guard terminal != nil else { throw Self.noWindow }
    throw UsageError(
      "what was printed stays as it is", cause: "there is no window to hold still here",
      remedy: "/follow off")
  }

  private static let noWindow = UsageError("this takes a window", cause: "there is none here")

  package mutating func layOut(size: (rows: Int, columns: Int)?, in context: inout ReplContext) {
    terminal?.encoder.palette = context.palette
    guard let size else { return }
    terminal?.rows = size.rows
    terminal?.columns = size.columns
  }
}

// MARK: Changes

extension PrintingReader {
  package mutating func refresh(in context: inout ReplContext) {}
  package mutating func pageJobs(in context: ReplContext) -> [Job] { [] }

  /// Prints my own message after all new ones.
  package mutating func goToOwn(in context: inout ReplContext) {
    guard let terminal else { return }
    if let edge = terminal.edge, printed?.upperBound != edge {
      (printed, printedTime) = (edge...edge, try? context.store.moment(of: edge))
    }
    self.terminal?.hasWritten = true
  }

  package mutating func noticeChange(in context: inout ReplContext) throws(StoreError) {
    context.names.forgetChanged()
    guard let terminal, try context.store.version(of: context.selection) != terminal.version else { return }
    // Another process may have imported into the conversation.
    context.origin = nil
    try catchUp(in: &context)
  }

  /// Prints new messages; counts them while the reader is elsewhere.
  package mutating func catchUp(in context: inout ReplContext) throws(StoreError) {
    guard let terminal else { return }
    let store = context.store
    try store.checkPlace()
    try store.atOneMoment { () throws(StoreError) in try printArrivals(at: terminal, in: &context) }
  }

  private mutating func printArrivals(
    at terminal: Terminal, in context: inout ReplContext
  ) throws(StoreError) {
    let newest = terminal.edge.map { PageAnchor.after($0) } ?? .oldest
    let page = try context.store.page(
      PageRequest(context.selection, anchor: newest, fetchLimit: Self.mostArrivals, wantsCounts: false))
    self.terminal?.version = page.version
    let count = page.messages.count
    if terminal.hasWritten, let newest = page.messages.last {
      // Writing implies having read all earlier replies.
      context.answersReadUpTo = newest.id
      self.terminal?.hasWritten = false
    }
    let isAtEdge = terminal.edge == nil || printed?.upperBound == terminal.edge
    guard isAtEdge, terminal.follows else {
      self.terminal?.newer = count < Self.mostArrivals ? count : nil
      return
    }
    if count == Self.mostArrivals {
      show(["… more than \(Self.mostArrivals) new messages; the newest:"])
      try read(.newest, pageCount, in: &context)
    } else if let first = page.messages.first, let last = page.messages.last {
      if printed == nil { printedTime = first.moment }
      printed = ClosedRange(from: printed?.lowerBound ?? first.id, to: last.id)
      try print(page.messages, in: &context)
    }
    self.terminal?.newer = 0
  }

  private static let mostArrivals = 100
}
