package import MessageStorage

/// Counts and sizes of a store. In JSON, the keys of all parts are in one object.
public struct StatisticsAnswer: HistoryAnswer {
  /// The figures of the store.
  public var store: StoreFigures
  /// The figures of its memory.
  public var memory: MemoryFigures
  /// The sizes of its parts on disk, if asked for.
  public var sizes: SizeFigures?

  /// Reads what ``encode(to:)`` writes.
  ///
  /// - Throws: `DecodingError` for anything else.
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

  /// Writes it as docs/json.md describes.
  public func encode(to encoder: any Encoder) throws {
    try store.encode(to: encoder)
    try memory.encode(to: encoder)
    try sizes?.encode(to: encoder)
  }
}

/// The figures of a store, and of the memory of this process.
public struct StoreFigures: Codable, Hashable, Sendable {
  /// The path of the store.
  public var store: String
  /// The number of messages.
  public var messages: Int
  /// The number of conversations.
  public var conversations: Int
  /// The number of sender names.
  public var senders: Int
  /// The number of imports.
  public var imports: Int
  /// The number of deleted messages.
  public var deleted: Int
  /// The number of files attached to messages.
  public var attachments: Int
  /// The number of different stored contents.
  public var contents: Int
  /// The bytes of these contents.
  public var bytesOfContents: Int
  /// The part of these bytes within the database.
  public var bytesOfContentsWithin: Int
  /// The bytes of the database, without contents in files beside it.
  public var bytesOnDisk: Int
  /// The part of these bytes that is free for reuse.
  public var bytesFree: Int
  /// The memory of the process.
  public var bytesResident: Int
  /// The peak memory of the process.
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

/// The memory of a store, in bytes.
public struct MemoryFigures: Codable, Hashable, Sendable {
  /// The pages of the database.
  public var bytesOfPageCache: Int
  /// Prepared statements, and what searches read and merge.
  public var bytesOfSearchInMemory: Int
  /// All memory of SQLite.
  public var bytesOfSQLite: Int
  /// The contents of attachments.
  public var bytesOfAttachmentCache: Int
  /// The limit for cached contents.
  public var bytesOfAttachmentCacheAtMost: Int
  /// The number of cached contents.
  public var contentsHeld: Int
  /// The number of cache hits.
  public var contentsFound: Int
  /// The number of contents read.
  public var contentsRead: Int

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

/// The sizes of the parts of a store on disk, in bytes.
public struct SizeFigures: Codable, Hashable, Sendable {
  /// The texts.
  public var bytesOfText: Int
  /// The tables of messages with their keys, without the texts.
  public var bytesOfRows: Int
  /// The search indexes.
  public var bytesOfSearch: Int
  /// The keys by which imports recognise messages.
  public var bytesOfDuplicates: Int
  /// The counts by block, facet and saved filter.
  public var bytesOfCounts: Int
  /// The contents of attachments in the database.
  public var bytesOfAttachmentsWithin: Int
  /// Everything else.
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
