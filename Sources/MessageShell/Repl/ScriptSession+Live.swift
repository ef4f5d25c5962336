internal import MessageInterchange
public import MessageModel
public import TerminalText

extension ScriptSession {
  /// What is kept for somebody who types at a terminal: messages come in as they are written, and have letters.
  public struct Live {
    /// What was chosen when the session began.
    let manner: ReplContext.Manner
    /// Whether messages are printed as plain lines, and not as rows.
    let isPlain: Bool
    let encoder: StyleEncoder
    public var rows: Int
    public var columns: Int
    /// The newest message ever shown: behind it is what comes in.
    var edge: Message.ID?
    var follows = true
    /// How many messages have come in and are not shown; `nil` for more than a hundred.
    var newer: Int? = 0
    /// Those printed last, which have letters.
    var recent: [Message.ID] = []
    var handles = HandleTable()
    /// The day under which messages were printed last.
    var day: Int?
    /// What is to be brought into the line.
    var handedBack: String?
    /// What is to be done on another thread.
    var works: [BackgroundWork] = []
    /// How far that has come; `nil` if nothing is being done.
    var transfer: String?
    /// The line that had asked for it.
    var workLine: String?

    /// Describes a terminal.
    public init(
      _ manner: ReplContext.Manner, _ encoder: StyleEncoder, rows: Int, columns: Int, isPlain: Bool
    ) {
      self.manner = manner
      self.isPlain = isPlain
      self.encoder = encoder
      self.rows = rows
      self.columns = columns
    }
  }

  /// Prints the newest messages, if somebody types.
  public mutating func begin() throws(StoreError) {
    guard live != nil else { return }
    live?.edge = nil
    live?.newer = 0
    try read(.newest, pageCount)
    live?.edge = printed?.last
  }

  /// Carries out a line that somebody typed.
  ///
  /// - Returns: What to bring into the line: nothing typed is lost when it cannot be carried out.
  public mutating func take(_ line: String) -> String? {
    live?.handedBack = nil
    do {
      try run(line)
      if live?.works.isEmpty == false { live?.workLine = line }
      try showArrivals()
      return live?.handedBack
    } catch {
      complain(Self.sentence(error))
      return line
    }
  }

  /// Does what a key does that moves a window: prints what is there.
  public mutating func press(_ key: ReplSession.Key, count: Int) {
    let command: ReplCommand? =
      switch key {
      case .pageOlder: .older(pageCount)
      case .halfOlder: .older(max(1, pageCount / 2))
      case .rowOlder: .older(1)
      case .rowsOlder: .older(3)
      case .pageNewer: .newer(pageCount)
      case .halfNewer: .newer(max(1, pageCount / 2))
      case .rowNewer: .newer(1)
      case .rowsNewer: .newer(3)
      case .oldest: .top
      case .newest: .bottom
      case .unread: .goto(.unread)
      case .nextHit, .repeatHit: .hit(.newer)
      case .previousHit, .reverseHit: .hit(.older)
      case .redraw, .close: nil
      }
    do {
      for _ in 0..<max(1, min(count, 100)) { if let command { try perform(command) } }
    } catch {
      complain(Self.sentence(error))
    }
  }

  /// Prints what has come in or, while the reader is elsewhere, counts it; whether there is something to tell.
  @discardableResult
  public mutating func showArrivals() throws(StoreError) -> Bool {
    guard let live else { return false }
    try context.store.checkPlace()
    let newest = live.edge.map { Anchor.after($0) } ?? .oldest
    let page = try context.store.page(
      FetchRequest(context.selection, anchor: newest, fetchLimit: Self.mostArrivals, wantsCounts: false))
    let count = page.messages.count
    let isAtEdge = live.edge == nil || printed?.last == live.edge
    guard isAtEdge, live.follows else {
      let newer = count < Self.mostArrivals ? count : nil
      defer { self.live?.newer = newer }
      return newer != live.newer
    }
    if count == Self.mostArrivals {
      show(["… more than \(Self.mostArrivals) new messages; the newest:"])
      try read(.newest, pageCount)
    } else if let first = page.messages.first, let last = page.messages.last {
      printed = (printed?.first ?? first.id, last.id)
      try printLive(page.messages)
    }
    self.live?.newer = 0
    return count > 0
  }

  private static let mostArrivals = 100

  // MARK: Long work

