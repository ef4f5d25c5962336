internal import ChatSession
internal import Dispatch
internal import HistoryQueries
internal import HistoryTransfer
internal import MessageInterchange
internal import MessageModel
internal import MessagePostgres
internal import MessageStorage
internal import TerminalText

struct PublishedLines {
  let history: PublishedHistory
  var format: any ExportFormat
  let console: Console
  private var names: [Conversation.ID: String]

  init(_ history: PublishedHistory, _ format: any ExportFormat, _ console: Console) throws {
    self.history = history
    self.format = format
    self.console = console
    names = try history.archive.conversationNames()
  }

  /// Conversations may have been added since the names were read.
  mutating func name(of id: Conversation.ID) throws -> String {
    if names[id] == nil { names = try history.archive.conversationNames() }
    return names[id] ?? ""
  }

  mutating func write(_ records: [MessageRecord], margin: String = "") throws {
    for record in records {
      var bytes = Array(margin.utf8)
      let name = try name(of: record.message.conversation)
      format.write(ExportRecord(record, conversation: name), to: &bytes)
      console.write(bytes)
    }
    console.flush()
  }
}

extension Tail {
  func run(_ history: PublishedHistory, in shell: Shell) throws -> ExitStatus {
    let console = common.console(in: shell)
    let predicate = try common.predicate(filter.query(), in: history, shell)
    let selection = try history.selection(conversation.choice(otherwise: .only)).narrowed(to: predicate)
    let naming: PrintedText.Naming =
      try history.isOfSeveral(selection, mayGrow: follow) ? .inLines : .none
    let format: any ExportFormat =
      json.json
      ? try ExportFormats.named("jsonl")
      : PrintedText(console.printing(zone: try common.zone(in: shell), naming: naming))
    var lines = try PublishedLines(history, format, console)
    let changes = follow ? history.archive.changes() : nil
    var edges = follow ? try NewestEdges(selection, in: history.archive) : nil
    let first = try history.archive.records(
      PageRequest(
        selection, order: direction.order,
        fetchLimit: count ?? console.size.map { max($0.rows - 1, 1) } ?? 10,
        fetchOffset: offset, wantsCounts: false))
    try lines.write(first.records)
    guard let changes else { return .done }
    // Messages that arrived after the edges were noted may be on the page.
    var shown = Set(first.records.map(\.message.id))
    let notices = Notices(changes)
    while notices.wait() {
      var fresh: [MessageRecord] = []
      try PatientWork.run(console) { () throws(StoreError) in
        var advanced = edges
        fresh = try advanced?.read() ?? []
        edges = advanced
      }
      try lines.write(fresh.filter { !shown.contains($0.message.id) })
      shown = []
    }
    return .done
  }

  /// The changes of an archive, for a command that blocks until the next one.
  private struct Notices {
    private let arrived = DispatchSemaphore(value: 0)

    init(_ changes: AsyncStream<Void>) {
      let arrived = arrived
      Task.detached { for await _ in changes { arrived.signal() } }
    }

    func wait() -> Bool {
      arrived.wait()
      while arrived.wait(timeout: .now()) == .success {}
      return !Interruption.isAskedFor
    }
  }
}

