package import HistoryQueries
internal import MessageModel
internal import TerminalText

package enum StatisticsTable {
  package static func text(of statistics: StatisticsAnswer) -> String {
    let store = statistics.store
    let rows: [[String]] = [
      ["store", VisibleText.of(store.store)],
      ["messages", NumberText.grouped(store.messages)],
      ["conversations", NumberText.grouped(store.conversations)],
      ["senders", NumberText.grouped(store.senders)],
      ["imports", NumberText.grouped(store.imports)],
      ["deleted", NumberText.grouped(store.deleted)],
      ["attachments", NumberText.grouped(store.attachments)],
      ["  contents", NumberText.grouped(store.contents)],
      ["  attachment data", NumberText.bytes(store.bytesOfContents)],
      ["  stored in the database", NumberText.bytes(store.bytesOfContentsWithin)],
      ["size on disk", NumberText.bytes(store.bytesOnDisk)],
      ["  free space", NumberText.bytes(store.bytesFree)],
      ["memory in use", NumberText.bytes(store.bytesResident)],
      ["memory at most", NumberText.bytes(store.bytesPeak)],
    ]
    let sizes = statistics.sizes.map { self.rows(of: $0, messages: store.messages) } ?? []
    return TextTable.text(rows + sizes + MemoryTable.rows(of: statistics.memory))
  }

  package static func text(of statistics: SelectionStatisticsAnswer) -> String {
    let rows = [
      ("messages", statistics.messages), ("senders", statistics.senders),
      ("with attachments", statistics.withAttachments), ("with links", statistics.withLinks),
      ("replies", statistics.replies), ("edited", statistics.edited),
    ]
    return TextTable.text(rows.map { [$0.0, NumberText.grouped($0.1)] })
  }

  private static func rows(of sizes: SizeFigures, messages: Int) -> [[String]] {
    let parts = [
      ("text", sizes.bytesOfText), ("  row and id overhead", sizes.bytesOfRows),
      ("  search index", sizes.bytesOfSearch), ("  duplicate keys", sizes.bytesOfDuplicates),
      ("  counts", sizes.bytesOfCounts), ("  attachments", sizes.bytesOfAttachmentsWithin),
      ("  other", sizes.bytesOfOthers),
    ]
    return parts.map { name, size in
      let perMessage = (Double(size) / Double(max(messages, 1)) * 10).rounded() / 10
      return [name, "\(NumberText.bytes(size)), \(perMessage) a message"]
    }
  }
}

package enum MemoryTable {
  /// A name and a figure per row.
  package static func rows(of memory: MemoryFigures) -> [[String]] {
    let most = NumberText.bytes(memory.bytesOfAttachmentCacheAtMost)
    return [
      ["  page cache", NumberText.bytes(memory.bytesOfPageCache)],
      ["  search, statements", NumberText.bytes(memory.bytesOfSearchInMemory)],
      ["  all of SQLite", NumberText.bytes(memory.bytesOfSQLite)],
      ["  attachment cache", "\(NumberText.bytes(memory.bytesOfAttachmentCache)) of \(most)"],
      ["    contents held", NumberText.grouped(memory.contentsHeld)],
      [
        "    found there",
        "\(NumberText.grouped(memory.contentsFound)), read \(NumberText.grouped(memory.contentsRead))",
      ],
    ]
  }
}
