package import MessageStorage

/// Counts and sizes of a store, the keys of its parts one after the other.
public struct StatisticsAnswer: HistoryAnswer {
  /// The figures of the store.
  public var store: StoreFigures
  /// The figures of its memory.
  public var memory: MemoryFigures
  /// The sizes of its parts on disk, if they were wanted.
  public var sizes: SizeFigures?

  /// Reads what ``encode(to:)`` writes.
  ///
  /// - Throws: `DecodingError` if it is something else, or a part of it is.
  public init(from decoder: any Decoder) throws {
    store = try StoreFigures(from: decoder)
    memory = try MemoryFigures(from: decoder)
    sizes = try? SizeFigures(from: decoder)
  }

  init(store: StoreFigures, memory: MemoryFigures, sizes: SizeFigures?) {
    self.store = store
    self.memory = memory
    self.sizes = sizes
  }

  /// Writes it as docs/json.md tells.
  ///
  /// - Throws: Any error of the encoder.
  public func encode(to encoder: any Encoder) throws {
    try store.encode(to: encoder)
    try memory.encode(to: encoder)
    try sizes?.encode(to: encoder)
  }
}

/// The figures of a store, and of the memory of the process that was asked.
public struct StoreFigures: Codable, Hashable, Sendable {
  /// The path of the store.
  public var store: String
  /// The number of messages.
  public var messages: Int
  /// The number of conversations.
  public var conversations: Int
  /// The number of names that wrote.
  public var senders: Int
  /// The number of imports.
  public var imports: Int
  /// The number of messages that have been deleted.
  public var deleted: Int
  /// The number of files attached to messages.
  public var attachments: Int
  /// The number of different contents that are stored.
  public var contents: Int
  /// The bytes of these contents.
  public var bytesOfContents: Int
  /// The number of these bytes that lie within the database.
  public var bytesOfContentsWithin: Int
  /// The bytes of the database, without contents in files beside it.
  public var bytesOnDisk: Int
  /// The number of these that are empty and will be filled before the file grows.
  public var bytesFree: Int
  /// The memory that the process holds now.
  public var bytesResident: Int
  /// The most that it ever held.
  public var bytesPeak: Int

  init(_ statistics: StoreStatistics, _ memory: ProcessMemory, path: String) {
    store = path
    messages = statistics.messageCount
    conversations = statistics.conversationCount
    senders = statistics.senderCount
    imports = statistics.importCount
    deleted = statistics.deletedCount
    attachments = statistics.attachmentCount
    contents = statistics.contentCount
    bytesOfContents = statistics.contentByteCount
    bytesOfContentsWithin = statistics.inlineByteCount
    bytesOnDisk = statistics.fileByteCount
    bytesFree = statistics.freeByteCount
    bytesResident = memory.residentByteCount
    bytesPeak = memory.peakByteCount
  }
}

/// The memory of a store.
public struct MemoryFigures: Codable, Hashable, Sendable {
  /// The pages of the database.
  public var bytesOfPageCache: Int
  /// The bytes of prepared statements, and of what searches read and merge.
  public var bytesOfSearchInMemory: Int
  /// All that SQLite has taken.
  public var bytesOfSQLite: Int
  /// The contents of attachments.
  public var bytesOfAttachmentCache: Int
  /// The most that these may take.
  public var bytesOfAttachmentCacheAtMost: Int
  /// The number of these contents.
  public var contentsHeld: Int
  /// The number of times that a content was asked for and held.
  public var contentsFound: Int
  /// The number of times that one was read.
  public var contentsRead: Int

  /// Creates figures.
  package init(_ memory: StoreMemory) {
    bytesOfPageCache = memory.pageCacheByteCount
    bytesOfSearchInMemory = memory.searchByteCount
    bytesOfSQLite = memory.databaseByteCount
    bytesOfAttachmentCache = memory.contents.byteCount
    bytesOfAttachmentCacheAtMost = memory.contents.byteLimit
    contentsHeld = memory.contents.contentCount
    contentsFound = memory.contents.hitCount
    contentsRead = memory.contents.missCount
  }
}

/// The sizes of the parts of a store on disk.
public struct SizeFigures: Codable, Hashable, Sendable {
  /// The texts themselves.
  public var bytesOfText: Int
  /// The tables of messages with their keys, without the texts.
  public var bytesOfRows: Int
  /// The search indexes.
  public var bytesOfSearch: Int
  /// The bytes of the keys that imports compare with.
  public var bytesOfDuplicates: Int
  /// The counts by block, facet and saved filter.
  public var bytesOfCounts: Int
  /// The contents of attachments in the database.
  public var bytesOfAttachmentsWithin: Int
  /// All else.
  public var bytesOfOthers: Int

  init(_ sizes: StoreSizes) {
    bytesOfText = sizes.text
    bytesOfRows = sizes.messages - sizes.text
    bytesOfSearch = sizes.search
    bytesOfDuplicates = sizes.duplicates
    bytesOfCounts = sizes.counts
    bytesOfAttachmentsWithin = sizes.contents
    bytesOfOthers = sizes.others
  }
}
