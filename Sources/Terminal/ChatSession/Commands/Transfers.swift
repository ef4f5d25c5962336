internal import HistoryTransfer
internal import MessageInterchange
internal import MessageModel
internal import MessagePictures
internal import MessageStorage
internal import TerminalText

/// `/import` and `/export`.
extension Session {
  /// Starts a transfer; `beginning` is shown until it reports progress.
  mutating func begin(_ job: Job, _ beginning: String) throws -> Effects {
    if let transfer { throw ReplContext.busy(with: transfer) }
    transfer = beginning
    return Effects(.echo("\(beginning) Ctrl-C stops it"), jobs: [job])
  }
}

extension ReplContext {
  /// Unreadable input is reported at once.
  func loading(_ request: TransferRequest) throws -> Job {
    _ = try request.importCommand(zone: zone)
    return transfer { redraw, isCancelled in
      let outcome = try load(request, redraw: redraw, isCancelled: isCancelled)
      return .summary(
        Reply.Summary(text: outcome.summary, skipped: outcome.skipped, status: outcome.status))
    }
  }

  func exporting(_ request: TransferRequest) throws -> Job {
    _ = try request.redaction.map(RedactionChoice.rules)
    if let command = request.command {
      let format = try request.pipedFormat(zone: zone)
      return transfer { redraw, isCancelled in
        try export(request, to: command, format, redraw: redraw, isCancelled: isCancelled)
      }
    }
    _ = try request.exportTarget(zone: zone)
    return transfer { redraw, isCancelled in
      .summary(Reply.Summary(text: try export(request, redraw: redraw, isCancelled: isCancelled)))
    }
  }

  private func transfer(
    _ body:
      @escaping @Sendable (
        _ redraw: @escaping @Sendable (String) -> Void, _ isCancelled: @escaping @Sendable () -> Bool
      ) throws -> Reply
  ) -> Job {
    Job(.transfer) { report, isCancelled in
      let redraw: @Sendable (String) -> Void = { if !$0.isEmpty { report(.progress($0)) } }
      report(.ended(try body(redraw, isCancelled)))
    }
  }

  static func busy(with transfer: String) -> UsageError {
    UsageError("busy: \(transfer)", remedy: "Ctrl-C stops it")
  }

  func load(
    _ request: TransferRequest, redraw: @escaping (String) -> Void, isCancelled: () -> Bool
  ) throws -> ImportCommand.Outcome {
    let command = try request.importCommand(zone: zone)
    let other = try store.reopened()
    defer { other.close() }
    // Conversations read to their end stay read when older messages are imported.
    try? other.markRead(unwritten)
    return try command.load(into: { other }, note: { _ in }, redraw: redraw, isCancelled: isCancelled)
  }

  /// A cancelled export leaves no file.
  func export(
    _ request: TransferRequest, redraw: @escaping (String) -> Void, isCancelled: () -> Bool
  ) throws -> String {
    let target = try request.exportTarget(zone: zone)
    let other = try store.reopened()
    defer { other.close() }
    let redaction = try redaction(of: request, other)
    let file = try OutputFile(path: target.path, sparing: other.files)
    var byteCount = 0
    do {
      let count = try export(of: other).run(other, format: target.format, redaction: redaction) { bytes in
        if isCancelled() { throw StoreError(.cancelled, "stopped exporting") }
        try file.write(bytes)
        byteCount += bytes.count
        redraw("exporting \(NumberText.bytes(byteCount))")
      }.messageCount
      try file.finish()
      let what = "exported \(NumberText.counted(count, "message")) to '\(SafeText.oneLine(target.path))'"
      return [what, redaction.map { RedactionChoice.summary(of: $0.redactor) }].compactMap(\.self)
        .joined(separator: " · ")
    } catch {
      file.discard()
      throw error
    }
  }

  /// Pipes an export to a shell command; returns its output or, if that is empty, the number of messages. A
  /// command that stops reading early has succeeded.
  private func export(
    _ request: TransferRequest, to command: String, _ format: any ExportFormat,
    redraw: @escaping (String) -> Void,
    isCancelled: @escaping () -> Bool
  ) throws -> Reply {
    let other = try store.reopened()
    defer { other.close() }
    let redaction = try redaction(of: request, other)
    let pipe = try CommandPipe(command)
    var byteCount = 0
    let name = "'\(SafeText.oneLine(command).cut(columns: 40))'"
    var count: Int?
    do {
      count = try export(of: other).run(other, format: format, redaction: redaction) { bytes in
        try pipe.write(bytes, isCancelled: isCancelled)
        if isCancelled() { throw StoreError(.cancelled, "stopped exporting") }
        byteCount += bytes.count
        redraw("exporting \(NumberText.bytes(byteCount))")
      }.messageCount
    } catch is CommandPipe.Closed {
    } catch {
      _ = pipe.finish(isCancelled: { true })
      throw error
    }
    let (lines, status) = pipe.finish(isCancelled: isCancelled)
    if isCancelled() { throw StoreError(.cancelled, "stopped exporting") }
    guard status == 0 || (count == nil && status == Self.brokenPipeStatus) else {
      throw UsageError("\(name) ended with status \(status)", cause: lines.last.map { SafeText.oneLine($0) })
    }
    if !lines.isEmpty { return .listing(Listing(lines: lines.map { SafeText.oneLine($0) })) }
    let given = count.map { NumberText.counted($0, "message") } ?? "as many messages as it read"
    return .summary(Reply.Summary(text: "gave \(given) to \(name)"))
  }

  private func redaction(
    of request: TransferRequest, _ store: SynchronousMessageStore
  ) throws -> HistoryRedaction? {
    try request.redaction.map { try HistoryRedaction(RedactionChoice.rules($0), of: store, zone: zone) }
  }

  private func export(of store: SynchronousMessageStore) throws -> HistoryExport {
    guard let conversation = openConversation else { return HistoryExport(selection) }
    let shown = Selection(try ConversationChoice.named(conversation.name, in: store).id)
    return HistoryExport(shown.narrowed(to: selection.predicate))
  }

  private static var brokenPipeStatus: Int32 { 128 + 13 }
}

extension SynchronousMessageStore {
  /// For long work on another thread.
  func reopened() throws(StoreError) -> SynchronousMessageStore {
    if let other = try anotherOfArchive() { return other }
    var options = options
    if options.access == .create { options.access = .readWrite }
    try checkPlace()
    return try SynchronousMessageStore(path: path, options: options)
  }
}

/// `/attach` and `/save`.
extension Session {
  func save(_ id: Message.ID, to folder: String) throws -> Effects {
    let store = context.store
    let files = try store.attachments(of: id)
    guard !files.isEmpty else {
      throw UsageError("nothing is attached to message #\(id)", status: .nothingFound)
    }
    let folder = PathText.expanded(folder)
    try store.files.makeFolder(folder)
    let saved = try files.map { "saved \(SafeText.oneLine(try store.save($0, to: folder)))" }
    return list(saved, isBrief: true)
  }
}

extension ReplContext {
  /// Throws ``UsageError`` where several conversations are shown.
  func attaching(_ file: String, _ text: String) throws(UsageError) -> Job {
    let conversation = try conversationToWriteTo().id
    return Job(.transfer) { report, _ in
      let other = try store.reopened()
      defer { other.close() }
      let message = NewMessage(text, from: me, files: [NewAttachment(file: file)])
      for id in try other.append([message], to: conversation) {
        report(.written(message, as: id, in: conversation))
      }
      other.makeMissingPictures(by: PictureSupport.maker)
      report(.ended(.notice("attached \(SafeText.oneLine(file))")))
    }
  }
}