extension Show {
  func run(_ history: PublishedHistory, in shell: Shell) throws -> ExitStatus {
    guard platform == nil, context == 0 else {
      throw UsageError(
        "--platform and --context are for a store in a file", cause: "this is a published archive",
        remedy: "scrollback search, which shows ids")
    }
    var ids = try MessageIDs.parsed(ids)
    if thread {
      ids = try ids.flatMap { id in
        let whole = Selection(.all, where: .thread(try history.archive.threadStart(of: id)))
        return try history.archive.read(
          PageRequest(whole, anchor: .oldest, fetchLimit: 10_000, wantsCounts: false)
        ).messages.map(\.id)
      }
    }
    let console = pager.console(common, in: shell)
    let command = ShowCommand(timeZone: try common.zone(in: shell))
    let names = try history.archive.conversationNames()
    var (found, isFirst) = (Set<Message.ID>(), true)
    for piece in stride(from: 0, to: ids.count, by: 200).map({ Array(ids[$0..<min($0 + 200, ids.count)]) }) {
      for record in try history.archive.records(of: piece) {
        let name = names[record.message.conversation] ?? ""
        if json.json {
          try console.write(answers: CollectionOfOne(MessageAnswer(record, conversation: name)))
        } else {
          console.write(
            styled: (isFirst ? "" : "\n") + command.text(of: record, conversation: name, console.encoder))
        }
        (isFirst, found) = (false, found.union([record.message.id]))
      }
    }
    console.flush()
    let missing = ids.filter { !found.contains($0) }
    for id in missing { console.complain("scrollback: there is no message #\(id)") }
    return missing.isEmpty && !ids.isEmpty ? .done : .nothingFound
  }
}

extension Search {
  func run(_ history: PublishedHistory, in shell: Shell) throws -> ExitStatus {
    guard !best, context == 0 else {
      throw UsageError(
        "--best and --context are for a store in a file", cause: "this is a published archive",
        remedy: "the same without them")
    }
    let text = query.joined(separator: " ")
    let wanted: MessagePredicate =
      regex ? .regex(text) : try common.predicate(MessageQuery(text), in: history, shell)
    let others = try common.predicate(filter.query(matching: matching), in: history, shell)
    let selection = try history.selection(conversation.choice(otherwise: .all))
      .narrowed(to: .all(of: [others, wanted].filter { $0 != .everything }))
    let console = pager.console(common, in: shell)
    shell.listenForInterruption()
    let naming: PrintedText.Naming = try history.isOfSeveral(selection) ? .inLines : .none
    let format = PrintedText(
      console.printing(zone: try common.zone(in: shell), naming: naming, partsDays: false))
    var lines = try PublishedLines(history, format, console)
    var found = false
    let status = try history.forEachPage(of: selection, direction.order, limit: limit, offset: offset) {
      records in
      found = true
      for record in records {
        if json.json {
          let name = try lines.name(of: record.message.conversation)
          try console.write(answers: CollectionOfOne(MessageAnswer(record, conversation: name)))
        } else {
          try lines.write([record], margin: ids ? "#\(record.message.id)  " : "")
        }
      }
      console.flush()
    }
    return status == .done && !found ? .nothingFound : status
  }
}

extension PublishedHistory {
  /// Calls `body` with pages of messages from one end until Ctrl-C.
  func forEachPage(
    of selection: Selection, _ order: PageRequest.Order, limit: Int?, offset: Int,
    _ body: ([MessageRecord]) throws -> Void
  ) throws -> ExitStatus {
    var rest = limit ?? .max
    var request = PageRequest(
      selection, order: order, anchor: order == .oldestFirst ? .oldest : .newest, fetchOffset: offset,
      wantsCounts: false)
    while rest > 0 {
      if Interruption.isAskedFor { return .interrupted }
      request.fetchLimit = min(rest, 1_000)
      let (records, page) = try archive.records(request)
      if !records.isEmpty { try body(records) }
      rest -= records.count
      request.fetchOffset = 0
      let hasMore = order == .oldestFirst ? page.hasNewer : page.hasOlder
      guard hasMore else { return .done }
      if let nextAnchor = page.nextAnchor {
        request.anchor = nextAnchor
      } else if let last = records.last?.message.id {
        request.anchor = order == .oldestFirst ? .after(last) : .before(last)
      } else {
        return .done
      }
    }
    return .done
  }
}

extension PublishedHistory {
  func parts(of selection: Selection) throws -> [Selection] {
    let all = try archive.conversations().map(\.id)
    let chosen =
      switch selection.conversations {
      case .all: all
      case .some(let ids): all.filter(ids.contains)
      }
    return chosen.map { Selection($0, where: selection.predicate) }
  }

