package import HistoryQueries
internal import TerminalText

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
