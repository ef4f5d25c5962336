package import MessageModel
package import MessageStorage
internal import TerminalText

/// `stats`: counts, sizes on disk and memory.
package enum StatsCommand {
  /// Returns a line per figure.
  ///
  /// - Parameter withSizes: Whether to tell what each part of the store takes on disk, which reads all of it.
  package static func text(_ store: SynchronousMessageStore, withSizes: Bool = false) throws -> String {
    let statistics = try store.statistics()
    let memory = ProcessMemory.now()
    let rows: [[String]] = [
      ["store", VisibleText.of(store.path)],
      ["messages", NumberText.grouped(statistics.messageCount)],
      ["conversations", NumberText.grouped(statistics.conversationCount)],
      ["senders", NumberText.grouped(statistics.senderCount)],
      ["imports", NumberText.grouped(statistics.importCount)],
      ["deleted", NumberText.grouped(statistics.deletedCount)],
      ["attachments", NumberText.grouped(statistics.attachmentCount)],
      ["  contents", NumberText.grouped(statistics.contentCount)],
      ["  their size", NumberText.bytes(statistics.contentByteCount)],
      ["  of it within", NumberText.bytes(statistics.inlineByteCount)],
      ["size on disk", NumberText.bytes(statistics.fileByteCount)],
      ["  of it free", NumberText.bytes(statistics.freeByteCount)],
      ["memory in use", NumberText.bytes(memory.residentByteCount)],
      ["memory at most", NumberText.bytes(memory.peakByteCount)],
    ]
    let sizes = withSizes ? rowsOf(try store.sizes(), statistics.messageCount) : []
    return TextTable.text(rows + sizes + MemoryFigures.rows(of: store.memory()))
  }

  /// Returns a line per figure of some conversations.
  package static func text(of selection: Selection, _ store: SynchronousMessageStore) throws -> String {
    TextTable.text(try counts(of: selection, store).map { [$0.name, NumberText.grouped($0.count)] })
  }

  /// Returns the figures of some conversations as one JSON object in a line.
  package static func json(of selection: Selection, _ store: SynchronousMessageStore) throws -> String {
    let fields = try counts(of: selection, store).map { "\"\($0.key)\":\($0.count)" }
    return "{\(fields.joined(separator: ","))}\n"
  }

  private static func counts(
    of selection: Selection, _ store: SynchronousMessageStore
  ) throws -> [(name: String, key: String, count: Int)] {
    func count(_ predicate: MessagePredicate) throws -> Int {
      let request = PageRequest(Selection(selection.conversations, where: predicate), fetchLimit: 0)
      return try store.page(request).counts?.total ?? 0
    }
    return [
      ("messages", "messages", try count(.everything)),
      ("senders", "senders", try store.senders(in: selection.conversations).count),
      ("with attachments", "withAttachments", try count(.has(.attachment))),
      ("with links", "withLinks", try count(.has(.link))),
      ("replies", "replies", try count(.has(.reply))),
      ("edited", "edited", try count(.has(.edit))),
    ]
  }

  private static func rowsOf(_ sizes: StoreSizes, _ messageCount: Int) -> [[String]] {
    parts(of: sizes).map { name, _, size in
      let perMessage = (Double(size) / Double(max(messageCount, 1)) * 10).rounded() / 10
      return [name, "\(NumberText.bytes(size)), \(perMessage) a message"]
    }
  }

  /// What is told of sizes: as people and as programs read it.
  private static func parts(of sizes: StoreSizes) -> [(name: String, key: String, size: Int)] {
    [
      ("text", "bytesOfText", sizes.text),
      ("  over it: rows, ids", "bytesOfRows", sizes.messages - sizes.text),
      ("  search index", "bytesOfSearch", sizes.search),
      ("  duplicate keys", "bytesOfDuplicates", sizes.duplicates),
      ("  counts", "bytesOfCounts", sizes.counts),
      ("  attachments", "bytesOfAttachmentsWithin", sizes.contents),
      ("  all else", "bytesOfOthers", sizes.others),
    ]
  }

  /// Returns one JSON object in a line.
  package static func json(_ store: SynchronousMessageStore, withSizes: Bool = false) throws -> String {
    let statistics = try store.statistics()
    let memory = ProcessMemory.now()
    let fields =
      [
        "\"store\":\(JSONString.of(store.path))", "\"messages\":\(statistics.messageCount)",
        "\"conversations\":\(statistics.conversationCount)", "\"senders\":\(statistics.senderCount)",
        "\"imports\":\(statistics.importCount)", "\"deleted\":\(statistics.deletedCount)",
        "\"attachments\":\(statistics.attachmentCount)", "\"contents\":\(statistics.contentCount)",
        "\"bytesOfContents\":\(statistics.contentByteCount)",
        "\"bytesOfContentsWithin\":\(statistics.inlineByteCount)",
        "\"bytesOnDisk\":\(statistics.fileByteCount)", "\"bytesFree\":\(statistics.freeByteCount)",
        "\"bytesResident\":\(memory.residentByteCount)", "\"bytesPeak\":\(memory.peakByteCount)",
      ] + MemoryFigures.fields(of: store.memory())
      + (withSizes ? parts(of: try store.sizes()).map { "\"\($0.key)\":\($0.size)" } : [])
    return "{\(fields.joined(separator: ","))}\n"
  }
}