  /// Calls `body` with pages of one selection after the other until Ctrl-C.
  func forEachPage(
    of parts: [Selection], _ order: PageRequest.Order, limit: Int?, offset: Int,
    _ body: ([MessageRecord]) throws -> Void
  ) throws -> ExitStatus {
    var (left, passed) = (limit ?? .max, offset)
    for part in parts where left > 0 {
      if passed > 0 {
        let total = try archive.read(PageRequest(part, fetchLimit: 0)).counts?.total ?? 0
        guard passed < total else {
          passed -= total
          continue
        }
      }
      let status = try forEachPage(of: part, order, limit: left, offset: passed) { records in
        left -= records.count
        try body(records)
      }
      guard status == .done else { return status }
      passed = 0
    }
    return .done
  }
}

extension Export {
  func run(_ history: PublishedHistory, in shell: Shell) throws -> ExitStatus {
    guard attachments == nil, format?.lowercased() != ExportChoice.siteName else {
      throw UsageError(
        "a site and attachments are written from a store in a file",
        cause: "a published archive has the facts of attachments, not their contents",
        remedy: "another format")
    }
    let console = pager.console(common, in: shell)
    let file = output == "-" ? nil : output
    let predicate = try common.predicate(filter.query(), in: history, shell)
    let selection = try history.selection(conversation.choice(otherwise: .all)).narrowed(to: predicate)
    let naming: PrintedText.Naming =
      try !history.isOfSeveral(selection) ? .none : merge ? .inLines : .headings
    let printing = console.printing(zone: try common.zone(in: shell), naming: naming, isFile: file != nil)
    let known = format.map { ExportFormats.name(of: $0) ?? $0 } ?? (json ? "jsonl" : nil)
    let name = try known ?? file.flatMap { try ExportChoice.name(ofFile: $0) } ?? "text"
    var format: any ExportFormat =
      name == "text"
      ? PrintedText(printing)
      : try ExportChoice.writer(
        name, options: ExportOptions(timeZone: printing.zone, defusesFormulas: defuse))
    let names = try history.archive.conversationNames()
    let target = try file.map {
      try OutputFile(
        path: $0, sparing: StoreFiles(ofStoreAt: StoreLocation.path(option: nil, environment: [:])))
    }
    shell.listenForInterruption()
    func write(_ bytes: [UInt8]) throws {
      if let target {
        try target.write(target.isTerminal ? VisibleText.lines(bytes) : bytes)
      } else if format is PrintedText {
        console.write(bytes)
      } else {
        console.write(data: bytes)
      }
    }
    do {
      var bytes: [UInt8] = []
      format.writeHeader(to: &bytes)
      let parts = merge ? [selection] : try history.parts(of: selection)
      let status = try history.forEachPage(
        of: parts, window.order, limit: window.limit, offset: window.offset
      ) { records in
        for record in records {
          let name = names[record.message.conversation] ?? ""
          format.write(ExportRecord(record, conversation: name), to: &bytes)
        }
        try write(bytes)
        bytes.removeAll(keepingCapacity: true)
      }
      format.writeFooter(to: &bytes)
      try write(bytes)
      guard status == .done else {
        target?.discard()
        return status
      }
      try target?.finish()
      console.flush()
      return .done
    } catch {
      target?.discard()
      throw error
    }
  }
}

extension Conversations.List {
  func run(_ history: PublishedHistory, in shell: Shell) throws -> ExitStatus {
    guard by == nil else {
      throw UsageError(
        "--by is for a store in a file", cause: "this is a published archive", remedy: "the same without --by"
      )
    }
    let console = pager.console(common, in: shell)
    let answers = try history.archive.conversations().map { ConversationAnswer($0) }
    try console.write(answers: answers, asJSON: json.json) {
      ConversationTable(timeZone: try common.zone(in: shell)).text(of: answers, layout: $0)
    }
    console.flush()
    return .done
  }
}