  /// Whether something long is being done, which Ctrl-C stops.
  public var isTransferring: Bool { live?.transfer != nil }

  /// Has something long done while the reader goes on.
  mutating func begin(_ work: BackgroundWork, saying beginning: String) throws {
    if let transfer = live?.transfer { throw ReplContext.busy(with: transfer) }
    live?.transfer = beginning
    live?.works.append(work)
    show(["\(beginning) Ctrl-C stops it"])
  }

  /// Returns what is to be done on another thread since this was asked last.
  public mutating func takeWorks() -> [BackgroundWork] {
    defer { live?.works = [] }
    return live?.works ?? []
  }

  /// Takes in what that work tells.
  ///
  /// - Returns: The line that had asked for it, if it could not be done.
  public mutating func take(_ report: BackgroundWork.Report) -> String? {
    if case .progress(let text) = report {
      live?.transfer = text
      return nil
    }
    live?.transfer = nil
    switch report {
    case .written(let id): context.noteWritten(id)
    case .ended(let text): show([text])
    case .stopped: show(["stopped"])
    case .failed(let text, _):
      complain(text)
      return live?.workLine
    default: break
    }
    return nil
  }

  /// What to ask for a line with: what has come in is told here.
  public var prompt: String {
    guard let live else { return "> " }
    var parts: [String] = []
    if live.newer != 0 { parts.append("↓ \(live.newer.map(NumberText.grouped) ?? "100+") new") }
    // Who has the screen read aloud would hear it again and again.
    if let transfer = live.transfer, !live.isPlain {
      parts.append(SafeText.oneLine(transfer).cut(columns: live.columns / 2))
    }
    return parts.isEmpty ? "> " : parts.joined(separator: " · ") + " > "
  }

  /// Whether `/quit` was typed, or another manner of showing messages was asked for.
  public var hasEnded: Bool { isDone }

  /// Where the session is by now.
  public var place: ReplContext { context }

  /// How many messages are printed at once.
  var pageCount: Int {
    guard let live, !live.isPlain else { return 10 }
    return max(1, live.rows - 3)
  }

  /// What I have written is shown, with all that came in before it.
  mutating func goToEdge(having written: Message.ID) {
    guard live != nil else { return }
    context.countAsRead(upTo: written)
    if let edge = live?.edge, printed?.last != edge { printed = (edge, edge) }
  }

  // MARK: Printing

  /// Prints messages with their letters, as rows or as plain lines.
  mutating func printLive(_ messages: [Message]) throws(StoreError) {
    guard var live, let last = messages.last else { return }
    live.recent = Array((live.recent + messages.map(\.id)).suffix(max(messages.count, live.rows)))
    live.handles.update(visible: live.recent)
    live.edge = live.edge.map { max($0, last.id) } ?? last.id
    self.live = live
    if live.isPlain {
      var format = TextExport(timeZone: context.zone)
      for message in messages {
        write((live.handles.handle(of: message.id) ?? "") + "  " + (try line(of: message, &format)))
      }
    } else {
      for row in try rows(of: messages) { write(live.encoder.string(row) + "\n") }
    }
    if !isReadOnly, let first = messages.first { context.noteSeen(from: first.id, through: last.id) }
  }

  /// The rows of messages, with a line for each day that begins.
  private mutating func rows(of messages: [Message]) throws(StoreError) -> [Row] {
    guard var live else { return [] }
    var renderer = MessageRenderer(
      LayoutSettings(columns: live.columns, zone: context.zone, foldRows: max(3, live.rows / 2)))
    var rows: [Row] = []
    for message in messages {
      let day = renderer.day(of: message)
      if day != live.day { rows.append(renderer.daySeparator(day)) }
      live.day = day
      let quoted = try message.replyTo.flatMap { id throws(StoreError) in try context.message(id) }
      var own = renderer.rows(of: message, quoting: quoted)
      if let handle = live.handles.handle(of: message.id), let first = own.first {
        own[0] = first.withHandle(handle, margin: renderer.settings.marginColumns)
      }
      rows += own.map { row in
        guard row.isFold else { return row }
        let target = live.handles.handle(of: message.id) ?? "#\(message.id)"
        return row.naming("/view \(target)", columns: live.columns, textColumn: renderer.settings.textColumn)
      }
    }
    self.live?.day = live.day
    return rows
  }
}
