package import MessageStorage
internal import TerminalText

/// What a store holds in memory, for people and for programs.
package enum MemoryFigures {
  /// A name and a figure per line.
  package static func rows(of memory: StoreMemory) -> [[String]] {
    let contents = memory.contents
    return [
      ["  page cache", NumberText.bytes(memory.pageCacheByteCount)],
      ["  search, statements", NumberText.bytes(memory.searchByteCount)],
      ["  all of SQLite", NumberText.bytes(memory.databaseByteCount)],
      [
        "  attachment cache",
        "\(NumberText.bytes(contents.byteCount)) of \(NumberText.bytes(contents.byteLimit))",
      ],
      ["    contents held", NumberText.grouped(contents.contentCount)],
      [
        "    found there",
        "\(NumberText.grouped(contents.hitCount)), read \(NumberText.grouped(contents.missCount))",
      ],
    ]
  }

  /// Fields of a JSON object.
  package static func fields(of memory: StoreMemory) -> [String] {
    [
      "\"bytesOfPageCache\":\(memory.pageCacheByteCount)",
      "\"bytesOfSearchInMemory\":\(memory.searchByteCount)",
      "\"bytesOfSQLite\":\(memory.databaseByteCount)",
      "\"bytesOfAttachmentCache\":\(memory.contents.byteCount)",
    ]
  }
}
